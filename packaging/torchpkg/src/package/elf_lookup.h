// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "package/package_facts.h"

namespace torchpkg {

/// How the loader would look for the libraries of an ELF file within the package.

/// Whether an entry of an RPATH begins with $ORIGIN.
bool begins_with_origin(const std::string& entry);

/// The folder in the package that an entry stands for ("lib", "." for the root). A path that
/// begins with ".." is beside the root, which is in the package for a wheel only.
std::filesystem::path folder_of(const PackageFacts& facts, const ElfFacts& elf,
                                const std::string& entry);

/// Whether an RPATH's folder is outside the package.
bool is_outside(const PackageFacts& facts, const std::filesystem::path& folder);

/// The path in the package at which a file's own RPATH finds a library; empty when it does not.
std::string found_by_rpath(const PackageFacts& facts, const ElfFacts& elf, const std::string& name);

/// The same for a name that is completed when it is opened: `libcudnn_ops.so` for
/// libcudnn_ops.so.9.
std::string found_by_rpath_and_version(const PackageFacts& facts, const ElfFacts& elf,
                                       const std::string& beginning);

/// The project of NVIDIA's whose wheel brings a library that a file of our wheel asks for: METADATA
/// asks for the project, and the file's RPATH leads to its folder. Empty when it is not so.
std::string required_wheel_of(const PackageFacts& facts, const ElfFacts& elf,
                              const std::string& library);

/// Where a file of that name lies in the package; empty when it does not.
std::string place_of(const PackageFacts& facts, const std::string& name);

/// Whether the manifest lists a library as copied from somewhere, not compiled here.
bool is_bundled(const PackageFacts& facts, const ElfFacts& elf);

/// Whether a file is a module that a Python loads: `_C.cpython-311-x86_64-linux-gnu.so`.
bool is_extension_module(const std::string& path);

}  // namespace torchpkg
