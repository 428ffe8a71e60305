// SPDX-License-Identifier: MIT
#include "core/json.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace marrow;

namespace {

std::string again(std::string_view text) {
  const auto value = parse_json(text);
  return value ? to_text(*value, false) : "error at " + std::to_string(value.error().offset);
}

}  // namespace

TEST_CASE("JSON reads back as it was written, in the order it was written") {
  CHECK(again(R"( {"b":[1,-2.5,true,null],"a":{"x":"y"}} )") == R"({"b":[1,-2.5,true,null],"a":{"x":"y"}})");
  CHECK(again("[]") == "[]");
  CHECK(again("{}") == "{}");
  CHECK(again("18446744073709551615") == "18446744073709551615");
  CHECK(again("1e300") == "1e+300");
}

TEST_CASE("texts are escaped, and what is not UTF-8 is replaced") {
  CHECK(again(R"("a\"\\\n\u00e9\ud83d\ude00")") == "\"a\\\"\\\\\\n\xC3\xA9\xF0\x9F\x98\x80\"");
  CHECK(to_text(Json("\xE9\x01"), false) == "\"\xEF\xBF\xBD\\u0001\"");
}

TEST_CASE("floats keep their short text, and what is not finite is null") {
  CHECK(to_text(Json(0.1f)) == "0.1");
  CHECK(to_text(Json(std::nan(""))) == "null");
}

TEST_CASE("what is not JSON is refused at its offset") {
  for (const char* text :
       {"", "{", "[1,]", "{\"a\"}", "[1 2]", "tru", "\"\\x\"", "\"\n\"", "1 2", "\"\\ud800\"", "nan", "0x10"})
    CHECK_FALSE(parse_json(text));
  CHECK(parse_json("[1, oops]").error().offset == 4);
  const std::string deep(100000, '[');
  CHECK(parse_json(deep).error().message.find("nested") != std::string::npos);
}

TEST_CASE("comments are skipped in texts that people write, and nowhere else") {
  constexpr std::string_view kText = "// one\n{ /* two */ \"a\": 1/* three */, // four\n \"b\": [2 // five\n]}// six";
  CHECK_FALSE(parse_json(kText));
  const auto read = parse_json(kText, {}, JsonComments::Skipped);
  REQUIRE(read);
  CHECK(to_text(*read, false) == R"({"a":1,"b":[2]})");
  for (const char* text : {"/* never closed", "[1 / 2]", "[1] /", "/"})
    CHECK_FALSE(parse_json(text, {}, JsonComments::Skipped));
  CHECK(parse_json(R"(["// no comment"])", {}, JsonComments::Skipped)->items().at(0).text() == "// no comment");
}

TEST_CASE("whole numbers are told from others, and ids of 64 bits are kept") {
  const Json read = parse_json("[1, -1, 1.0, 1e2, 18446744073709551615, true]").value();
  const Json::Array& items = read.items();
  CHECK(items.at(0).is_whole());
  CHECK(items.at(0).natural() == 1);
  CHECK(items.at(1).is_whole());
  CHECK_FALSE(items.at(1).natural());
  CHECK_FALSE(items.at(2).is_whole());
  CHECK_FALSE(items.at(3).is_whole());
  CHECK(items.at(4).natural() == UINT64_MAX);
  CHECK_FALSE(items.at(4).is_boolean());
  CHECK(items.at(5).is_boolean());
}

TEST_CASE("missing members are null and of no size") {
  Json object;
  object.set("a", 1).set("a", 2);
  CHECK(object["a"].integer() == 2);
  CHECK(object["b"].is_null());
  CHECK(object["b"]["c"].text().empty());
  CHECK(object.size() == 1);
}

TEST_CASE("JSON has numbers that can be held, and takes no more memory than it may") {
  CHECK_FALSE(parse_json("1e999999999"));
  CHECK_FALSE(parse_json("[-inf]"));
  CHECK_FALSE(parse_json("-nan"));
  std::string many = "[";
  for (int i = 0; i < 10'000; ++i) many += "[],";
  many += "[]]";
  CHECK(parse_json(many));
  CHECK(parse_json(many, {.max_expanded_bytes = 100'000}).error().code == ErrorCode::LimitExceeded);
}

TEST_CASE("all readers of one input share its budget, and copies of the limits do") {
  const Limits limits = Limits{.max_expanded_bytes = 1000}.for_input(1);
  const Limits copy = limits;
  CHECK(limits.charge(600));
  CHECK(copy.left() == 400);
  CHECK_FALSE(copy.charge(500));
  CHECK(copy.charge(4, 100));
  CHECK_FALSE(limits.charge(1));
  CHECK_FALSE(limits.charge(std::uint64_t{1} << 40, std::uint64_t{1} << 40));  // a product that wraps is too much, too
  CHECK(Limits{.max_expanded_bytes = 10}.charge(10));
}

TEST_CASE("of very many notes the first of each kind are kept, and the rest is counted") {
  Notes notes;
  for (int i = 0; i < 20'000; ++i)
    notes.push_back({"object " + std::to_string(i) + " has no \"name" + std::to_string(i) + "\"", 7});
  for (int i = 0; i < 20'000; ++i)
    notes.push_back({std::string(static_cast<std::size_t>(1 + i % 2000), static_cast<char>('a' + i % 26))});
  CHECK(notes.size() < 20'000);
  CHECK(notes.hidden() == 40'000 - notes.size());
  std::size_t text = 0;
  for (const Note& note : notes) text += note.message.size();
  CHECK(text <= Notes::kMostText);
  const std::size_t kept = notes.size();
  notes.tell_hidden();
  CHECK(notes.size() > kept);
  CHECK(notes.hidden() == 0);
}

TEST_CASE("a number beyond 64 bits is the nearest whole one, and never 0") {
  CHECK(parse_json("1e20").value().integer() == INT64_MAX);
  CHECK(parse_json("-1e20").value().integer() == INT64_MIN);
  CHECK(parse_json("18446744073709551616").value().integer() == INT64_MAX);
  CHECK(parse_json("1e3").value().integer() == 1000);
}
