// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace torchpkg {

/// Whether every host has a library, which is therefore never bundled: the C library's parts and
/// its loader, libgcc_s, libstdc++, the drivers' libraries.
bool is_on_every_host(const std::string& name);

/// Whether a library comes with a GPU's driver, which no package can contain.
bool is_driver_library(std::string_view name);

/// Whether a library is an OpenMP runtime, by its file name or SONAME. Such a library is never
/// renamed: two of them in one process start two teams of threads.
bool is_openmp_runtime(std::string_view name);

}  // namespace torchpkg
