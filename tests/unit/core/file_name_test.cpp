// SPDX-License-Identifier: MIT
#include "core/file_name.h"

#include <doctest/doctest.h>

using namespace marrow;

TEST_CASE("a name becomes one that every disk takes") {
  CHECK(portable_file_name("walk", "clip") == "walk");
  CHECK(portable_file_name("", "clip") == "clip");
  CHECK(portable_file_name("a/b\\c:d*e?f\"g<h>i|j\nk", "clip") == "a_b_c_d_e_f_g_h_i_j_k");
  CHECK(portable_file_name("end.", "clip") == "end_");
  CHECK(portable_file_name("end ", "clip") == "end_");
  for (const char* device : {"NUL", "con", "Aux.walk", "COM1", "lpt9", "com\u00b2.left"})
    CHECK(portable_file_name(device, "clip") == std::string("_") + device);
  for (const char* name : {"null", "com0", "com", "com10", "lpt"}) CHECK(portable_file_name(name, "clip") == name);
}

TEST_CASE("names that some disk takes for one are told apart by a number") {
  FileNames names("clip");
  CHECK(names.add("Walk", ".hkx") == "Walk");
  CHECK(names.add("walk", ".hkx") == "walk_2");
  CHECK(names.add("walk", ".xml") == "walk");
  CHECK(names.add("WALK", ".hkx") == "WALK_3");
  CHECK(names.add("", ".hkx") == "clip");
  CHECK(names.add("nul", ".hkx") == "_nul");
}
