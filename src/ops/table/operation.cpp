// SPDX-License-Identifier: MIT
#include "ops/table/operation.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/nearest.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "ops/table/define.h"
#include "ops/table/rows.h"

namespace marrow {
namespace {

Json json_of(const FieldInfo& field) {
  Json json;
  json.set("name", field.name).set("type", to_string(field.type)).set("help", field.text.help);
  if (field.is_list) json.set("list", true);
  if (field.is_optional) json.set("optional", true);
  if (field.text.required) json.set("required", true);
  if (field.text.positional) json.set("positional", true);
  if (!field.text.placeholder.empty()) json.set("placeholder", field.text.placeholder);
  if (!field.text.unit.empty()) json.set("unit", field.text.unit);
  if (std::isfinite(field.text.min)) json.set("min", field.text.min);
  if (std::isfinite(field.text.max)) json.set("max", field.text.max);
  if (field.text.above_min) json.set("above_min", true);
  if (field.count > 0) json.set("count", field.count);
  if (!field.choices.empty()) json.set("choices", Json::Array(field.choices.begin(), field.choices.end()));
  if (!field.otherwise.is_null()) json.set("default", field.otherwise);
  if (!field.text.otherwise.empty()) json.set("default_text", field.text.otherwise);
  if (!field.fields.empty()) {
    Json fields = Json::array();
    for (const FieldInfo& inner : field.fields) fields.push(json_of(inner));
    json.set("fields", std::move(fields));
  }
  return json;
}

Json json_of(const InputInfo& input) {
  constexpr std::array<std::string_view, 5> kKinds = {"document", "skeleton", "text", "bytes", "tree"};
  Json json;
  json.set("name", input.role).set("kind", kKinds[static_cast<std::size_t>(input.kind)]).set("help", input.help);
  json.set("required", input.is_required).set("list", input.is_list).set("main", input.is_main);
  if (input.is_pair) json.set("pair", true);
  json.set("positional", input.is_positional);
  if (input.builtin) {
    Json presets = Json::array();
    for (std::string_view names = input.builtin({}); !names.empty();) {
      const std::size_t end = std::min(names.find(','), names.size());
      presets.push(trim(names.substr(0, end)));
      names.remove_prefix(std::min(end + 1, names.size()));
    }
    json.set("presets", std::move(presets));
  }
  return json;
}

// The format that each extension of an output asks for.
Json extensions_of(const OperationInfo& info) {
  Json json = Json::object();
  for (const Format each : info.formats.empty() ? written_formats() : info.formats)
    if (const auto format = format_of_extension(extension_of(each))) json.set(extension_of(each), to_string(*format));
  if (json.contains(".hkx")) json.set(".hkt", to_string(Format::Hkx));
  return json;
}

Json json_of(const OperationInfo& info) {
  constexpr std::array<std::string_view, 6> kOutputs = {"none", "document", "text", "files", "file", "folder"};
  Json json, inputs = Json::array(), options = Json::array(), report = Json::array(), formats = Json::array();
  for (const InputInfo& input : info.inputs) inputs.push(json_of(input));
  for (const FieldInfo& field : info.options) options.push(json_of(field));
  for (const FieldInfo& field : info.report) report.push(json_of(field));
  for (const Format format : info.formats) formats.push(to_string(format));
  json.set("name", info.name).set("summary", info.summary).set("details", info.details);
  json.set("inputs", std::move(inputs)).set("options", std::move(options)).set("report", std::move(report));
  json.set("output", kOutputs[static_cast<std::size_t>(info.output)]).set("formats", std::move(formats));
  if (info.output == OutputKind::Document) {
    json.set("extensions", extensions_of(info));
    json.set("writes_any", info.formats.empty() || info.formats == written_formats());
  }
  if (!info.extensions.empty())
    json.set("file_extensions", Json::Array(info.extensions.begin(), info.extensions.end()));
  if (info.output_is_optional) json.set("output_optional", true);
  if (!info.output_flag.empty()) json.set("output_flag", info.output_flag);
  if (!info.text_extension.empty()) json.set("text_extension", info.text_extension);
  if (!info.text_forms.empty()) {
    Json forms = Json::array();
    for (const std::string_view form : info.text_forms) forms.push(form);
    json.set("text_forms", std::move(forms));
  }
  if (!info.rows.empty()) json.set("rows", info.rows);
  if (!info.extras.empty()) {
    Json extras = Json::array();
    for (const ExtraOutput& extra : info.extras)
      extras.push(Json().set("name", extra.option).set("field", extra.field).set("help", extra.help));
    json.set("extras", std::move(extras));
  }
  return json;
}

/// The rows of a group, made when they are first asked for: a program that runs one operation does not describe them
/// all. Never freed, since thousands of small texts go back to the system faster as a whole.
template <std::vector<Operation> (*make)(), bool reads_rigs = false>
const std::vector<Operation>& kept() {
  static const auto& rows = *new std::vector<Operation>([] {
    std::vector<Operation> made = make();
    for (Operation& row : made) row.info.takes_bone_names = reads_rigs;
    return made;
  }());
  return rows;
}

/// In the order in which help lists them.
constexpr std::array kGroups = {&kept<&file_rows, true>, &kept<&animation_rows, true>,
                                &kept<&view_rows>,       &kept<&doctor_rows>,
                                &kept<&clip_rows>,       &kept<&annotation_rows>,
                                &kept<&pair_rows>,       &kept<&root_motion_rows>,
                                &kept<&float_rows>,      &kept<&body_rows>,
                                &kept<&rig_rows, true>,  &kept<&collision_rows>,
                                &kept<&archive_rows>,    &kept<&behavior_rows>,
                                &kept<&patch_rows>,      &kept<&cache_rows>};

}  // namespace

std::span<const Operation> operations() {
  static const auto& rows = *new std::vector<Operation>([] {
    std::vector<Operation> all;
    for (const auto group : kGroups) all.insert(all.end(), group().begin(), group().end());
    return all;
  }());
  return rows;
}

const Operation* find_operation(std::string_view name) {
  for (const auto group : kGroups) {
    const auto found = std::ranges::find_if(group(), [&](const Operation& each) { return each.info.name == name; });
    if (found != group().end()) return &*found;
  }
  return nullptr;
}

Json describe_operations() {
  Json json = Json::array();
  for (const Operation& each : operations()) json.push(json_of(each.info));
  return json;
}

Result<OperationResult> run_operation(std::string_view name, OperationCall& call) {
  const Operation* found = find_operation(name);
  if (!found) {
    std::vector<std::string_view> known;
    for (const Operation& each : operations()) known.push_back(each.info.name);
    return fail(ErrorCode::NotFound, "there is no operation '" + std::string(name) + "'" + did_you_mean(name, known));
  }
  return found->run(call);
}

std::vector<const OperationInput*> CallInputs::given(std::string_view role) const {
  std::vector<const OperationInput*> found;
  for (const OperationInput& input : call_.inputs)
    if (input.role == role) found.push_back(&input);
  return found;
}

Result<const Document*> CallInputs::parsed(const OperationInput& input, LoadOptions options) {
  if (input.document) return with_parts(*input.document, options.parts);
  options.name = input.name;
  MARROW_TRY(Document document, load(input.bytes, options, call_.context));
  return &documents_.emplace_back(std::move(document));
}

// A document may come without parts that the operation needs, or with values that what it was read from does not have
// yet; then the operation gets a copy that has them.
Result<const Document*> CallInputs::with_parts(const Document& document, Parts parts) {
  MARROW_TRY(const bool is_ready, is_settled(document, call_.context));
  if (is_ready && has_parts(document, parts)) return &document;
  Document& copy = documents_.emplace_back(document);
  MARROW_CHECK(settle(copy, call_.context));
  MARROW_CHECK(read_parts(copy, parts, call_.context));
  return &copy;
}

Result<std::vector<const Document*>> CallInputs::documents(std::string_view role, const LoadOptions& options) {
  std::vector<const Document*> all;
  for (const OperationInput* input : given(role)) {
    MARROW_TRY(const Document* document, parsed(*input, options));
    all.push_back(document);
  }
  return all;
}

Result<const Document*> CallInputs::document(std::string_view role, const LoadOptions& options) {
  MARROW_TRY(const std::vector<const Document*> all, documents(role, options));
  if (all.empty()) return fail(ErrorCode::BadOption, "is missing", kNoOffset, std::string(role));
  return all.front();
}

Result<Document> CallInputs::own_document(std::string_view role, const LoadOptions& options) {
  const std::vector<const OperationInput*> all = given(role);
  if (all.empty()) return fail(ErrorCode::BadOption, "is missing", kNoOffset, std::string(role));
  return own_document(*all.front(), options);
}

Result<Document> CallInputs::own_document(const OperationInput& input, const LoadOptions& options) {
  MARROW_TRY(const Document* document, parsed(input, options));
  if (!documents_.empty() && document == &documents_.back()) return std::move(documents_.back());
  return *document;
}

namespace {

// Editors on Windows put a mark before UTF-8, which is no part of the text.
std::string_view text_in(const OperationInput& input) {
  std::string_view text = as_text(input.bytes);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

}  // namespace

Result<void> CallInputs::bind(FieldSlot& slot) {
  const std::vector<const OperationInput*> inputs = given(slot.info.name);
  if (inputs.empty()) {
    if (slot.info.text.required)
      return fail(ErrorCode::BadOption, "is missing", kNoOffset, std::string(slot.info.name));
    return {};
  }
  if (slot.info.input == InputKind::Text && slot.info.is_list) {
    for (const OperationInput* input : inputs)
      static_cast<std::vector<NamedText>*>(slot.value)->push_back({input->name, text_in(*input)});
    return {};
  }
  if (slot.info.input == InputKind::Text) {
    std::string_view text = text_in(*inputs.front());
    if (text.empty() && slot.info.text.builtin) text = slot.info.text.builtin(inputs.front()->name);
    *static_cast<std::string_view*>(slot.value) = text;
    return {};
  }
  MARROW_TRY(std::vector<const Document*> all, documents(slot.info.name, {.parts = slot.info.text.parts}));
  if (slot.info.is_list) {
    *static_cast<std::vector<const Document*>*>(slot.value) = std::move(all);
    return {};
  }
  if (slot.info.is_pair && all.size() > 2)
    return fail(ErrorCode::BadOption, "takes one file, or two for a paired clip", kNoOffset,
                std::string(slot.info.name));
  const std::array<void*, 2> values = {slot.value, slot.second};
  for (std::size_t i = 0; i < (slot.info.is_pair ? all.size() : 1); ++i) {
    if (slot.info.input == InputKind::Document) {
      *static_cast<const Document**>(values[i]) = all[i];
      continue;
    }
    MARROW_TRY(const DocumentSkeleton* skeleton, main_skeleton(*all[i]));
    *static_cast<const Skeleton**>(values[i]) = &skeleton->skeleton;
  }
  return {};
}

Error CallInputs::located(Error error, const std::string& main) const {
  if (error.file.empty()) error.file = main;
  for (const OperationInput& input : call_.inputs)
    if (error.file == input.role) {
      error.file = input.name;
      break;
    }
  return error;
}

Json without_format(FieldList& fields, const Json& options) {
  if (!options.is_object() ||
      std::ranges::any_of(fields.slots(), [](const FieldSlot& slot) { return slot.info.name == "format"; }))
    return options;
  Json own = Json::object();
  for (const auto& [name, value] : options.members())
    if (name != "format") own.set(name, value);
  return own;
}

Result<void> CallInputs::fill(FieldList& fields) {
  MARROW_CHECK(described::record_from(fields, without_format(fields, call_.options)));
  for (FieldSlot& slot : fields.slots())
    if (slot.info.type == FieldType::Input) MARROW_CHECK(bind(slot));
  return {};
}

Result<SaveOptions> saving_of(const OperationCall& call, SaveOptions options) {
  if (const Json* word = call.options.find("format")) {
    Format format = Format::Unknown;
    FieldInfo info{.name = "format"};
    described::Traits<Format>::fill(info);
    MARROW_CHECK(described::Traits<Format>::set(format, *word, info));
    options.format = format;
  }
  options.name = call.output_name;
  return options;
}

Result<std::vector<SavedFile>> save_for(const OperationCall& call, const Document& document, SaveOptions options) {
  MARROW_TRY(const SaveOptions own, saving_of(call, std::move(options)));
  if (!call.output_name.empty()) call.context.output_name = call.output_name;
  return save(document, own, call.context);
}

std::function<Result<Json>(Document&, OperationCall&)> becomes_output(
    std::string_view role, std::function<Result<OperationResult>(OperationCall&)> run) {
  return [role, run = std::move(run)](Document& document, OperationCall& call) -> Result<Json> {
    std::vector<OperationInput> inputs{{.role = role, .name = document.name, .document = &document}};
    inputs.insert(inputs.end(), call.inputs.begin(), call.inputs.end());
    OperationCall made{.options = call.options,
                       .inputs = inputs,
                       .context = call.context,
                       .output_name = call.output_name,
                       .extras = call.extras};
    MARROW_TRY(OperationResult result, run(made));
    if (result.files.empty()) return std::move(result.report);  // right as it is
    if (result.files.size() > 1)
      return fail(ErrorCode::NeedsChoice,
                  "the result is " + std::to_string(result.files.size()) + " files, and a document is one of them");
    MARROW_TRY(document, load(result.files.front().bytes, {.name = document.name, .parts = Parts::None}, call.context));
    return std::move(result.report);
  };
}

Result<void> takes(std::string_view operation, const Document& document, bool is_taken) {
  if (is_taken) return {};
  return fail(ErrorCode::WrongKind,
              std::string(operation) + " does not support a " + std::string(title(document.format)));
}

}  // namespace marrow
