// SPDX-License-Identifier: MIT
#include "verbs.h"

int main(int argc, char** argv) {
  using namespace marrow::cli;
  return run_program({}, argc, argv);
}
