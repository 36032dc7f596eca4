// SPDX-License-Identifier: BSD-3-Clause
#include "slice/slice.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "backend/libraries.h"
#include "common/error.h"
#include "common/interrupt.h"
#include "common/parallel.h"
#include "common/text.h"
#include "common/tree.h"
#include "slice/sliced_file.h"

namespace torchpkg {

namespace fs = std::filesystem;

namespace {

/// A file with device code.
struct Work {
  std::set<fs::path> names;  ///< those that the paths reach
  SlicedFile slice;
  std::uint64_t disk_before = 0;  ///< bytes
  std::uint64_t disk_after = 0;
  bool linked_elsewhere = false;  ///< it has more names than these
  bool holes = true;              ///< what was dropped takes no space
};

struct stat status_of(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    throw system_error(path.string() + " cannot be read", errno);
  }
  return status;
}

std::uint64_t disk_size(const struct stat& status) {
  return static_cast<std::uint64_t>(status.st_blocks) * 512;
}

std::vector<WantedArch> gpus_of(const std::vector<std::string>& texts) {
  std::vector<WantedArch> gpus;
  for (const std::string& text : texts) {
    const std::optional<WantedArch> gpu = parse_wanted_arch(text);
    if (!gpu || gpu->arch.variant != 0) {
      throw Error(ExitCode::kUsage, "\"" + text + "\" is not a GPU's compute capability",
                  "give it as in --arch 9.0, or --arch 9.0+PTX to keep PTX as well");
    }
    gpus.push_back(*gpu);
  }
  return gpus;
}

/// The file with most fat binaries decides: PyTorch's smaller libraries lack GPUs that it has, and
/// have code for others, of which a slice would be of no use. Error: kBadInput for a GPU, or PTX,
/// that it has nothing for.
void refuse_unserved(const std::vector<Work>& files, const std::vector<WantedArch>& gpus,
                     const std::vector<fs::path>& in) {
  const auto main =
      std::max_element(files.begin(), files.end(), [](const Work& left, const Work& right) {
        return left.slice.fat_binaries.size() < right.slice.fat_binaries.size();
      });
  if (main == files.end()) {
    const std::vector<std::string> paths(in.begin(), in.end());
    throw Error(ExitCode::kBadInput, join_some(paths, 3) + " has no device code for GPUs of NVIDIA",
                "give PyTorch's libraries for CUDA; NVIDIA's own are left as they are");
  }
  const std::set<CodeTarget>& targets = main->slice.targets;
  const std::vector<CodeTarget> there(targets.begin(), targets.end());
  const auto refuse = [&](const std::string& what) {
    std::vector<std::string> names;
    names.reserve(there.size());
    for (const CodeTarget& code : there) names.push_back(code.name());
    throw Error(
        ExitCode::kBadInput,
        printable(main->names.begin()->string()) + ", which has most of the device code, has " +
            what,
        "it has only " + join(names, ", ") + "; what a slice has dropped is in the original alone");
  };
  const bool ptx = std::any_of(there.begin(), there.end(),
                               [](const auto& code) { return code.kind == CodeKind::kPtx; });
  for (const WantedArch& gpu : gpus) {
    const std::string name = fmt::format("{}.{}", gpu.arch.number / 10, gpu.arch.number % 10);
    if (targets_for(gpu.arch.number, there).empty()) {
      refuse("none that a GPU of compute capability " + name + " runs");
    }
    if (gpu.ptx && !ptx) refuse("no PTX, which --arch " + name + "+PTX asks for");
  }
}

/// What there is to do for each file once, whatever its names are.
std::vector<Work> find_work(const std::vector<fs::path>& paths, const std::vector<WantedArch>& gpus,
                            unsigned jobs) {
  std::vector<SlicedFile> slices(paths.size());
  for_each_parallel(paths.size(), jobs, [&](std::size_t i) {
    InterruptGuard::check();
    slices[i] = read_slice(paths[i], gpus);
  });
  std::map<std::pair<dev_t, ino_t>, Work> files;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (slices[i].fat_binaries.empty()) continue;
    const struct stat status = status_of(paths[i]);
    Work& work = files[{status.st_dev, status.st_ino}];
    work.names.insert(fs::canonical(paths[i]));
    work.slice = std::move(slices[i]);
    work.disk_before = disk_size(status);
    work.linked_elsewhere = status.st_nlink > work.names.size();
  }
  std::vector<Work> all;
  all.reserve(files.size());
  for (auto& [inode, work] : files) all.push_back(std::move(work));
  std::sort(all.begin(), all.end(),
            [](const Work& left, const Work& right) { return left.names < right.names; });
  return all;
}

/// Makes `name` a name of `file` instead of what it is now.
void link_to(const fs::path& file, const fs::path& name) {
  const fs::path beside = name.string() + ".partial-link";
  fs::remove(beside);
  fs::create_hard_link(file, beside);
  fs::rename(beside, name);
}

void slice_file(Work& work, bool in_place) {
  const fs::path& file = *work.names.begin();
  // In a cache of uv or conda, whose files have a name in each environment, nothing may change.
  if (in_place && !work.linked_elsewhere) {
    work.holes = slice_in_place(file, work.slice);
  } else if (work.slice.after != work.slice.before) {
    replace_by_slice(file, work.slice);
    for (auto name = std::next(work.names.begin()); name != work.names.end(); ++name) {
      link_to(file, *name);
    }
  }
  work.disk_after = disk_size(status_of(file));
}

std::string line(const std::string& name, const Work& work) {
  return fmt::format("{}: device code {} -> {}, on the disk {} -> {}\n", printable(name),
                     human_size(work.slice.before), human_size(work.slice.after),
                     human_size(work.disk_before), human_size(work.disk_after));
}

std::string report_on(const std::vector<Work>& files, std::size_t untouched, bool in_place) {
  std::string report;
  Work sum;
  std::size_t linked = 0;
  for (const Work& file : files) {
    report += line(file.names.begin()->string(), file);
    sum.slice.before += file.slice.before;
    sum.slice.after += file.slice.after;
    sum.disk_before += file.disk_before;
    sum.disk_after += file.disk_after;
    sum.holes = sum.holes && file.holes;
    if (file.linked_elsewhere) ++linked;
  }
  report += line("sum", sum);
  if (untouched != 0) {
    report += fmt::format("{} of NVIDIA's own libraries were left as they are\n", untouched);
  }
  if (in_place && linked != 0) {
    report += counted(linked, "file") + " had other hard links, which still have all code\n";
  }
  if (!sum.holes) report += "the file system has no holes in files: what was dropped is zeros\n";
  return report;
}

}  // namespace

std::string slice(const SliceOptions& options) {
  const InterruptGuard interrupts;
  const std::vector<WantedArch> gpus = gpus_of(options.archs);
  std::vector<fs::path> paths = list_files(options.paths);
  const std::size_t untouched = std::erase_if(paths, [](const fs::path& path) {
    const backend::Library* library = backend::library_of(path.filename().string());
    return library != nullptr && library->backend == "cuda";
  });
  std::vector<Work> files = find_work(paths, gpus, options.jobs);
  refuse_unserved(files, gpus, options.paths);
  for_each_parallel(files.size(), options.jobs, [&](std::size_t i) {
    InterruptGuard::check();
    slice_file(files[i], options.in_place);
  });
  return report_on(files, untouched, options.in_place);
}

}  // namespace torchpkg
