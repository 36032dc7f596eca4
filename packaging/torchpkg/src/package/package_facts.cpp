// SPDX-License-Identifier: BSD-3-Clause
#include "package/package_facts.h"

#include <fmt/core.h>

#include <algorithm>
#include <mutex>
#include <optional>

#include "common/error.h"
#include "common/sha256.h"
#include "common/unpack_limits.h"
#include "elf/host_elf.h"
#include "package/header_versions.h"
#include "package/paths_in.h"

namespace torchpkg {

namespace {

constexpr std::string_view kDistInfo = ".dist-info/";

bool is_torch_cpu(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name == "libtorch_cpu.so" || name.starts_with("libtorch_cpu.so.");
}

/// `path`: in one of the package's roots().
bool is_wanted_text(std::string_view path) {
  return path == "info/index.json" || path == "info/paths.json" || path == "info/files" ||
         path == "info/has_prefix" || path.ends_with(".cmake") || path.ends_with(".pc") ||
         path == "build-version" || path == "build-hash" || path.ends_with("torch/version.h") ||
         path == "version.py" || path == kCudaConfigHeader || is_header_with_version(path) ||
         is_bill(path) ||
         (path.find(kDistInfo) != std::string_view::npos &&
          path.find('/', path.find(kDistInfo)) == path.rfind('/'));
}

/// `libc10.so`, `libgomp.so.1`.
bool has_name_of_library(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  const std::size_t end = name.rfind(".so");
  return name.starts_with("lib") && end != name.npos &&
         name.find_first_not_of(".0123456789", end + 3) == name.npos;
}

/// Gathers the facts of single files; used by several threads.
class Gatherer {
 public:
  explicit Gatherer(PackageFacts& facts) : facts_(facts) {}

  void read(std::size_t index, Bytes bytes) {
    const PackageFile& file = facts_.files[index];
    std::vector<std::string> forbidden;
    if (file.path != facts_.roots[0] + "manifest.json")
      forbidden = paths_in(bytes, facts_.forbidden_looked_for);
    std::optional<ElfFacts> elf;
    std::optional<ArchiveFacts> archive;
    std::optional<CudaFacts> cuda;
    std::optional<HipFacts> hip;
    std::optional<ThirdPartyExports> exports;
    std::string damage;
    const std::string sha256 = sha256_hex(bytes);
    try {
      if (is_host_elf(file.path, bytes))
        elf = read_elf_facts(file.path, bytes, is_torch_cpu(file.path));
      if (!elf && !file.symlink && has_name_of_library(file.path)) {
        damage = file.path + " is not an ELF file, as a library must be";
      }
      if (is_ar(bytes)) archive = read_archive_facts(file.path, bytes);
      if (facts_.manifest.cuda && (elf || archive)) cuda = read_cuda_facts(file.path, bytes);
      if (facts_.manifest.rocm && elf) hip = read_hip_facts(file.path, bytes);
      if (facts_.manifest.symbols && elf && !is_bundled(elf->file_name())) {
        exports = read_third_party_exports(file.path, bytes, *facts_.manifest.symbols);
      }
    } catch (const Error& error) {
      damage = error.what();
    }
    const std::lock_guard lock(mutex_);
    for (std::string& text : forbidden) facts_.forbidden.push_back({file.path, std::move(text)});
    if (elf) facts_.elves.push_back(std::move(*elf));
    if (archive) facts_.archives.push_back(std::move(*archive));
    if (cuda) facts_.cuda.push_back(std::move(*cuda));
    if (hip) facts_.hip.push_back(std::move(*hip));
    if (exports) facts_.third_party_exports.push_back(std::move(*exports));
    if (!damage.empty()) facts_.damaged_elves.push_back(std::move(damage));
    facts_.sha256[file.path] = sha256;
    if (is_wanted(file.path)) facts_.texts[file.path] = as_text(bytes);
  }

  [[nodiscard]] bool is_wanted(const std::string& path) const {
    if (facts_.conda && path.starts_with("bin/")) return true;
    return std::any_of(facts_.roots.begin(), facts_.roots.end(), [&](const std::string& root) {
      return path.starts_with(root) && is_wanted_text(path.substr(root.size()));
    });
  }

 private:
  [[nodiscard]] bool is_bundled(const std::string& name) const {
    const std::vector<ManifestBundled>& bundled = facts_.manifest.bundled;
    return std::any_of(bundled.begin(), bundled.end(),
                       [&name](const ManifestBundled& library) { return library.file == name; });
  }

