// SPDX-License-Identifier: MIT
// Sets the mass of a ball joint of a rig of Assassin's Creed: heavier_hair RIG BONE MASS OUT
#include <cstdio>
#include <cstdlib>

#include "marrow/marrow.h"
#include "marrow/model/modifiers.h"

using namespace marrow;

int main(int argc, char** argv) {
  if (argc != 5) return std::fprintf(stderr, "usage: heavier_hair RIG BONE MASS OUT\n"), 2;
  auto rig = load_file(argv[1]);
  if (!rig) return std::fprintf(stderr, "%s: %s\n", argv[1], rig.error().message.c_str()), 1;
  auto* joint = rig->modifier<BallJointModifier>(argv[2]);
  if (joint == nullptr) return std::fprintf(stderr, "%s has no ball joint\n", argv[2]), 1;
  joint->mass = static_cast<float>(std::atof(argv[3]));
  const auto saved = save_file(*rig, argv[4]);
  if (!saved) return std::fprintf(stderr, "%s: %s\n", argv[4], saved.error().message.c_str()), 1;
}
