// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "check/facts.h"

namespace torchpkg {

/// How the loader looks for the libraries of an ELF file within the package.

/// The folders of a file's RPATH, or of its RUNPATH if it has one, without those that do not begin
/// with $ORIGIN: "lib", "." for the package's root, "../x" for what lies beside the package.
std::vector<std::string> rpath_folders(const ElfFacts& elf);

/// The folder that one entry of an RPATH stands for; empty when it does not begin with $ORIGIN.
std::string rpath_folder(const ElfFacts& elf, const std::string& entry);

/// The path at which a file's own RPATH finds a library; empty when it does not.
std::string found_by_rpath(const Facts& facts, const ElfFacts& elf, const std::string& name);

/// Whether another package brings a library of a backend's: one of NVIDIA's wheels, to whose folder
/// the file's RPATH leads, or any package of conda.
bool comes_from_elsewhere(const Facts& facts, const ElfFacts& elf, const std::string& library);

/// Where a file of that name lies in the package; empty when it does not.
std::string place_of(const Facts& facts, const std::string& name);

}  // namespace torchpkg
