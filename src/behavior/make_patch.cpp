// SPDX-License-Identifier: MIT
// From two files to a patch: nodes as XML with the smallest blocks around what differs.
#include <algorithm>
#include <optional>

#include "behavior/nodes.h"
#include "behavior/patch.h"
#include "behavior/patch_node.h"
#include "behavior/value_texts.h"
#include "havok/packfile/node_numbers.h"
#include "havok/text/xml_names.h"
#include "havok/text/xml_source.h"
#include "marrow/core/text.h"

namespace marrow::behavior {
namespace {

using havok::Class;
using havok::FieldsView;
using havok::Kind;
using havok::Member;
using havok::ObjectId;
using havok::Packfile;

/// Writes one node, with blocks around what differs between two versions of it.
class NodeWriter {
 public:
  NodeWriter(std::string_view code, const ValueTexts& base, const ValueTexts& edited)
      : code_(code), base_(base), edited_(edited) {}

  /// Returns the whole node; `edited` is null for one that is written as it is.
  std::string node(std::string_view name, const havok::Object& object, const FieldsView& fields,
                   const FieldsView* edited) {
    out_ = "\t\t<hkobject";
    havok_attribute("name", name);
    havok_attribute("class", object.class_name());
    havok_attribute("signature", hex_text(object.signature(), 8));
    out_ += ">\n";
    depth_ = 3;
    record(fields, edited);
    out_ += "\t\t</hkobject>\n";
    return std::move(out_);
  }
  bool has_changes() const { return changes_ > 0; }

 private:
  void havok_attribute(std::string_view name, std::string_view value) {
    out_ += " " + std::string(name) + "=\"";
    havok::append_escaped(out_, value);
    out_ += '"';
  }
  void indent() { out_.append(depth_, '\t'); }
  void open() {
    ++changes_;
    out_ += "<!-- MOD_CODE ~" + std::string(code_) + "~ OPEN -->\n";
  }
  void original() { out_ += "<!-- ORIGINAL -->\n"; }
  void close() { out_ += "<!-- CLOSE -->\n"; }

  void record(const FieldsView& fields, const FieldsView* edited) {
    for (const Class* type : fields.type().lineage())
      for (const Member& member : type->members)
        if (!member.is_ignored) param(fields, edited, member);
  }

  void param(const FieldsView& fields, const FieldsView* edited, const Member& member) {
    switch (shape_of(member.type)) {
      case Shape::Leaf: return leaf(fields, edited, member);
      case Shape::Record: {
        open_param(member);
        out_ += '\n';
        const FieldsView inside = fields.record(member);
        const std::optional<FieldsView> other = edited ? std::optional(edited->record(member)) : std::nullopt;
        nested(inside, other ? &*other : nullptr);
        indent();
        out_ += "</hkparam>\n";
        return;
      }
      case Shape::List: return list(fields, edited, member);
    }
  }

  void open_param(const Member& member, std::optional<std::size_t> count = {}) {
    indent();
    out_ += "<hkparam";
    havok_attribute("name", member.name);
    if (count) havok_attribute("numelements", std::to_string(*count));
    out_ += '>';
  }

  void leaf(const FieldsView& fields, const FieldsView* edited, const Member& member) {
    const std::string before = base_.element(fields, member, 0);
    const auto line = [&](const std::string& value) {
      open_param(member);
      out_ += value + "</hkparam>\n";
    };
    const std::string now = edited ? edited_.element(*edited, member, 0) : before;
    if (now == before) return line(before);
    open();
    line(now);
    original();
    line(before);
    close();
  }

  void nested(const FieldsView& fields, const FieldsView* edited) {
    ++depth_;
    indent();
    out_ += "<hkobject>\n";
    ++depth_;
    record(fields, edited);
    --depth_;
    indent();
    out_ += "</hkobject>\n";
    --depth_;
  }

  // An element by itself, in the texts of its own file.
  std::string element_text(const ValueTexts& texts, const FieldsView& fields, const Member& member, std::uint32_t i) {
    if (element_class(member.type)) {
      NodeWriter writer(code_, texts, texts);
      writer.depth_ = depth_;
      const FieldsView inside = record_at(fields, member, i);
      writer.nested(inside, nullptr);
      return std::move(writer.out_);
    }
    std::string text(depth_ + 1, '\t');
    const bool is_text = element_kind(member.type) == Kind::Text;
    return text + (is_text ? "<hkcstring>" : "") + texts.element(fields, member, i) +
           (is_text ? "</hkcstring>\n" : "\n");
  }

  void list(const FieldsView& fields, const FieldsView* edited, const Member& member) {
    const bool is_array = havok::is_array(member.type.kind);
    const std::uint32_t old_count = size_of_list(fields, member);
    std::vector<std::string> before, now;
    for (std::uint32_t i = 0; i < old_count; ++i) before.push_back(element_text(base_, fields, member, i));
    if (edited)
      for (std::uint32_t i = 0; i < size_of_list(*edited, member); ++i)
        now.push_back(element_text(edited_, *edited, member, i));
    open_param(member, is_array ? std::optional<std::size_t>(fields.ref(member).array().count()) : std::nullopt);
    if (before.empty() && now.empty()) {
      out_ += "</hkparam>\n";
      return;
    }
    out_ += '\n';
    if (!edited || before == now) {
      for (const std::string& each : before) out_ += each;
    } else {
      blocks(fields, *edited, member, before, now);
    }
    indent();
    out_ += "</hkparam>\n";
  }

