// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

#include "zip/pack.h"

namespace torchpkg::wheel {

struct PackWheelOptions : zip::CompressionOptions {
  std::filesystem::path root;    ///< what is to lie in site-packages, with one *.dist-info
  std::filesystem::path output;  ///< the folder for the wheel
  std::string python = "py3";    ///< Python tag: "cp311"
  std::string abi = "none";      ///< ABI tag: "cp311"
  std::string build;             ///< build tag, which begins with a digit: "1large"; none: empty
  std::string generator;         ///< what WHEEL says that it was made with
};

/// Packs a wheel: writes WHEEL and RECORD, names the file after METADATA and the tags. The root is
/// not changed. The bytes depend only on names, content, executable bits, the options and
/// SOURCE_DATE_EPOCH. Returns the wheel's path.
/// https://packaging.python.org/en/latest/specifications/binary-distribution-format/
///
/// Errors: kBadInput for a root without, or with several, *.dist-info; METADATA without Name or
/// Version, or not agreeing with the folder's name; a symlink (wheels have none); an extension
/// module for another Python. kUsage for a malformed tag. Else as zip::pack().
std::filesystem::path pack_wheel(const PackWheelOptions& options);

}  // namespace torchpkg::wheel
