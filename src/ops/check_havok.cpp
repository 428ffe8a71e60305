// SPDX-License-Identifier: MIT
#include <string>

#include "core/try.h"
#include "marrow/havok/game.h"
#include "marrow/havok/physics.h"
#include "marrow/ops/collision_check.h"
#include "ops/formats.h"

namespace marrow {
namespace {

using namespace havok;

// A file for another game than the one whose rules are asked for.
void check_game(const Packfile& file, Game game, Findings& findings) {
  if (file.schema->version() != version_of(game)) {
    findings.push_back({"E_VERSION", Level::Error,
                        "the file is of " + file.schema->version() + ", " + std::string(to_string(game)) + " reads " +
                            std::string(version_of(game)) + " and crashes on others; convert it with --to " +
                            std::string(to_string(game)),
                        "header, offset 40"});
  } else if (file.pointer_size != pointer_size_of(game)) {
    findings.push_back({"E_POINTER_SIZE", Level::Error,
                        "the file has pointers of " + std::to_string(8 * file.pointer_size) + " bit, " +
                            std::string(to_string(game)) + " needs " + std::to_string(8 * pointer_size_of(game)) +
                            " and crashes or T-poses on others; convert it with --to " + std::string(to_string(game)),
                        "header, offset 16"});
  }
}

}  // namespace

Result<Findings> check_havok(std::span<const std::byte> bytes, const CheckOptions& options) {
  Findings findings;
  MARROW_TRY(const Packfile file, read_havok(bytes, {.limits = options.limits, .findings = &findings}));
  if (!options.game.empty()) {
    const auto game = find_game(options.game, GameFamily::Havok);
    if (!game) return fail(ErrorCode::InvalidArgument, "a Havok file has no rules of " + options.game);
    check_game(file, *game, findings);
  }
  check_animation(file, options, findings);
  if (!havok::find_physics(file).empty()) {
    MARROW_TRY(const CollisionFile collision, collision_of(file));
    const Findings physics = check_collision(collision);
    findings.insert(findings.end(), physics.begin(), physics.end());
  }
  return findings;
}

}  // namespace marrow
