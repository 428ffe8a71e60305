// SPDX-License-Identifier: MIT
#include "core/compression.h"

#include <lz4.h>
#include <lz4frame.h>
#include <lz4hc.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>

#include "core/try.h"

namespace marrow {
namespace {

// Neither format can expand further than this.
constexpr std::uint64_t expansion_of(Packing packing) { return packing == Packing::Zlib ? 1032 : 255; }
// How far the output grows at a time, so that a lie about the size costs no memory.
constexpr std::size_t kPiece = std::size_t{1} << 18;

std::unexpected<Error> wrong_size(std::uint64_t claimed, bool is_more) {
  return fail(ErrorCode::Malformed, std::string("unpacks to ") + (is_more ? "more" : "fewer") + " than the " +
                                        std::to_string(claimed) + " bytes that are stated");
}

// Appends up to `count` bytes that nobody has written yet; returns them.
std::span<std::byte> grow(std::vector<std::byte>& out, std::size_t count) {
  const std::size_t at = out.size();
  out.resize(at + count);
  return std::span(out).subspan(at);
}

// Fills the output piece by piece. `step` unpacks into a span and returns how much it wrote; 0 means the end. One byte
// more than claimed is asked for, so that a stream which goes on is noticed.
template <class Step>
Result<void> unpack_in_pieces(std::uint64_t claimed, std::vector<std::byte>& out, const Step& step) {
  const std::size_t start = out.size();
  while (true) {
    const std::uint64_t left = claimed + 1 - (out.size() - start);
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left, kPiece));
    const std::size_t at = out.size();
    MARROW_TRY(const std::size_t written, step(grow(out, count)));
    out.resize(at + written);
    if (out.size() - start > claimed) return wrong_size(claimed, true);
    if (written == 0) break;
  }
  if (out.size() - start < claimed) return wrong_size(claimed, false);
  return {};
}

Result<void> unpack_zlib(std::span<const std::byte> packed, std::uint64_t claimed, std::vector<std::byte>& out) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return fail(ErrorCode::LimitExceeded, "there is no memory to unpack it");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, &inflateEnd);
  // zlib never writes through its input; its type is from before `const`.
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  bool is_over = false;
  return unpack_in_pieces(claimed, out, [&](std::span<std::byte> piece) -> Result<std::size_t> {
    if (is_over) return 0;
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    const int status = inflate(&stream, Z_NO_FLUSH);
    is_over = status == Z_STREAM_END;
    if (!is_over && status != Z_OK && status != Z_BUF_ERROR)
      return fail(ErrorCode::Malformed,
                  std::string("is not a zlib stream") + (stream.msg ? std::string(": ") + stream.msg : std::string()));
    return piece.size() - stream.avail_out;
  });
}

Result<void> unpack_lz4_frame(std::span<const std::byte> packed, std::uint64_t claimed, std::vector<std::byte>& out) {
  LZ4F_dctx* made = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&made, LZ4F_VERSION)))
    return fail(ErrorCode::LimitExceeded, "there is no memory to unpack it");
  const std::unique_ptr<LZ4F_dctx, LZ4F_errorCode_t (*)(LZ4F_dctx*)> context(made, &LZ4F_freeDecompressionContext);
  bool is_over = false;
  return unpack_in_pieces(claimed, out, [&](std::span<std::byte> piece) -> Result<std::size_t> {
    std::size_t filled = 0;
    while (!is_over && filled < piece.size()) {
      std::size_t taken = packed.size(), written = piece.size() - filled;
      const std::size_t status =
          LZ4F_decompress(context.get(), piece.data() + filled, &written, packed.data(), &taken, nullptr);
      if (LZ4F_isError(status))
        return fail(ErrorCode::Malformed, std::string("is not an LZ4 frame: ") + LZ4F_getErrorName(status));
      packed = packed.subspan(taken);
      filled += written;
      is_over = status == 0 || (taken == 0 && written == 0);
    }
    return filled;
  });
}

// A block states no size of its own, so the whole output must be there; the caller has checked that it can be so large.
Result<void> unpack_lz4_block(std::span<const std::byte> packed, std::uint64_t claimed, std::vector<std::byte>& out) {
  const auto most = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
  if (packed.size() > most || claimed > most)
    return fail(ErrorCode::LimitExceeded, "an LZ4 block of more than 2 GB is not supported");
  const std::span<std::byte> room = grow(out, static_cast<std::size_t>(claimed));
  const int written =
      LZ4_decompress_safe(reinterpret_cast<const char*>(packed.data()), reinterpret_cast<char*>(room.data()),
                          static_cast<int>(packed.size()), static_cast<int>(claimed));
  if (written < 0) return fail(ErrorCode::Malformed, "is not an LZ4 block of the size that is stated");
  if (static_cast<std::uint64_t>(written) != claimed) return wrong_size(claimed, false);
  return {};
}

}  // namespace

Result<void> unpack(Packing packing, std::span<const std::byte> packed, std::uint64_t claimed, std::uint64_t most,
                    std::vector<std::byte>& out) {
  if (claimed > most)
    return fail(ErrorCode::LimitExceeded, "would unpack to " + std::to_string(claimed) + " bytes; at most " +
                                              std::to_string(most) + " are unpacked");
  if (claimed / expansion_of(packing) > packed.size())
    return fail(ErrorCode::Malformed, std::to_string(packed.size()) + " bytes cannot unpack to the " +
                                          std::to_string(claimed) + " that are stated");
  switch (packing) {
    case Packing::Zlib: return unpack_zlib(packed, claimed, out);
    case Packing::Lz4Frame: return unpack_lz4_frame(packed, claimed, out);
    case Packing::Lz4Block: return unpack_lz4_block(packed, claimed, out);
  }
  return {};
}

Result<std::vector<std::byte>> pack(Packing packing, std::span<const std::byte> bytes) {
  const auto no_room = [] { return fail(ErrorCode::LimitExceeded, "is too large to be compressed"); };
  std::vector<std::byte> out;
  if (packing == Packing::Zlib) {
    auto size = compressBound(static_cast<uLong>(bytes.size()));
    out.resize(size);
    if (compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                  static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION) != Z_OK)
      return no_room();
    out.resize(size);
    return out;
  }
  if (packing == Packing::Lz4Frame) {
    LZ4F_preferences_t preferences{};
    preferences.frameInfo.blockSizeID = LZ4F_max64KB;
    preferences.frameInfo.blockMode = LZ4F_blockIndependent;
    preferences.compressionLevel = LZ4HC_CLEVEL_DEFAULT;
    out.resize(LZ4F_compressFrameBound(bytes.size(), &preferences));
    const std::size_t size = LZ4F_compressFrame(out.data(), out.size(), bytes.data(), bytes.size(), &preferences);
    if (LZ4F_isError(size)) return no_room();
    out.resize(size);
    return out;
  }
  if (bytes.size() > LZ4_MAX_INPUT_SIZE) return no_room();
  const auto size = static_cast<int>(bytes.size());
  out.resize(static_cast<std::size_t>(LZ4_compressBound(size)));
  out.resize(static_cast<std::size_t>(LZ4_compress_HC(reinterpret_cast<const char*>(bytes.data()),
                                                      reinterpret_cast<char*>(out.data()), size,
                                                      static_cast<int>(out.size()), LZ4HC_CLEVEL_DEFAULT)));
  return out;
}

}  // namespace marrow