  void blocks(const FieldsView& fields, const FieldsView& edited, const Member& member,
              const std::vector<std::string>& before, const std::vector<std::string>& now) {
    std::size_t head = 0, tail = 0;
    const std::size_t most = std::min(before.size(), now.size());
    while (head < most && before[head] == now[head]) ++head;
    while (head + tail < most && before[before.size() - 1 - tail] == now[now.size() - 1 - tail]) ++tail;
    for (std::size_t i = 0; i < head; ++i) out_ += before[i];
    const std::size_t old_end = before.size() - tail, new_end = now.size() - tail;
    if (element_class(member.type) && before.size() == now.size()) {
      // As many records as before: each is edited where it stands.
      for (std::size_t i = head; i < old_end; ++i) {
        const auto at = static_cast<std::uint32_t>(i);
        const FieldsView left = record_at(fields, member, at), right = record_at(edited, member, at);
        if (before[i] == now[i])
          out_ += before[i];
        else
          nested(left, &right);
      }
    } else {
      open();
      for (std::size_t i = head; i < new_end; ++i) out_ += now[i];
      if (old_end > head) original();
      for (std::size_t i = head; i < old_end; ++i) out_ += before[i];
      close();
    }
    for (std::size_t i = old_end; i < before.size(); ++i) out_ += before[i];
  }

  std::string_view code_;
  const ValueTexts& base_;
  const ValueTexts& edited_;
  std::string out_;
  std::size_t depth_ = 0;
  std::size_t changes_ = 0;
};

/// Nodes of the edited file by what they are in the base.
struct NodePairs {
  std::vector<ObjectId> partner = {};   ///< by object of the edited file; null: a node of the mod's own
  std::vector<std::string> names = {};  ///< by object of the edited file, as the patch writes them
  std::vector<ObjectId> own = {};       ///< by their number in the mod
};

NodePairs paired(const Packfile& base, const Packfile& edited, const NodeNames& base_names,
                 const NodeNames& edited_names, std::string_view code) {
  NodePairs pairs;
  pairs.partner.resize(edited.objects.size());
  pairs.names.resize(edited.objects.size());
  for (const ObjectId id : edited_names.in_order()) {
    const ObjectId partner = base_names.find(edited_names.of(id));
    if (!partner.is_null() && base.at(partner).class_name() == edited.at(id).class_name()) {
      pairs.partner[id.index] = partner;
      pairs.names[id.index] = base_names.of(partner);
    } else {
      pairs.names[id.index] = "#" + std::string(code) + "$" + std::to_string(pairs.own.size());
      pairs.own.push_back(id);
    }
  }
  return pairs;
}

bool is_code(std::string_view code) {
  return !code.empty() && std::ranges::all_of(code, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

}  // namespace

Result<std::vector<PatchText>> make_patch(const Packfile& base, const Packfile& edited, std::string_view code) {
  if (!is_code(code))
    return fail(ErrorCode::BadOption, "letters, digits, _ and - are what the code of a mod is made of", kNoOffset,
                "code");
  if (base.schema != edited.schema)
    return fail(ErrorCode::InvalidArgument, "the files are of different versions of Havok");
  const NodeNames base_names(base), edited_names(edited);
  const NodePairs pairs = paired(base, edited, base_names, edited_names, code);
  const bool has_names = !havok::behaviour_numbers(edited);
  if (!has_names && (!pairs.own.empty() || edited.objects.size() != base.objects.size()))
    return fail(ErrorCode::InvalidArgument,
                "nodes of a plain packfile have no names, and what was added or moved has changed their numbers; edit "
                "the game's file as XML or with node ids");
  for (const Packfile* file : {&base, &edited})
    for (const havok::Object& object : file->objects)
      if (!object.type)
        return fail(ErrorCode::Unrepresentable, "the class " + printable(object.class_name()) + " is not known");
  const IndexNames base_indices = index_names_of(base);
  IndexNames indices = index_names_of(edited);
  indices.known_events = base_indices.events.size();
  indices.known_variables = base_indices.variables.size();
  indices.as_marks = true;
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < base.objects.size(); ++i) names.emplace_back(base_names.of({i}));
  const ValueTexts base_texts(std::move(names)), edited_texts(pairs.names, &indices);
  std::vector<PatchText> files;
  for (const ObjectId id : edited_names.in_order()) {
    const ObjectId partner = pairs.partner[id.index];
    if (partner.is_null()) continue;
    NodeWriter writer(code, base_texts, edited_texts);
    const FieldsView now = edited.at(id).fields();
    std::string text = writer.node(pairs.names[id.index], base.at(partner), base.at(partner).fields(), &now);
    if (writer.has_changes()) files.push_back({pairs.names[id.index] + ".txt", std::move(text)});
  }
  for (const ObjectId id : pairs.own) {
    NodeWriter writer(code, edited_texts, edited_texts);
    files.push_back({pairs.names[id.index] + ".txt",
                     writer.node(pairs.names[id.index], edited.at(id), edited.at(id).fields(), nullptr)});
  }
  return files;
}

}  // namespace marrow::behavior
