// SPDX-License-Identifier: MIT
#include "run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>

#include "batch.h"
#include "core/hash.h"
#include "core/lines.h"
#include "data_folder.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/file.h"
#include "marrow/core/text.h"
#include "memory.h"
#include "ops/behavior/project.h"
#include "ops/files/check.h"
#include "places.h"
#include "store.h"
#include "version.h"

namespace marrow::cli {
namespace {

// Runs the work on this thread and on others, which count for the same file. What one of them throws leaves here.
void run_side_by_side(std::size_t count, const std::function<void()>& work) {
  std::mutex mutex;
  std::exception_ptr thrown;
  const auto keep_what_is_thrown = [&, account = current_account()] {
    const CountMemory counted(account);
    try {
      work();
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!thrown) thrown = std::current_exception();
    }
  };
  {
    const auto helpers = start_threads(count, keep_what_is_thrown);
    keep_what_is_thrown();
  }
  if (thrown) std::rethrow_exception(thrown);
}

Result<void> read_names(const Command& command, Context& context) {
  if (command.types) {
    auto types = read_file(path_of_text(*command.types));
    if (!types) return in_file(types.error(), *command.types);
    context.tag_types = std::move(*types);
  }
  if (!command.names) return {};
  const auto bytes = read_file(path_of_text(*command.names));
  if (!bytes) return in_file(bytes.error(), *command.names);
  for (const TextLine& line : Lines(as_text(*bytes)))
    if (const std::string_view name = trim(line.text.substr(0, line.text.find('#'))); !name.empty())
      context.bone_names.emplace_back(name);
  return {};
}

// Everything but the file itself that decides what is written.
std::string hash_of(const Command& command, const SideInputs& sides, const Context& context) {
  Hash64 hash;
  hash.add(kVersion).add(command.info().name).add(to_text(command.options, false));
  for (const std::string& name : context.bone_names) hash.add(name);
  hash.add(as_text(context.tag_types));
  sides.add_to(hash);
  return hash.text();
}

// Keeps the files of one part. The relative path decides, so that every machine of a cluster cuts alike.
void keep_shard(const Shard& shard, std::vector<Input>& inputs) {
  std::erase_if(inputs, [&](const Input& input) {
    return Hash64().add(generic_text_of_path(input.relative())).value() % shard.count + 1 != shard.index;
  });
}

// The operation that merges several files into one glTF file, instead of converting each.
std::optional<Command> as_merge(const Command& command, const std::vector<Input>& inputs) {
  if (command.info().name != "convert" || !command.output) return std::nullopt;
  const auto by_name = format_of_extension(text_of_path(path_of_text(*command.output).extension()));
  const auto asked = find_format(command.options["format"].text());
  if (!by_name || !is_gltf(*by_name) || (asked && !is_gltf(*asked))) return std::nullopt;
  Command merge = command;
  merge.operation = find_operation("merge");
  if (!asked) merge.options.set("format", to_string(*by_name));
  std::vector<std::string>& files = merge.files["file"];
  files.clear();
  for (const Input& input : inputs) files.push_back(text_of_path(input.path()));
  return merge;
}

// Makes files that belong together one run: those after the first become inputs beside it. Of a folder, only those that
// the first line of the format tells to be of its kind.
void take_as_one(const InputInfo& main, Command& command, std::vector<Input>& inputs) {
  std::erase_if(inputs, [](const Input& input) {
    const auto head = read_any(input.path());
    return input.is_from_folder && head && !is_anvil(detect(*head));
  });
  std::vector<std::string>& rest = command.files[std::string(main.rest)];
  for (std::size_t i = 1; i < inputs.size(); ++i) rest.push_back(text_of_path(inputs[i].path()));
  if (inputs.size() > 1) inputs.erase(inputs.begin() + 1, inputs.end());
}

// Without files of its own an operation runs once, named after its first input.
std::vector<Input> named_after_first(const Command& command) {
  for (const InputInfo& info : command.info().inputs)
    if (const auto found = command.files.find(info.role); found != command.files.end() && !found->second.empty())
      return {{path_of_text(found->second.front()), path_of_text(found->second.front()).filename()}};
  return {Input({}, {})};
}

int fail_at_once(const Error& error, const Command& command) {
  if (error.code == ErrorCode::BadOption) throw UsageError("--" + spelled(error.path) + ": " + error.message);
  fmt::print(stderr, "{}\n", error_line(error, command.info()));
  if (command.json) {
    Json failed = Json::object();
    failed.set("path", error.file).set("error", to_json(error));
    print(to_text(Json(Json::Array{std::move(failed)})) + "\n");
  }
  return kFailed;
}

}  // namespace

