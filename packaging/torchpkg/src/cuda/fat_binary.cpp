// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/fat_binary.h"

#include <fmt/core.h>

#include <algorithm>

#include "common/error.h"

namespace torchpkg {

namespace {

constexpr std::uint32_t kFatBinaryMagic = 0xBA55ED50;
constexpr std::uint64_t kHeaderSize = 16;
constexpr std::uint64_t kEntryHeaderSize = 64;  // the least; newer toolkits append to it

std::uint64_t number_at(Bytes bytes, std::uint64_t at, unsigned size) {
  std::uint64_t value = 0;
  for (unsigned i = size; i-- > 0;) value = value << 8U | bytes[at + i];
  return value;
}

[[noreturn]] void fail(std::uint64_t at, const std::string& what) {
  throw Error(ExitCode::kBadInput, fmt::format("byte {}: {}", at, what), "build it again");
}

CodeTarget target_of(Bytes entry) {
  CodeTarget target;
  switch (number_at(entry, 0, 2)) {
    case 1:
      target.kind = CodeKind::kPtx;
      break;
    case 2:
      target.kind = CodeKind::kSass;
      break;
    case 8:
      target.kind = CodeKind::kLtoIr;
      break;
    default:
      target.kind = CodeKind::kOther;
  }
  target.arch.number = static_cast<std::uint32_t>(number_at(entry, 28, 4));
  const std::uint64_t flags = number_at(entry, 40, 8);
  if ((flags >> 20U & 1U) != 0) target.arch.variant = 'a';
  if ((flags >> 21U & 1U) != 0) target.arch.variant = 'f';
  return target;
}

}  // namespace

bool is_fat_binary(Bytes bytes) {
  return bytes.size() >= 4 && number_at(bytes, 0, 4) == kFatBinaryMagic;
}

FatBinary read_fat_binary(Bytes bytes, std::uint64_t at) {
  if (!is_fat_binary(bytes)) fail(at, "no fat binary begins here");
  if (bytes.size() < kHeaderSize) fail(at, "the header of a fat binary is cut off");
  const std::uint64_t version = number_at(bytes, 4, 2);
  if (version != 1) fail(at, fmt::format("a fat binary of version {} is not known", version));
  const std::uint64_t begin = number_at(bytes, 6, 2);
  const std::uint64_t content = number_at(bytes, kFatBinarySizeAt, 8);
  if (begin < kHeaderSize || begin > bytes.size() || content > bytes.size() - begin) {
    fail(at, fmt::format("a fat binary of {} bytes runs over the end", content));
  }
  FatBinary found;
  found.header = begin;
  found.size = begin + content;
  std::uint64_t next = begin;
  while (next < found.size) {
    const Bytes rest = bytes.subspan(next, found.size - next);
    if (rest.size() < kEntryHeaderSize) fail(at + next, "the header of an entry is cut off");
    const std::uint64_t header = number_at(rest, 4, 4);
    const std::uint64_t size = number_at(rest, 8, 8);
    if (header < kEntryHeaderSize || header > rest.size() || size > rest.size() - header) {
      fail(at + next, fmt::format("an entry of {} and {} bytes runs over the end of its fat binary",
                                  header, size));
    }
    found.entries.push_back({target_of(rest), next, header + size});
    next += header + size;
  }
  return found;
}

std::vector<CodeTarget> FatBinary::targets() const {
  std::vector<CodeTarget> all;
  all.reserve(entries.size());
  for (const Entry& entry : entries) all.push_back(entry.target);
  return all;
}

bool is_section_of_fat_binaries(std::string_view section) {
  return section == ".nv_fatbin" || section == "__nv_relfatbin";
}

void for_each_fat_binary(Bytes section,
                         const std::function<void(std::uint64_t, const FatBinary&)>& visit) {
  auto next = section.begin();
  while ((next = std::find_if(next, section.end(), [](auto byte) { return byte != 0; })) !=
         section.end()) {
    const auto at = static_cast<std::uint64_t>(next - section.begin());
    const FatBinary found = read_fat_binary(section.subspan(at), at);
    visit(at, found);
    next += static_cast<std::ptrdiff_t>(found.size);
  }
}

}  // namespace torchpkg
