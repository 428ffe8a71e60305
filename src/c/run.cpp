// SPDX-License-Identifier: MIT
// Operations by name, and what belongs to no single object.
#include <cstdlib>

#include "c/convert.h"
#include "c/objects.h"
#include "core/try.h"

using namespace marrow;
using namespace marrow::c;

std::uint32_t marrow_abi_version(void) { return MARROW_ABI_VERSION; }
const char* marrow_version(void) { return MARROW_VERSION; }

marrow_status marrow_release(marrow_handle handle) {
  return guarded([&] { return release(handle); });
}

std::size_t marrow_open_handles(void) { return open_handles(); }

void* marrow_allocate(std::size_t size) { return std::malloc(size ? size : 1); }
void marrow_deallocate(void* memory) { std::free(memory); }

marrow_text marrow_describe(void) {
  static const std::string& text = *new std::string(to_text(describe_operations(), false));
  return text_of(text);
}

namespace {

Outcome<void> check_role(const Operation& operation, std::string_view role) {
  std::string known;
  for (const InputInfo& input : operation.info.inputs) {
    if (input.role == role) return {};
    known += (known.empty() ? "" : ", ") + std::string(input.role);
  }
  return fail_with(MARROW_BAD_ARGUMENT,
                   "'" + std::string(role) + "' is not an input of '" + std::string(operation.info.name) + "'" +
                       (known.empty() ? ", which takes none" : "; it takes " + known),
                   "inputs.role");
}

/// The inputs of a call, held until it returns.
struct HeldInputs {
  std::vector<OperationInput> given = {};
  std::vector<Reading<DocumentObject>> held = {};

  /// `own` is a document that the call holds already, with its handle.
  Outcome<void> take(const Operation& operation, const marrow_input* inputs, std::size_t count,
                     marrow_document own_handle = 0, const Document* own = nullptr) {
    if (count > 0) MARROW_CHECK(required(inputs, "inputs"));
    held.reserve(count);
    for (const marrow_input& input : std::span(inputs, count)) {
      MARROW_CHECK(required(input.role, "inputs.role"));
      MARROW_CHECK(check_role(operation, input.role));
      OperationInput& to = given.emplace_back();
      to.role = input.role;
      to.name = view_of(input.name);
      if (input.document == 0) {
        if (input.byte_count > 0) MARROW_CHECK(required(input.bytes, "inputs.bytes"));
        to.bytes = bytes_of(input.bytes, input.byte_count);
        continue;
      }
      if (own && input.document == own_handle) {
        to.document = own;
        continue;
      }
      MARROW_TRY(auto document, reading<DocumentObject>(input.document));
      to.document = &document->document;
      if (to.name.empty()) to.name = document->document.name;
      held.push_back(std::move(document));
    }
    return {};
  }
};

Outcome<const Operation*> operation_named(const char* name) {
  MARROW_CHECK(required(name, "operation"));
  const Operation* found = find_operation(name);
  if (!found) return fail(ErrorCode::NotFound, "there is no operation '" + std::string(name) + "'");
  return found;
}

marrow_result open_result(OperationResult result, const Notes& notes) {
  auto object = std::make_shared<ResultObject>();
  object->report = to_text(result.report, false);
  object->notes = json_of(notes);
  object->files = std::move(result.files);
  object->found = result.found;
  return open(ResultObject::kKind, std::move(object));
}

}  // namespace

marrow_status marrow_run(const char* operation, const char* options_json, const marrow_input* inputs,
                         std::size_t input_count, const char* output_name, const marrow_context* context,
                         marrow_result* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_TRY(const Operation* found, operation_named(operation));
    MARROW_CHECK(required(out, "out"));
    MARROW_TRY(const Json options, options_of(options_json));
    CallContext called(context);
    HeldInputs held;
    MARROW_CHECK(held.take(*found, inputs, input_count));
    OperationCall call{.options = options, .inputs = held.given, .context = *called};
    call.wants_files = !context || context->report_only == 0;
    call.output_name = view_of(output_name);
    MARROW_TRY(OperationResult result, found->run(call));
    *out = open_result(std::move(result), called->notes);
    return {};
  });
}

marrow_status marrow_apply(marrow_document document, const char* operation, const char* options_json,
                           const marrow_input* inputs, std::size_t input_count, const marrow_context* context,
                           marrow_result* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_TRY(const Operation* found, operation_named(operation));
    if (!found->edit)
      return fail(ErrorCode::InvalidArgument,
                  "'" + std::string(found->info.name) + "' does not change a document, but is run on it");
    MARROW_TRY(const Json options, options_of(options_json));
    CallContext called(context);
    MARROW_TRY(const auto to, writing<DocumentObject>(document));
    HeldInputs held;
    MARROW_CHECK(held.take(*found, inputs, input_count, document, &to->document));
    Document edited = to->document;  // so that a failure changes nothing
    OperationCall call{.options = options, .inputs = held.given, .context = *called, .wants_files = false};
    MARROW_TRY(Json report, found->edit(edited, call));
    to->document = std::move(edited);
    to->damaged.clear();
    if (out) *out = open_result({.report = std::move(report)}, called->notes);
    return {};
  });
}

marrow_status marrow_save(marrow_document document, const char* options_json, const char* output_name,
                          const marrow_context* context, marrow_result* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    MARROW_TRY(const Json options, options_of(options_json));
    MARROW_TRY(const auto from, reading<DocumentObject>(document));
    CallContext called(context);
    OperationResult result;
    if (options.size() == 0) {
      MARROW_TRY(result.files, save(from->document, {.name = std::string(view_of(output_name))}, *called));
    } else {
      const OperationInput input{.role = "file", .name = from->document.name, .document = &from->document};
      OperationCall call{.options = options, .inputs = {&input, 1}, .context = *called};
      call.output_name = view_of(output_name);
      MARROW_TRY(result, run_operation("convert", call));
    }
    *out = open_result(std::move(result), called->notes);
    return {};
  });
}

marrow_status marrow_get_result(marrow_result result, marrow_result_info* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    MARROW_TRY(const auto from, reading<ResultObject>(result));
    *out = {.report = text_of(from->report),
            .notes = text_of(from->notes),
            .file_count = static_cast<std::uint32_t>(from->files.size()),
            .found = from->found ? 1u : 0u};
    return {};
  });
}

marrow_status marrow_get_file(marrow_result result, std::uint32_t index, marrow_file* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    MARROW_TRY(const auto from, reading<ResultObject>(result));
    MARROW_CHECK(in_range(index, from->files.size(), "file"));
    const SavedFile& file = from->files[index];
    *out = {.name = text_of(file.name),
            .extension = text_of(file.extension),
            .bytes = file.bytes.data(),
            .byte_count = file.bytes.size()};
    return {};
  });
}
