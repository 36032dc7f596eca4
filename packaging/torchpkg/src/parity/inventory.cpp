// SPDX-License-Identifier: BSD-3-Clause
#include "parity/inventory.h"

#include <algorithm>
#include <array>
#include <mutex>

#include "common/error.h"
#include "common/parallel.h"
#include "common/sha256.h"
#include "common/text.h"
#include "elf/ar_archive.h"
#include "elf/elf_image.h"

namespace torchpkg {

namespace {

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// What lies below a folder of that name, the first one in the path; empty when there is none.
std::string_view below(std::string_view path, std::string_view folder) {
  const std::string inner = "/" + std::string(folder) + "/";
  if (path.starts_with(inner.substr(1))) return path.substr(folder.size() + 1);
  const std::size_t at = path.find(inner);
  return at == std::string_view::npos ? std::string_view{} : path.substr(at + inner.size());
}

bool is_hash(std::string_view text) {
  return text.size() == 8 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// `libgomp-a34b3233.so.1.0.0` is `libgomp.so`.
std::string library_role(std::string_view name) {
  std::string_view stem = name.substr(0, name.find(".so"));
  const std::size_t dash = stem.rfind('-');
  if (dash != std::string_view::npos && is_hash(stem.substr(dash + 1))) stem = stem.substr(0, dash);
  return std::string(stem) + ".so";
}

/// `_C.cpython-311-x86_64-linux-gnu.so`, `_C.abi3.so`.
bool is_module(std::string_view name) { return name.ends_with(".so") && !name.starts_with("lib"); }

bool is_shared_library(std::string_view name) {
  const std::size_t at = name.find(".so");
  return name.starts_with("lib") && at != std::string_view::npos &&
         name.find_first_not_of(".0123456789", at + 3) == std::string_view::npos;
}

std::string_view first_part(std::string_view path) { return path.substr(0, path.find('/')); }

/// The path below `torch-2.6.0+cpu.dist-info/` of a wheel; empty for other files.
std::string_view below_dist_info(std::string_view path) {
  constexpr std::string_view kEnd = ".dist-info";
  if (!path.starts_with("../")) return {};
  path.remove_prefix(3);
  return first_part(path).ends_with(kEnd) ? path.substr(path.find('/') + 1) : std::string_view{};
}

/// Whether each build of the same source gives other bytes.
bool is_compiled(FileKind kind) {
  return kind == FileKind::kLibrary || kind == FileKind::kStaticLibrary ||
         kind == FileKind::kModule || kind == FileKind::kProgram;
}

bool is_own_folder(std::string_view name) {
  constexpr std::array<std::string_view, 6> kFolders = {"ATen",  "c10",   "caffe2",
                                                        "torch", "Torch", "Caffe2"};
  return std::find(kFolders.begin(), kFolders.end(), name) != kFolders.end();
}

bool is_own_library(std::string_view name) {
  return name.starts_with("libtorch") || name.starts_with("libc10") ||
         name.starts_with("libcaffe2") || name.starts_with("libshm");
}

/// Chooses from a distribution's tree.
class Filter {
 public:
  explicit Filter(const Inventory* like) : like_(like) {
    if (like == nullptr) return;
    for (const auto& [key, sha256] : like->files) {
      const auto& [kind, role] = key;
      const bool in_folder = role.find('/') != std::string::npos;
      if ((kind == FileKind::kHeader || kind == FileKind::kCMake) && in_folder) {
        folders_.emplace(kind, std::string(first_part(role)));
      }
    }
  }

  [[nodiscard]] bool wants(const FileKey& key) const {
    const auto& [kind, role] = key;
    if (like_ != nullptr && like_->files.count(key) != 0) return kind != FileKind::kOther;
    switch (kind) {
      case FileKind::kLibrary:
      case FileKind::kStaticLibrary:
        return is_own_library(role);
      case FileKind::kHeader:
      case FileKind::kCMake: {
        const std::string folder(first_part(role));
        return is_own_folder(folder) || folders_.count({kind, folder}) != 0;
      }
      case FileKind::kModule:
      case FileKind::kProgram:
      case FileKind::kPython:
      case FileKind::kLicence:
      case FileKind::kOther:
        break;
    }
    return false;
  }

 private:
  const Inventory* like_;
  std::set<FileKey> folders_;
};

InventoryLibrary read_library(const std::string& path, Bytes bytes) {
  InventoryLibrary library;
  library.path = path;
  library.size = bytes.size();
  if (is_ar(bytes)) {
    for (const std::string_view name : ArArchive(bytes, path).index()) {
      library.symbols.emplace_back(name);
    }
  } else if (is_elf(bytes)) {
    const ElfImage image(bytes, path);
    library.soname = image.dynamic().soname;
    for (const Section& section : image.sections()) library.sections[section.name] += section.size;
    image.for_each_symbol(SymbolTable::kDynamic, [&library](const Symbol& symbol) {
      if (symbol.exported) library.symbols.emplace_back(symbol.name);
    });
  }
  std::sort(library.symbols.begin(), library.symbols.end());
  library.symbols.erase(std::unique(library.symbols.begin(), library.symbols.end()),
                        library.symbols.end());
  return library;
}

bool is_distribution(const std::vector<PackageFile>& files) {
  bool below_usr = false;
  for (const PackageFile& file : files) {
    if (file.path == "build-version") return false;
    below_usr = below_usr || file.path.starts_with("usr/");
  }
  return below_usr;
}

}  // namespace

const char* name_of(FileKind kind) {
  switch (kind) {
    case FileKind::kLibrary:
      return "library";
    case FileKind::kStaticLibrary:
      return "static library";
    case FileKind::kModule:
      return "extension module";
    case FileKind::kProgram:
      return "program";
    case FileKind::kHeader:
      return "header";
    case FileKind::kCMake:
      return "CMake file";
    case FileKind::kPython:
      return "Python file";
    case FileKind::kLicence:
      return "licence text";
    case FileKind::kOther:
      break;
  }
  return "other file";
}

FileKey key_of(std::string_view path) {
  const std::string_view name = file_name(path);
  if (const std::string_view info = below_dist_info(path); !info.empty()) {
    if (info.starts_with("licenses/")) return {FileKind::kLicence, std::string(info.substr(9))};
    // Where they lay before there was a folder for them.
    if (info == "LICENSE" || info == "NOTICE") return {FileKind::kLicence, std::string(info)};
    return {FileKind::kOther, "*.dist-info/" + std::string(info)};
  }
  if (const std::string_view header = below(path, "include"); !header.empty()) {
    // A distribution may have a folder for the machine in between.
    const bool machine = first_part(header).find("-linux-") != std::string_view::npos;
    return {FileKind::kHeader,
            std::string(machine ? header.substr(first_part(header).size() + 1) : header)};
  }
  if (const std::string_view config = below(path, "cmake"); !config.empty()) {
    return {FileKind::kCMake, std::string(config)};
  }
  if (is_shared_library(name)) return {FileKind::kLibrary, library_role(name)};
  if (name.starts_with("lib") && name.ends_with(".a")) {
    return {FileKind::kStaticLibrary, std::string(name)};
  }
  if (is_module(name)) {
    const std::string whole = name_in_wheel(std::string(path));
    const std::size_t at = whole.size() - name.size();
    return {FileKind::kModule, whole.substr(0, whole.find('.', at)) + ".so"};
  }
  if (name.ends_with(".py") || name.ends_with(".pyi")) {
    return {FileKind::kPython, name_in_wheel(std::string(path))};
  }
  if (!below(path, "bin").empty()) return {FileKind::kProgram, std::string(name)};
  if (const std::string_view text = below(path, "licenses"); !text.empty()) {
    return {FileKind::kLicence, std::string(text)};
  }
  return {FileKind::kOther, std::string(path)};
}

Inventory take_inventory(const PackageSource& source, std::string name, const Inventory* like,
                         unsigned jobs) {
  if (!source.archive_problems().empty()) {
    throw Error(ExitCode::kBadInput, source.archive_problems().front(),
                "give a whole package to compare with");
  }
  Inventory inventory;
  inventory.name = std::move(name);
  const std::vector<PackageFile>& files = source.files();
  inventory.distribution = is_distribution(files);
  if (source.is_wheel()) inventory.wheel.emplace();
  const Filter filter(like);
  std::vector<std::size_t> to_read;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i].symlink) continue;  // what it leads to counts
    FileKey key = key_of(files[i].path);
    if (inventory.distribution && !filter.wants(key)) {
      ++inventory.left_out;
      continue;
    }
    to_read.push_back(i);
    inventory.files.emplace(std::move(key), "");
  }
  if (inventory.files.empty()) {
    throw Error(ExitCode::kBadInput, "nothing of PyTorch is inside",
                "give a libtorch package or a wheel, its folder, or a distribution's packages "
                "unpacked");
  }
  std::stable_sort(to_read.begin(), to_read.end(), [&files](std::size_t a, std::size_t b) {
    return files[a].size > files[b].size;
  });
  std::mutex mutex;
  for_each_parallel(to_read.size(), jobs, [&](std::size_t i) {
    const PackageFile& file = files[to_read[i]];
    const FileKey key = key_of(file.path);
    if (key.first == FileKind::kProgram) return;
    source.with_content(to_read[i], [&](Bytes bytes) {
      if (is_compiled(key.first)) {
        InventoryLibrary library = read_library(file.path, bytes);
        const std::lock_guard lock(mutex);
        inventory.libraries.emplace(key.second, std::move(library));
        return;
      }
      const std::string sha256 = sha256_hex(bytes);
      const std::lock_guard lock(mutex);
      inventory.files[key] = sha256;
      if (!inventory.wheel) return;
      if (key.second == "*.dist-info/METADATA") add_metadata(as_text(bytes), *inventory.wheel);
      if (key.second == "*.dist-info/entry_points.txt") {
        add_entry_points(as_text(bytes), *inventory.wheel);
      }
    });
  });
  return inventory;
}

}  // namespace torchpkg
