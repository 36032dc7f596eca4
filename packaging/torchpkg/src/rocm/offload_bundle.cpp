// SPDX-License-Identifier: BSD-3-Clause
#include "rocm/offload_bundle.h"

#include <fmt/core.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <string_view>

#include "common/error.h"

namespace torchpkg {

namespace {

constexpr std::string_view kMagic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view kCompressedMagic = "CCOB";
/// The table of a bundle for a hundred GPUs is less than that; more is not uncompressed.
constexpr std::size_t kTableSize = 64U * 1024U;

std::uint64_t number_at(Bytes bytes, std::uint64_t at, unsigned size) {
  std::uint64_t value = 0;
  for (unsigned i = size; i-- > 0;) value = value << 8U | bytes[at + i];
  return value;
}

[[noreturn]] void fail(std::uint64_t at, const std::string& what) {
  throw Error(ExitCode::kBadInput, fmt::format("byte {}: {}", at, what), "build it again");
}

/// "gfx90a" of "hipv4-amdgcn-amd-amdhsa--gfx90a"; empty for the host's entry.
std::string target_of(std::string_view name) {
  const std::size_t dashes = name.find("--");
  if (name.starts_with("host-") || dashes == std::string_view::npos) return {};
  return std::string(name.substr(dashes + 2));
}

/// The table at the beginning of `bytes`, which are `whole` bytes long when all of them are there.
void read_table(Bytes bytes, std::uint64_t whole, std::uint64_t at, OffloadBundle& bundle) {
  std::uint64_t next = kMagic.size();
  const auto take = [&bytes, &next, at]() {
    if (bytes.size() - next < 8) fail(at, "the table of an offload bundle is cut off");
    next += 8;
    return number_at(bytes, next - 8, 8);
  };
  std::uint64_t entries = take();
  std::uint64_t end = next;
  for (; entries > 0; --entries) {
    const std::uint64_t offset = take();
    const std::uint64_t size = take();
    const std::uint64_t length = take();
    if (length > bytes.size() - next) fail(at, "the table of an offload bundle is cut off");
    const std::string target = target_of(as_text(bytes.subspan(next, length)));
    next += length;
    if (offset > whole || size > whole - offset) {
      fail(at, fmt::format("an entry of {} bytes runs over the end of its offload bundle", size));
    }
    if (!target.empty()) bundle.targets.push_back(target);
    end = std::max({end, next, offset + size});
  }
  if (!bundle.compressed) bundle.size = end;
}

/// What is inside, as far as its first kTableSize bytes, and how many bytes of the data it took.
struct Uncompressed {
  std::vector<std::uint8_t> table;
  std::uint64_t used = 0;
};

/// `to_the_end`: goes on behind the table, for `used`.
Uncompressed uncompress_zlib(Bytes data, bool to_the_end) {
  Uncompressed result;
  std::vector<std::uint8_t> part(kTableSize);
  z_stream stream{};
  if (::inflateInit(&stream) != Z_OK) return result;
  stream.next_in = const_cast<std::uint8_t*>(data.data());  // zlib does not write there
  stream.avail_in = static_cast<uInt>(std::min<std::uint64_t>(data.size(), UINT32_MAX));
  int status = Z_OK;
  do {
    stream.next_out = part.data();
    stream.avail_out = static_cast<uInt>(part.size());
    status = ::inflate(&stream, Z_NO_FLUSH);
    part.resize(part.size() - stream.avail_out);
    if (result.table.empty()) result.table = part;
    part.resize(kTableSize);
  } while (status == Z_OK && to_the_end);
  result.used = stream.total_in;
  ::inflateEnd(&stream);
  return result;
}

Uncompressed uncompress_zstd(Bytes data, bool to_the_end) {
  Uncompressed result;
  result.table.resize(kTableSize);
  ZSTD_DStream* stream = ::ZSTD_createDStream();
  ZSTD_inBuffer in{data.data(), data.size(), 0};
  ZSTD_outBuffer out{result.table.data(), result.table.size(), 0};
  std::size_t status = 1;
  while (status != 0 && ::ZSTD_isError(status) == 0 && out.pos < out.size && in.pos < in.size) {
    status = ::ZSTD_decompressStream(stream, &out, &in);
  }
  ::ZSTD_freeDStream(stream);
  result.table.resize(out.pos);
  if (to_the_end) {
    const std::size_t size = ::ZSTD_findFrameCompressedSize(data.data(), data.size());
    result.used = ::ZSTD_isError(size) != 0 ? 0 : size;
  }
  return result;
}

OffloadBundle read_compressed(Bytes bytes, std::uint64_t at) {
  if (bytes.size() < 8) fail(at, "the header of a compressed offload bundle is cut off");
  const std::uint64_t version = number_at(bytes, 4, 2);
  const std::uint64_t method = number_at(bytes, 6, 2);
  if (version < 1 || version > 3 || method > 1) {
    fail(at, fmt::format("a compressed offload bundle of version {} and method {} is not known",
                         version, method));
  }
  const unsigned width = version == 3 ? 8 : 4;
  const std::uint64_t header = version == 1 ? 20 : 8 + 2 * width + 8;
  if (bytes.size() < header) fail(at, "the header of a compressed offload bundle is cut off");
  OffloadBundle bundle;
  bundle.compressed = true;
  const std::uint64_t whole = number_at(bytes, version == 1 ? 8 : 8 + width, width);
  if (version != 1) bundle.size = number_at(bytes, 8, width);
  if (version != 1 && (bundle.size < header || bundle.size > bytes.size())) {
    fail(at, fmt::format("a compressed offload bundle of {} bytes runs over the end", bundle.size));
  }
  const Bytes data =
      bytes.subspan(header, version == 1 ? bytes.size() - header : bundle.size - header);
  const Uncompressed inside =
      method == 0 ? uncompress_zlib(data, version == 1) : uncompress_zstd(data, version == 1);
  if (version == 1) bundle.size = header + inside.used;  // it does not say where it ends
  if (!as_text(inside.table).starts_with(kMagic)) {
    fail(at, "an offload bundle cannot be uncompressed");
  }
  read_table(inside.table, whole, at, bundle);
  return bundle;
}

}  // namespace

bool is_offload_bundle(Bytes bytes) {
  const std::string_view text = as_text(bytes);
  return text.starts_with(kMagic) || text.starts_with(kCompressedMagic);
}

OffloadBundle read_offload_bundle(Bytes bytes, std::uint64_t at) {
  if (!is_offload_bundle(bytes)) fail(at, "no offload bundle begins here");
  if (as_text(bytes).starts_with(kCompressedMagic)) return read_compressed(bytes, at);
  OffloadBundle bundle;
  read_table(bytes, bytes.size(), at, bundle);
  return bundle;
}

}  // namespace torchpkg
