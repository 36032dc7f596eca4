// SPDX-License-Identifier: BSD-3-Clause
#include "checks/debug_facts.h"

#include <fmt/core.h>
#include <libdeflate.h>

#include <algorithm>
#include <filesystem>
#include <mutex>

#include "checks/paths_in.h"
#include "common/error.h"
#include "common/parallel.h"
#include "elf/elf_image.h"

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
  std::mutex mutex;
  const std::vector<PackageFile>& files = source.files();
  for_each_parallel(files.size(), jobs, [&](std::size_t index) {
    const PackageFile& file = files[index];
    if (file.symlink) {
      const std::filesystem::path folder = std::filesystem::path(file.path).parent_path();
      const std::lock_guard lock(mutex);
      facts.links[file.path] = (folder / file.target).lexically_normal().generic_string();
      return;
    }
    try {
      source.with_content(index, [&](Bytes bytes) {
        const std::vector<std::string> found = paths_in(bytes, forbidden);
        const bool elf = is_elf(bytes);
        const DebugFile debug_file = elf ? read_debug_file(file.path, bytes) : DebugFile{};
        const std::lock_guard lock(mutex);
        if (elf) facts.files[file.path] = debug_file;
        for (const std::string& path : found) {
          facts.problems.push_back(fmt::format("{} names {}", file.path, path));
        }
      });
    } catch (const Error& error) {
      if (error.code() != ExitCode::kBadInput) throw;
      const std::lock_guard lock(mutex);
      facts.problems.emplace_back(error.what());
    }
  });
  std::sort(facts.problems.begin(), facts.problems.end());
  return facts;
}

}  // namespace torchpkg
