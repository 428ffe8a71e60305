// SPDX-License-Identifier: MIT
#include "verbs.h"

int main(int argc, char** argv) {
  using namespace marrow::cli;
  const std::vector<Verb> verbs = {
      info_verb(),     convert_verb(),  check_verb(),       diff_verb(),     dump_verb(),
      retarget_verb(), sample_verb(),   annotations_verb(), compress_verb(), rig_verb(),
      mirror_verb(),   simulate_verb(), collision_verb(),
  };
  return run_program(verbs, argc, argv);
}
