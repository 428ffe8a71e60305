// SPDX-License-Identifier: MIT
#include "support/fbx_sample.h"

#include <bit>
#include <cmath>
#include <utility>

#include "core/byte_writer.h"
#include "core/compression.h"
#include "marrow/core/text.h"

namespace marrow::test {
namespace {

constexpr double kTicks = 46186158000.0;

template <class... Cases>
struct Visitor : Cases... {
  using Cases::operator()...;
};

std::string number_text(double value) {
  std::string text;
  append_double(text, value);
  return text;
}

void write_text(std::string& out, const FbxRecord& record, int depth) {
  const std::string indent(static_cast<std::size_t>(depth), '\t');
  out += indent + record.name + ": ";
  bool is_first = true;
  for (const FbxRecord::Value& value : record.values) {
    if (!std::exchange(is_first, false)) out += ",";
    const auto list = [&](const auto& values, const auto& word) {
      out += "*" + std::to_string(values.size()) + " {\n" + indent + "\ta: ";
      for (std::size_t i = 0; i < values.size(); ++i) out += (i ? "," : "") + word(values[i]);
      out += "\n" + indent + "}";
    };
    std::visit(
        Visitor{[&](std::int64_t v) { out += std::to_string(v); }, [&](double v) { out += number_text(v); },
                [&](const std::string& v) { out += '"' + v + '"'; },
                [&](const std::vector<std::int64_t>& v) { list(v, [](std::int64_t x) { return std::to_string(x); }); },
                [&](const std::vector<double>& v) { list(v, number_text); },
                [&](const std::vector<float>& v) {
                  const bool is_bits = record.name == "KeyAttrDataFloat";
                  list(v, [&](float x) {
                    return is_bits ? std::to_string(std::bit_cast<std::int32_t>(x)) : number_text(double{x});
                  });
                }},
        value);
  }
  if (!record.children.empty()) {
    out += " {\n";
    for (const FbxRecord& child : record.children) write_text(out, child, depth + 1);
    out += indent + "}";
  }
  out += "\n";
}

template <class T>
void write_array(ByteWriter& out, char kind, const std::vector<T>& values, bool pack) {
  const auto bytes = std::as_bytes(std::span(values));
  const std::vector<std::byte> packed =
      pack ? marrow::pack(Packing::Zlib, bytes).value() : std::vector(bytes.begin(), bytes.end());
  out.u8(static_cast<std::uint8_t>(kind));
  out.u32(static_cast<std::uint32_t>(values.size()));
  out.u32(pack ? 1 : 0);
  out.u32(static_cast<std::uint32_t>(packed.size()));
  out.bytes(packed);
}

void write_binary(ByteWriter& out, const FbxRecord& record, bool is_wide, bool pack, bool is_top) {
  const std::size_t start = out.size(), width = is_wide ? 8 : 4;
  const auto patch = [&](std::size_t index, std::uint64_t value) {
    is_wide ? out.patch(start + index * width, value)
            : out.patch(start + index * width, static_cast<std::uint32_t>(value));
  };
  out.fill(3 * width);
  out.u8(static_cast<std::uint8_t>(record.name.size()));
  out.text(record.name);
  const std::size_t values = out.size();
  for (const FbxRecord::Value& value : record.values)
    std::visit(Visitor{[&](std::int64_t v) { out.u8('L'), out.write(v); }, [&](double v) { out.u8('D'), out.write(v); },
                       [&](const std::string& v) {
                         // `Class::Name` in text is `Name\0\1Class` here.
                         const std::size_t colons = is_top ? v.find("::") : std::string::npos;
                         const std::string text =
                             colons == std::string::npos
                                 ? v
                                 : v.substr(colons + 2) + std::string("\0\1", 2) + v.substr(0, colons);
                         out.u8('S'), out.u32(static_cast<std::uint32_t>(text.size())), out.text(text);
                       },
                       [&](const std::vector<std::int64_t>& v) { write_array(out, 'l', v, pack); },
                       [&](const std::vector<double>& v) { write_array(out, 'd', v, pack); },
                       [&](const std::vector<float>& v) { write_array(out, 'f', v, pack); }},
               value);
  patch(1, record.values.size());
  patch(2, out.size() - values);
  if (!record.children.empty()) {
    for (const FbxRecord& child : record.children) write_binary(out, child, is_wide, pack, record.name == "Objects");
    out.fill(3 * width + 1);
  }
  patch(0, out.size());
}

}  // namespace

std::string fbx_text(const std::vector<FbxRecord>& records, int version) {
  std::string out = "; FBX " + std::to_string(version / 1000) + ".x project file\n";
  for (const FbxRecord& record : records) write_text(out, record, 0);
  return out;
}

std::vector<std::byte> fbx_binary(const std::vector<FbxRecord>& records, int version, bool pack) {
  ByteWriter out;
  out.text({"Kaydara FBX Binary  \0\x1A\0", 23});
  out.u32(static_cast<std::uint32_t>(version));
  for (const FbxRecord& record : records) write_binary(out, record, version >= 7500, pack, false);
  out.fill(version >= 7500 ? 25 : 13);
  return out.take();
}

FbxRecord fbx_property(const std::string& name, const std::vector<double>& values) {
  FbxRecord record{"P", {name, name, std::string(), std::string("A")}};
  for (const double value : values) record.values.emplace_back(value);
  return record;
}

std::int64_t FbxScene::model(const std::string& name, const std::string& type, std::int64_t parent,
                             std::vector<FbxRecord> properties) {
  const std::int64_t id = next_id();
  object({"Model", {id, "Model::" + name, type}, {{"Properties70", {}, std::move(properties)}}});
  connect(id, parent);
  return id;
}

std::int64_t FbxScene::stack(const std::string& name, double start, double stop) {
  const std::int64_t id = next_id();
  const auto ticks = [](const char* property, double seconds) {
    return FbxRecord{"P",
                     {std::string(property), std::string("KTime"), std::string("Time"), std::string(),
                      static_cast<std::int64_t>(std::llround(seconds * kTicks))}};
  };
  object({"AnimationStack",
          {id, "AnimStack::" + name, std::string()},
          {{"Properties70", {}, {ticks("LocalStart", start), ticks("LocalStop", stop)}}}});
  connect(id, 0);
  return id;
}

std::int64_t FbxScene::layer(std::int64_t stack, std::vector<FbxRecord> properties) {
  const std::int64_t id = next_id();
  object({"AnimationLayer",
          {id, std::string("AnimLayer::Base"), std::string()},
          {{"Properties70", {}, std::move(properties)}}});
  connect(id, stack);
  return id;
}

FbxRecord& FbxScene::curve(std::int64_t layer, std::int64_t model, const std::string& property,
                           const std::string& component, const std::vector<FbxKey>& keys) {
  const std::int64_t node = next_id(), curve = next_id();
  object({"AnimationCurveNode", {node, std::string("AnimCurveNode::T"), std::string()}});
  connect(node, layer);
  connect(node, model, property);
  connect(curve, node, component);
  std::vector<std::int64_t> times, flags, counts;
  std::vector<float> values, data;
  for (const FbxKey& key : keys) {
    times.push_back(std::llround(key.seconds * kTicks));
    values.push_back(static_cast<float>(key.value));
    flags.push_back(key.flags);
    counts.push_back(1);
    data.insert(data.end(), {key.right, key.next_left, key.third, 0.0f});
  }
  object({"AnimationCurve",
          {curve, std::string("AnimCurve::"), std::string()},
          {{"KeyTime", {times}},
           {"KeyValueFloat", {values}},
           {"KeyAttrFlags", {flags}},
           {"KeyAttrDataFloat", {data}},
           {"KeyAttrRefCount", {counts}}}});
  return objects_.back();
}

void FbxScene::connect(std::int64_t child, std::int64_t parent, const std::string& property) {
  FbxRecord record{"C", {std::string(property.empty() ? "OO" : "OP"), child, parent}};
  if (!property.empty()) record.values.emplace_back(property);
  connections_.push_back(std::move(record));
}

void FbxScene::setting(const std::string& name, double value) { settings_.push_back(fbx_property(name, {value})); }

std::vector<FbxRecord> FbxScene::records(int version) const {
  return {
      {"FBXHeaderExtension", {}, {{"FBXHeaderVersion", {std::int64_t{1003}}}, {"FBXVersion", {std::int64_t{version}}}}},
      {"GlobalSettings", {}, {{"Properties70", {}, settings_}}},
      {"Objects", {}, objects_},
      {"Connections", {}, connections_}};
}

}  // namespace marrow::test
