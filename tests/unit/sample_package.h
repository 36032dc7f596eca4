// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace torchpkg::test {

/// Compiles a small stand-in of libtorch with real libraries below `folder`, and writes everything
/// that a package has. Returns the stage, `folder/libtorch`, which passes every check.
///
/// lib/libtorch_cpu.so needs libc10.so, libhelper.so.1 and libgomp.so.1, which are bundled;
/// bin/tool needs libtorch_cpu.so. The debug information is in `folder/debug`.
std::filesystem::path make_sample_package(const std::filesystem::path& folder);

/// The same as a static package: libtorch_cpu.a, libc10.a, and libothers.a, which has what they
/// need.
std::filesystem::path make_static_sample_package(const std::filesystem::path& folder);

/// Moves the debug information of a library of the package into its debug folder.
void split_debug_information(const std::filesystem::path& library,
                             const std::filesystem::path& debug);

/// libc10's source, to be compiled again in a wrong way.
extern const char* const kC10Source;

/// The manifest of the sample package.
nlohmann::json sample_manifest();

}  // namespace torchpkg::test
