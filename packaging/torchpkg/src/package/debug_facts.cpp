// SPDX-License-Identifier: BSD-3-Clause
#include "package/debug_facts.h"

#include <fmt/core.h>
#include <libdeflate.h>

#include <algorithm>
#include <filesystem>
#include <mutex>

#include "elf/elf_image.h"
#include "elf/host_elf.h"
#include "package/paths_in.h"

namespace torchpkg {

namespace {

DebugFile read_debug_file(const std::string& path, Bytes bytes) {
  const ElfImage image(bytes, path);
  DebugFile file;
  file.build_id = image.build_id();
  file.crc = libdeflate_crc32(0, bytes.data(), bytes.size());
  file.lines = !image.section(".debug_line").empty() || !image.section(".zdebug_line").empty();
  return file;
}

}  // namespace

DebugFacts gather_debug_facts(const PackageSource& source, const std::string& package,
                              const std::vector<std::string>& forbidden, unsigned jobs) {
  DebugFacts facts;
  facts.package = package;
  facts.problems = source.archive_problems();
  const std::vector<PackageFile>& files = source.files();
  for (const PackageFile& file : files) {
    if (!file.symlink) continue;
    const std::filesystem::path folder = std::filesystem::path(file.path).parent_path();
    facts.links[file.path] = (folder / file.target).lexically_normal().generic_string();
  }
  std::mutex mutex;
  const auto look_at = [&](std::size_t index, Bytes bytes) {
    const std::string& path = files[index].path;
    const std::vector<std::string> found = paths_in(bytes, forbidden);
    const bool elf = is_host_elf(path, bytes);
    const DebugFile debug_file = elf ? read_debug_file(path, bytes) : DebugFile{};
    const std::lock_guard lock(mutex);
    if (elf) facts.files[path] = debug_file;
    for (const std::string& one : found) {
      facts.problems.push_back(fmt::format("{} names {}", path, one));
    }
  };
  const std::vector<std::string> unreadable = source.read_files(jobs, look_at);
  facts.problems.insert(facts.problems.end(), unreadable.begin(), unreadable.end());
  std::sort(facts.problems.begin(), facts.problems.end());
  return facts;
}

}  // namespace torchpkg
