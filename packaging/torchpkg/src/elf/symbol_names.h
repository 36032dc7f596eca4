// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>

namespace torchpkg {

/// The outermost namespace (or class) that a mangled C++ name lies in: "at", "c10", "std"; of a
/// table or a guard, that of what it belongs to. Empty for a name outside all namespaces and
/// for one of C.
std::string_view namespace_of(std::string_view mangled);

/// Whether a name is mangled as C++ names are.
inline bool is_cxx_name(std::string_view name) { return name.starts_with("_Z"); }

/// Whether the standard library or the compiler's run-time library is where a C++ name must come
/// from: those of std, __gnu_cxx and __cxxabiv1, and operator new and delete.
bool is_standard_cxx(std::string_view mangled);

/// Whether a name is of a place in the file that the linker names itself: where data begin and end.
/// Older linkers export these from every library, newer ones from those that ask for them.
bool is_made_by_linker(std::string_view name);

/// A number that stands for a name where millions of them are compared.
std::uint64_t name_hash(std::string_view name);

}  // namespace torchpkg
