// SPDX-License-Identifier: MIT
#include "behavior/nodes.h"

#include <doctest/doctest.h>

#include "support/sample_packfile.h"

using namespace marrow;

TEST_CASE("nodes of a plain packfile are found by the numbers that patches use, in any spelling") {
  const havok::Packfile file = test::sample_behaviour(8);
  const behavior::NodeNames names(file);
  const std::string root(names.of(file.root));
  CHECK(root.starts_with("#00"));
  CHECK(names.find(root) == file.root);
  CHECK(names.find(root.substr(1)) == file.root);
  CHECK(names.find(std::to_string(names.number_of(file.root))) == file.root);
  CHECK(names.find("#9999").is_null());
  CHECK(names.find("state").is_null());
  CHECK(names.of({}).empty());
  CHECK(names.next_number() == names.number_of(names.in_order().back()) + 1);
  CHECK(names.in_order().front() == file.root);
}
