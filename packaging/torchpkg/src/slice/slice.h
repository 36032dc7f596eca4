// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace torchpkg {

/// `torchpkg slice --help` describes them.
struct SliceOptions {
  std::vector<std::filesystem::path> paths;
  std::vector<std::string> archs;
  bool in_place = false;
  unsigned jobs = 0;
};

/// Keeps the device code for some GPUs in all ELF files and static libraries that the paths name or
/// have below them, and drops the rest; read_slice() says what is kept. NVIDIA's own libraries are
/// left as they are: the licences allow only unmodified ones to be passed on. Names of one file are
/// changed once and stay names of one file. Returns the report: a line for each file with device
/// code, and their sum.
/// Errors, all before anything is written: kUsage for an architecture that is none; kBadInput for
/// one that nothing in the file with most fat binaries serves, and for what read_slice() refuses.
/// Later: kEnvironment; Interrupted, after which each file is the old or the new one and a second
/// run does the rest.
std::string slice(const SliceOptions& options);

}  // namespace torchpkg
