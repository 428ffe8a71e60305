// SPDX-License-Identifier: MIT
// MOPP code: any bytes are refused, or walked in no more steps than there are bytes. A code that is built from boxes in
// the bytes finds all of them.
#include <cstdint>
#include <cstdlib>
#include <span>

#include "geometry/mesh/mopp.h"
#include "marrow/core/byte_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace marrow;
  using namespace marrow::geometry;
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  const MoppCode any{Vec3(0.0f), 65536.0f, {bytes.begin(), bytes.end()}};
  const auto keys = mopp_keys(any);
  const auto found = query_mopp(any, {Vec3(10.0f), Vec3(20.0f)});
  if (keys && found && found->size() > keys->size()) std::abort();
  (void)check_mopp(any, std::vector<MoppPoints>{{3, {Vec3(1.0f), Vec3(2.0f), Vec3(3.0f)}}});
  ByteReader reader(bytes);
  std::vector<MoppItem> items;
  std::vector<MoppPoints> points;
  while (reader.remaining() >= 8 && items.size() < 500) {
    const float x = reader.i8(), y = reader.i8(), z = reader.i8();
    const Vec3 low(x, y, z);
    const Vec3 high = low + Vec3(reader.u8(), reader.u8(), reader.u8()) / 16.0f;
    reader.skip(2);
    const auto key = static_cast<std::uint32_t>(items.size() * 300);
    items.push_back({key, {low, high}});
    points.push_back({key, {low, high}});
  }
  if (items.empty()) return 0;
  const auto code = build_mopp(items);
  if (!code) std::abort();
  const auto faults = check_mopp(*code, points);
  if (!faults || !faults->empty()) std::abort();
  return 0;
}