int run_command(const Command& typed) {
  Command command = typed;
  if (command.json && command.info().name == "dump") command.options.set("format", "json");
  const std::optional<DataFolder> data = take_data_folder(command);
  const InputInfo* main = main_input(command.info());
  const auto given = main ? command.files.find(main->role) : command.files.end();
  const bool has_files = given != command.files.end();
  const Wanted wanted = main && main->kind == InputKind::Bytes ? Wanted::Archives : Wanted::Known;
  const bool is_many = has_files && names_many(given->second, wanted);
  std::vector<std::string> left_out;
  std::size_t other_kinds = 0;
  std::vector<Input> inputs = has_files ? expand_inputs(given->second, {.output = command.output.value_or(""),
                                                                        .follow = command.follow,
                                                                        .left_out = &left_out,
                                                                        .wanted = wanted,
                                                                        .match = with_slashes(command.match),
                                                                        .opens_archives = command.archives,
                                                                        .other_kinds = &other_kinds})
                                        : named_after_first(command);
  if (!left_out.empty() && !command.quiet)
    fmt::print(stderr, "note: {} lead out of the folder and are skipped; --follow follows them: {}\n",
               left_out.size() == 1 ? "a link" : std::to_string(left_out.size()) + " links", escaped(left_out.front()));
  if (other_kinds > 0 && !command.quiet)
    fmt::print(stderr, "note: {} of the archive {} of other kinds and skipped\n",
               other_kinds == 1 ? "a file" : std::to_string(other_kinds) + " files", other_kinds == 1 ? "is" : "are");
  // A folder without files of its kinds fails as one, below.
  if (is_many && !inputs.empty())
    if (const auto merge = as_merge(command, inputs)) return run_command(*merge);
  if (is_many && !main->rest.empty()) take_as_one(*main, command, inputs);
  const bool had_files = !inputs.empty();
  if (command.shard) keep_shard(*command.shard, inputs);

  Limits limits;
  if (command.max_memory) limits.max_expanded_bytes = *command.max_memory;
  FoundFiles found;
  const Lookup lookup = disk_lookup(limits, command.follow, data ? &*data : nullptr, &found);
  Context context{.limits = limits, .lookup = &lookup};
  if (auto names = read_names(command, context); !names) return fail_at_once(names.error(), command);
  const std::vector<Input> none;
  const Outputs outputs(command, has_files ? inputs : none, is_many, found);
  MemoryAccount account(limits.max_expanded_bytes);
  context.cap_memory = [&account](std::size_t bytes) { account.cap_more(bytes); };
  const auto sides_or_none = [&]() -> std::unique_ptr<const SideInputs> {
    const CountMemory counted(&account);
    try {
      return std::make_unique<const SideInputs>(command, context);
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }();
  if (!sides_or_none) return fail_at_once(memory_error(account), command);
  const SideInputs& sides = *sides_or_none;
  context.cap_memory = {};
  if (sides.error()) return fail_at_once(*sides.error(), command);
  context.notes.clear();
  if (command.info().name == "check" && inputs.size() > 1) {
    std::vector<std::string> names;
    for (const Input& input : inputs) names.push_back(text_of_path(input.path()));
    context.rigs = rigs_among(names, find_game(command.options["game"].text()), context);
    context.projects = projects_among(names, find_game(command.options["game"].text()), context);
  }
  // Threads that have no file of their own help with one.
  context.run_on_threads = [count = thread_count(command) / std::max<std::size_t>(inputs.size(), 1)](const auto& work) {
    run_side_by_side(count, work);
  };
  for (const ExtraOutput& extra : command.info().extras)
    if (inputs.size() > 1 && extra.is_per_file && command.extras.contains(extra.option))
      throw UsageError("--" + spelled(extra.option) + " takes one input at a time; " + std::to_string(inputs.size()) +
                       " would be written to one file");
  Journal journal(command, hash_of(command, sides, context));
  const Runner runner(command, sides, outputs, context, inputs.size() > 1);
  // A part of a folder may be empty; a folder may not.
  const bool may_be_empty = command.shard && had_files;
  return run_batch(inputs, command, runner, journal, has_files && is_many && !may_be_empty);
}

}  // namespace marrow::cli
