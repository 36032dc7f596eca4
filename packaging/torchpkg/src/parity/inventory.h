// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checks/package_source.h"
#include "parity/wheel_fields.h"

namespace torchpkg {

/// What a file is for, which decides what it is compared with.
enum class FileKind {
  kLibrary,
  kStaticLibrary,
  kModule,  ///< extension module of Python
  kProgram,
  kHeader,
  kCMake,
  kPython,
  kLicence,
  kOther
};

/// "library", "static library", "header"...
const char* name_of(FileKind kind);

/// A library or extension module, and what programs see of it.
struct InventoryLibrary {
  std::string path;
  std::string soname;
  std::uint64_t size = 0;
  std::map<std::string, std::uint64_t> sections;
  std::vector<std::string> symbols;  ///< exported (of a static library: in its index), sorted
};

/// A file's kind and role. Two files of two packages correspond when both are equal: the role of
/// `usr/lib/x86_64-linux-gnu/libc10.so.2.6.0` and of `lib/libc10.so` is `libc10.so`, that of a
/// header is its path below include/, that of a CMake file its path below cmake/. In roles of a
/// wheel are neither its version nor what names the Python and the platform:
/// `torch/_C.cpython-311-x86_64-linux-gnu.so` is `torch/_C.so`.
using FileKey = std::pair<FileKind, std::string>;

/// What a package holds, in a form in which packages of different layouts can be compared.
struct Inventory {
  std::string name;
  bool distribution = false;             ///< laid out as a distribution's packages: below usr/
  std::size_t left_out = 0;              ///< files of a distribution that are not PyTorch's
  std::map<FileKey, std::string> files;  ///< and the SHA-256 of each; none of compiled ones
  std::map<std::string, InventoryLibrary> libraries;  ///< and extension modules; by role
  std::optional<WheelFields> wheel;
};

/// The kind and role of a file of a package.
FileKey key_of(std::string_view path);

/// Reads a package: one that is packed, a folder, or the tree of a distribution's packages. Of the
/// last, which may hold much else, only what is PyTorch's by its name, or has the role of a file in
/// `like`, is taken. Errors: kBadInput when it is damaged or has nothing of PyTorch inside.
Inventory take_inventory(const PackageSource& source, std::string name, const Inventory* like,
                         unsigned jobs);

}  // namespace torchpkg
