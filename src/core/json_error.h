// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace marrow {

// Keeps no values. `Json::sax_parse` uses it only to report where a text stops being JSON.
template <class Json>
struct JsonError : nlohmann::json_sax<Json> {
  using Base = nlohmann::json_sax<Json>;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(typename Base::number_integer_t) override { return true; }
  bool number_unsigned(typename Base::number_unsigned_t) override { return true; }
  bool number_float(typename Base::number_float_t, const typename Base::string_t&) override { return true; }
  bool string(typename Base::string_t&) override { return true; }
  bool binary(typename Base::binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(typename Base::string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& error) override {
    read = position;
    last = token;
    reason = error.what();
    return false;
  }

  std::size_t read = 0;  // bytes read, including the wrong one
  std::string last, reason;
};

}  // namespace marrow
