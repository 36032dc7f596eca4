// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

#include "zip/pack.h"

namespace torchpkg::wheel {

/// `torchpkg pack wheel --help` describes them.
struct PackWheelOptions : zip::CompressionOptions {
  std::filesystem::path root;
  std::filesystem::path output;
  std::string python = "py3";
  std::string abi = "none";
  std::string build;
  std::string generator;  ///< what WHEEL says that it was made with
};

/// Packs a wheel and returns its path. The root is not changed.
/// https://packaging.python.org/en/latest/specifications/binary-distribution-format/
///
/// Errors: kBadInput for a root without, or with several, *.dist-info; METADATA without Name or
/// Version, or not agreeing with the folder's name; a symlink (wheels have none); an extension
/// module for another Python. kUsage for a malformed tag. Else as zip::pack().
std::filesystem::path pack_wheel(const PackWheelOptions& options);

}  // namespace torchpkg::wheel
