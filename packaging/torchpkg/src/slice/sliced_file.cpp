// SPDX-License-Identifier: BSD-3-Clause
#include "slice/sliced_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <linux/falloc.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>

#include "common/error.h"
#include "common/interrupt.h"
#include "common/partial_file.h"
#include "elf/ar_archive.h"
#include "elf/elf_image.h"

namespace torchpkg {

namespace fs = std::filesystem;

namespace {

class Reader {
 public:
  Reader(Bytes file, const std::vector<WantedArch>& gpus) : file_(file), gpus_(gpus) {}

  void read(Bytes content, const std::string& name) {
    ElfImage(content, name).for_each_content([&](std::string_view section, Bytes bytes) {
      if (!is_section_of_fat_binaries(section)) return;
      try {
        read_section(bytes);
      } catch (const Error& error) {
        throw Error(ExitCode::kBadInput, fmt::format("{}: {}: {}", name, section, error.what()),
                    "get the file again; a newer CUDA than torchpkg knows may have made it");
      }
    });
  }

  SlicedFile take(const std::string& name) {
    std::vector<SlicedFatBinary>& all = slice_.fat_binaries;
    std::sort(all.begin(), all.end(),
              [](const auto& left, const auto& right) { return left.at < right.at; });
    for (std::size_t i = 1; i < all.size(); ++i) {
      if (all[i].at < all[i - 1].end) {
        throw Error(
            ExitCode::kBadInput,
            fmt::format("{} is damaged: two fat binaries overlap at byte {}", name, all[i].at),
            "get the file again");
      }
    }
    return std::move(slice_);
  }

 private:
  void read_section(Bytes section) {
    const auto begin = static_cast<std::uint64_t>(section.data() - file_.data());
    bool first = true;
    for_each_fat_binary(section, [&](std::uint64_t at, const FatBinary& found) {
      if (!first) slice_.fat_binaries.back().end = begin + at;
      first = false;
      add(begin + at, begin + section.size(), found);
    });
  }

  void add(std::uint64_t at, std::uint64_t end, const FatBinary& found) {
    const std::vector<CodeTarget> there = found.targets();
    const std::set<CodeTarget> kept = targets_of_slice(gpus_, there);
    SlicedFatBinary one{at, at + found.header, end, {}};
    slice_.after += found.header;
    for (const FatBinary::Entry& entry : found.entries) {
      if (kept.count(entry.target) == 0) continue;
      one.kept.push_back({entry.target, at + entry.at, entry.size});
      slice_.after += entry.size;
    }
    slice_.before += found.size;
    slice_.targets.insert(there.begin(), there.end());
    slice_.fat_binaries.push_back(std::move(one));
  }

  Bytes file_;
  const std::vector<WantedArch>& gpus_;
  SlicedFile slice_;
};

/// Writes the kept entries one after another, and their size. Returns where they end.
std::uint64_t write_kept(Bytes from, const SlicedFatBinary& one, const FileDescriptor& file,
                         const fs::path& path) {
  std::uint64_t to = one.entries;
  for (const FatBinary::Entry& entry : one.kept) {
    const Bytes there = from.subspan(entry.at, entry.size);
    // A copy, since the file that is written may be the one that is mapped.
    write_at(file, path, to, std::vector<std::uint8_t>(there.begin(), there.end()));
    to += entry.size;
  }
  std::array<std::uint8_t, 8> size{};
  for (unsigned i = 0; i < size.size(); ++i) {
    size[i] = static_cast<std::uint8_t>((to - one.entries) >> (8 * i));
  }
  write_at(file, path, one.at + kFatBinarySizeAt, size);
  return to;
}

/// Makes a part of a file read as zeros. False when that is not a hole.
bool clear(const FileDescriptor& file, const fs::path& path, std::uint64_t begin,
           std::uint64_t end) {
  if (begin == end) return true;
  const auto size = static_cast<off_t>(end - begin);
  if (TEMP_FAILURE_RETRY(::fallocate(file.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                     static_cast<off_t>(begin), size)) == 0) {
    return true;
  }
  if (errno != EOPNOTSUPP && errno != ENOSYS) {
    throw system_error(path.string() + " cannot be written", errno);
  }
  write_at(file, path, begin, std::vector<std::uint8_t>(end - begin));
  return false;
}

}  // namespace

SlicedFile read_slice(const fs::path& path, const std::vector<WantedArch>& gpus) {
  const MappedFile mapped(path);
  const Bytes file = mapped.bytes();
  const std::string name = path.string();
  Reader reader(file, gpus);
  if (is_host_elf(name, file)) reader.read(file, name);
  if (is_ar(file)) {
    const ArArchive archive(file, name);
    for (const ArMember& member : archive.members()) {
      if (is_elf(member.content)) reader.read(member.content, name + ": " + member.name);
    }
  }
  return reader.take(name);
}

void replace_by_slice(const fs::path& path, const SlicedFile& slice) {
  const MappedFile mapped(path);
  const Bytes from = mapped.bytes();
  struct stat status {};
  PartialFile partial(path);
  const FileDescriptor& file = partial.file();
  // Whoever may not give a file away becomes its owner. The mode comes last: chown clears parts.
  if (::stat(path.c_str(), &status) != 0 || ::ftruncate(file.get(), status.st_size) != 0 ||
      (::fchown(file.get(), status.st_uid, status.st_gid) != 0 && errno != EPERM) ||
      ::fchmod(file.get(), status.st_mode) != 0) {
    throw system_error(path.string() + " cannot be written", errno);
  }
  std::uint64_t done = 0;
  for (const SlicedFatBinary& one : slice.fat_binaries) {
    InterruptGuard::check();
    write_at(file, path, done, from.subspan(done, one.entries - done));
    write_kept(from, one, file, path);
    done = one.end;
  }
  write_at(file, path, done, from.subspan(done));
  partial.commit();
}

bool slice_in_place(const fs::path& path, const SlicedFile& slice) {
  const MappedFile mapped(path);
  const FileDescriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (!file.valid()) throw system_error(path.string() + " cannot be written", errno);
  bool holes = true;
  for (const SlicedFatBinary& one : slice.fat_binaries) {
    const std::uint64_t end = write_kept(mapped.bytes(), one, file, path);
    holes = clear(file, path, end, one.end) && holes;
  }
  if (::fsync(file.get()) != 0) throw system_error(path.string() + " cannot be written", errno);
  return holes;
}

}  // namespace torchpkg
