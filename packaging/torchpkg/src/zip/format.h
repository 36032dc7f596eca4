// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

/// The numbers of the ZIP format (APPNOTE.TXT 6.3) that are written.
namespace torchpkg::zip {

inline constexpr std::uint32_t kLocalHeader = 0x04034b50;
inline constexpr std::uint32_t kCentralHeader = 0x02014b50;
inline constexpr std::uint32_t kEndRecord = 0x06054b50;
inline constexpr std::uint32_t kZip64EndRecord = 0x06064b50;
inline constexpr std::uint32_t kZip64Locator = 0x07064b50;
inline constexpr std::uint64_t kZip64EndRecordSize = 44;  ///< without its first 12 bytes

inline constexpr std::uint32_t kMax32 = 0xffffffff;
inline constexpr std::uint16_t kMax16 = 0xffff;
inline constexpr std::uint16_t kZip64Extra = 0x0001;
inline constexpr std::uint16_t kStored = 0;
inline constexpr std::uint16_t kDeflated = 8;
inline constexpr std::uint16_t kFlagUtf8 = 1U << 11U;

inline constexpr std::uint32_t kTypeFolder = 0040000;
inline constexpr std::uint32_t kTypeFile = 0100000;
inline constexpr std::uint32_t kTypeSymlink = 0120000;

/// Appends unsigned integers, each with its least significant byte first.
template <typename... Integers>
void put(std::vector<std::uint8_t>& out, Integers... values) {
  static_assert((std::is_unsigned_v<Integers> && ...));
  const auto put_one = [&out](std::uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    }
  };
  (put_one(values, sizeof(Integers)), ...);
}

inline void put_text(std::vector<std::uint8_t>& out, std::string_view text) {
  out.insert(out.end(), text.begin(), text.end());
}

}  // namespace torchpkg::zip
