// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// The numbers of the ZIP format (APPNOTE.TXT 6.3) that the writer and the reader share.
namespace torchpkg::zip {

inline constexpr std::uint32_t kLocalHeader = 0x04034b50;
inline constexpr std::uint32_t kCentralHeader = 0x02014b50;
inline constexpr std::uint32_t kDataDescriptor = 0x08074b50;
inline constexpr std::uint32_t kEndRecord = 0x06054b50;
inline constexpr std::uint32_t kZip64EndRecord = 0x06064b50;
inline constexpr std::uint32_t kZip64Locator = 0x07064b50;

inline constexpr std::size_t kLocalHeaderSize = 30;
inline constexpr std::size_t kCentralHeaderSize = 46;
inline constexpr std::size_t kEndRecordSize = 22;
inline constexpr std::size_t kZip64EndRecordSize = 56;
inline constexpr std::size_t kZip64LocatorSize = 20;

inline constexpr std::uint32_t kMax32 = 0xffffffff;
inline constexpr std::uint16_t kMax16 = 0xffff;
inline constexpr std::uint16_t kZip64Extra = 0x0001;
inline constexpr std::uint16_t kUnicodePathExtra = 0x7075;
inline constexpr std::size_t kUnicodePathName = 5;  ///< where the name begins in that field

inline constexpr std::uint16_t kStored = 0;
inline constexpr std::uint16_t kDeflated = 8;

inline constexpr std::uint16_t kFlagEncrypted = 1U << 0U;
inline constexpr std::uint16_t kFlagDescriptor = 1U << 3U;
inline constexpr std::uint16_t kFlagUtf8 = 1U << 11U;

inline constexpr std::uint32_t kTypeMask = 0170000;
inline constexpr std::uint32_t kTypeFolder = 0040000;
inline constexpr std::uint32_t kTypeFile = 0100000;
inline constexpr std::uint32_t kTypeSymlink = 0120000;

/// Appends an unsigned integer, least significant byte first.
template <typename Integer>
void put(std::vector<std::uint8_t>& out, Integer value) {
  static_assert(std::is_unsigned_v<Integer>);
  for (std::size_t i = 0; i < sizeof(Integer); ++i) {
    out.push_back(static_cast<std::uint8_t>(std::uint64_t{value} >> (8 * i)));
  }
}

inline void put_text(std::vector<std::uint8_t>& out, std::string_view text) {
  out.insert(out.end(), text.begin(), text.end());
}

/// Reads an unsigned integer, least significant byte first. The caller checks the bounds.
template <typename Integer>
Integer get(const std::uint8_t* from) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(Integer); ++i) value |= std::uint64_t{from[i]} << (8 * i);
  return static_cast<Integer>(value);
}

}  // namespace torchpkg::zip