  PackageFacts& facts_;
  std::mutex mutex_;
};

void add(const CodeFacts& more, CodeFacts& all) {
  all.defines_openmp |= more.defines_openmp;
  all.calls_dlopen |= more.calls_dlopen;
  all.avx2_symbols += more.avx2_symbols;
  all.avx512_symbols += more.avx512_symbols;
  all.components.insert(more.components.begin(), more.components.end());
}

Manifest read_manifest(const PackageSource& source) {
  const std::optional<std::string> text = source.manifest();
  if (text) return parse_manifest(*text, source.roots()[0] + "manifest.json");
  throw Error(ExitCode::kBadInput,
              fmt::format("the package has no {}manifest.json", source.roots()[0]),
              "give a package that torch-superbuild has made");
}

}  // namespace

bool is_bill(std::string_view path) {
  for (const std::string_view format : {".spdx.json", ".cdx.json"}) {
    if (!path.ends_with(format)) continue;
    path.remove_suffix(format.size());
    return path == "sbom" || path.ends_with("/sbom") || path.ends_with(".dist-info/sboms/torch");
  }
  return false;
}

const std::string* PackageFacts::dist_info_text(const std::string& file) const {
  return wheel ? text(wheel->dist_info + "/" + file) : nullptr;
}

const std::string* PackageFacts::text(const std::string& path) const {
  for (const std::string& root : roots) {
    if (const std::string* found = text_at(root + path)) return found;
  }
  return nullptr;
}

const std::string* PackageFacts::text_at(const std::string& path) const {
  const auto found = texts.find(path);
  return found == texts.end() ? nullptr : &found->second;
}

const CodeFacts* PackageFacts::torch_cpu() const {
  for (const ArchiveFacts& archive : archives) {
    if (manifest.is_static() && archive.file_name() == "libtorch_cpu.a") return &static_code;
  }
  const auto found = std::find_if(elves.begin(), elves.end(),
                                  [](const ElfFacts& elf) { return is_torch_cpu(elf.path); });
  return found == elves.end() ? nullptr : &found->code;
}

PackageFacts gather_facts(const PackageSource& source, const std::vector<std::string>& forbidden,
                          unsigned jobs) {
  PackageFacts facts;
  facts.is_archive = source.is_archive();
  facts.archive_problems = source.archive_problems();
  facts.files = source.files();
  facts.roots = source.roots();
  if (source.kind() == PackageSource::Kind::kConda) facts.conda.emplace();
  for (const PackageFile& file : facts.files) facts.paths.insert(file.path);
  if (source.kind() == PackageSource::Kind::kWheel) {
    const auto& tops = facts.wheel.emplace(WheelFacts{source.tops(), {}}).tops;
    const auto found = std::find_if(tops.begin(), tops.end(), [](const std::string& top) {
      return (top + "/").ends_with(kDistInfo);
    });
    if (found != tops.end()) facts.wheel->dist_info = relative_to_torch(*found);
  }
  // Nothing else of a damaged or hostile archive is looked at.
  if (!facts.archive_problems.empty()) return facts;
  facts.manifest = read_manifest(source);
  facts.forbidden_looked_for = forbidden;
  facts.forbidden_looked_for.insert(facts.forbidden_looked_for.end(),
                                    facts.manifest.forbidden_paths.begin(),
                                    facts.manifest.forbidden_paths.end());

  Gatherer gatherer(facts);
  for (const PackageFile& file : facts.files) {
    if (gatherer.is_wanted(file.path)) check_text_size(file.path, file.size);
  }
  const std::vector<std::string> unreadable =
      source.read_files(jobs, [&](std::size_t index, Bytes bytes) { gatherer.read(index, bytes); });
  facts.archive_problems.insert(facts.archive_problems.end(), unreadable.begin(), unreadable.end());
  if (facts.conda) facts.conda = read_conda_facts(source.stem(), facts.text_at("info/index.json"));

  const auto by_path = [](const auto& a, const auto& b) { return a.path < b.path; };
  std::sort(facts.elves.begin(), facts.elves.end(), by_path);
  std::sort(facts.archives.begin(), facts.archives.end(), by_path);
  std::sort(facts.cuda.begin(), facts.cuda.end(), by_path);
  std::sort(facts.hip.begin(), facts.hip.end(), by_path);
  std::sort(facts.third_party_exports.begin(), facts.third_party_exports.end(), by_path);
  for (const ArchiveFacts& archive : facts.archives) add(archive.code, facts.static_code);
  std::stable_sort(facts.forbidden.begin(), facts.forbidden.end(), by_path);
  std::sort(facts.damaged_elves.begin(), facts.damaged_elves.end());
  return facts;
}

}  // namespace torchpkg
