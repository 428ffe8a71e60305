// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "marrow/core/error.h"
#include "verb.h"

namespace marrow::cli {

/// JSON that keeps the order in which its fields were written.
using Json = nlohmann::ordered_json;

/// One file to work on. `relative` is its place below the folder that the user named, or its bare name.
struct Input {
  std::filesystem::path path;
  std::filesystem::path relative;
};

/// The files that the user named; folders are walked, in order of name. In a folder, files that are none of ours are
/// passed over; a file that was named itself, or that is empty, is always taken.
std::vector<Input> expand_inputs(const std::vector<std::string>& paths);

/// Where the output of `input` goes. A single file goes to `output` itself; what came from a folder, or one of several
/// inputs, goes below it and keeps its tree, with `extension` (".xml") in place of its own unless that is empty.
std::filesystem::path output_path(const Input& input, const std::string& output, bool many,
                                  std::string_view extension = {});

/// Whether `paths` name more than one file, so that `-o` has to be a folder.
bool names_many(const std::vector<std::string>& paths);

/// What one file gave. Text and JSON are printed in the order of the inputs, whatever the order of the work.
struct Outcome {
  std::string text;                 ///< for people, to stdout
  Json json;                        ///< for programs, with --json; null prints nothing
  std::vector<std::string> errors;  ///< to stderr; any makes the file a failed one
  std::vector<std::string> notes;   ///< to stderr, without failing
  bool findings = false;            ///< `check` or `diff` found something
};

/// Runs `work` over the inputs on the threads that -j asks for, with a progress bar on a terminal, prints what they
/// gave and returns the exit code. With --json an array is printed, one element a file.
int run_batch(const std::vector<Input>& inputs, const Arguments& arguments,
              const std::function<Outcome(const Input&)>& work);

/// `file:offset: path: message`, the form of every error line.
std::string error_line(const std::filesystem::path& file, const Error& error);
std::string note_line(const std::filesystem::path& file, const Note& note);
/// Of work on several files: takes the name of one of `files` off the head of `path`, where it stands there, and gives
/// it; gives `otherwise` where none does.
std::filesystem::path take_file(std::string& path, std::span<const std::string> files,
                                const std::filesystem::path& otherwise);
/// An outcome that is just this error.
Outcome failed(const std::filesystem::path& file, const Error& error);
/// An outcome that is just a note: a file of a folder that the verb has nothing to do with.
Outcome passed_over(const std::filesystem::path& file, std::string_view why);

}  // namespace marrow::cli
