// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <string>
#include <vector>

#include "elf/elf_image.h"

namespace torchpkg::wheel {

/// What one ELF file of a wheel asks of the host.
struct ElfNeeds {
  std::string path;     ///< in the wheel
  std::string machine;  ///< as ElfImage::machine() calls it
  std::vector<std::string> libraries;
  std::vector<NeededVersion> versions;
};

struct PlatformTag {
  std::string tag;     ///< "manylinux_2_35_x86_64", "linux_x86_64", or "any" without ELF files
  std::string reason;  ///< what decided it, one sentence
};

/// The oldest platform that the files run on, decided from what is in them and not from where
/// they were made. `inside`: names of the libraries inside the wheel.
/// manylinux_2_N when every other library is one that is never bundled, and each of their versions
/// is one that those with glibc 2.N have (PEP 600, and the limits of auditwheel's
/// policies: https://github.com/pypa/auditwheel/tree/main/src/auditwheel/policy), N being one for
/// which auditwheel has a policy; linux otherwise.
/// Error: kBadInput when the files are for several machines.
PlatformTag platform_tag(const std::vector<ElfNeeds>& files, const std::set<std::string>& inside);

}  // namespace torchpkg::wheel
