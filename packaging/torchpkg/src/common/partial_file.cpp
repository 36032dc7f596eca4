// SPDX-License-Identifier: BSD-3-Clause
#include "common/partial_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "common/error.h"

namespace torchpkg {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kMark = ".partial-";
constexpr std::size_t kMostBytes = 255;  // of a name

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// Whether the file still has its name.
bool has_a_name(const FileDescriptor& file) {
  struct stat status {};
  return ::fstat(file.get(), &status) == 0 && status.st_nlink > 0;
}

bool lock(const FileDescriptor& file) { return ::flock(file.get(), LOCK_EX | LOCK_NB) == 0; }

/// How the partial names of a file begin: as it is called, or as much of that as leaves room for
/// the rest.
std::string beginning_of(std::string name) {
  std::size_t end = kMostBytes - kMark.size() - 8;
  if (name.size() > end) {
    while ((static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) --end;  // amid a letter
    name.resize(end);
  }
  return name.append(kMark);
}

void remove_if_stale(const fs::path& path) {
  constexpr int kFlags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  // NFS gives a lock only to who may write; a file of another user's may only be read.
  FileDescriptor file(::open(path.c_str(), O_RDWR | kFlags));
  if (!file.valid()) file = FileDescriptor(::open(path.c_str(), O_RDONLY | kFlags));
  if (file.valid() && lock(file) && has_a_name(file)) ::unlink(path.c_str());
}

/// Whether it is ours: another run may have taken the new file for a stale one. Where a file system
/// has no locks it is, since nothing is taken for stale there.
bool claim(const FileDescriptor& file) {
  return (lock(file) || errno != EWOULDBLOCK) && has_a_name(file);
}

/// Removes the partial files in a folder whose names begin so. Nothing where it cannot be listed.
void remove_stale(const fs::path& folder, std::string_view beginning) {
  std::error_code error;
  std::vector<fs::path> found;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (entry->path().filename().string().starts_with(beginning)) found.push_back(entry->path());
  }
  for (const fs::path& file : found) remove_if_stale(file);
}

}  // namespace

PartialFile::PartialFile(fs::path path) : final_(std::move(path)) {
  make_folders(final_.parent_path());
  const std::string beginning = beginning_of(final_.filename().string());
  remove_stale(folder_of(final_), beginning);
  std::random_device random;
  do {
    partial_ = folder_of(final_) / fmt::format("{}{:08x}", beginning, random());
    file_ = FileDescriptor(
        ::open(partial_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666));
    if (!file_.valid() && errno != EEXIST) {
      throw system_error(final_.string() + " cannot be written", errno);
    }
  } while (!file_.valid() || !claim(file_));
}

PartialFile::~PartialFile() {
  if (file_.valid()) ::unlink(partial_.c_str());
}

void PartialFile::commit() {
  const auto check = [this](int result) {
    if (result != 0) throw system_error(final_.string() + " cannot be written", errno);
  };
  check(::fsync(file_.get()));
  check(::rename(partial_.c_str(), final_.c_str()));
  file_.close();
  // The name too. Some file systems cannot do that for a folder.
  const FileDescriptor folder(::open(folder_of(final_).c_str(), O_RDONLY | O_CLOEXEC));
  if (folder.valid()) ::fsync(folder.get());
}

void write_text_atomically(const fs::path& path, std::string_view text) {
  std::error_code error;
  if (fs::is_regular_file(path, error) && fs::file_size(path, error) == text.size() &&
      read_text(path) == text) {
    return;
  }
  PartialFile partial(path);
  write_fully(partial.file(), path,
              {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  partial.commit();
}

}  // namespace torchpkg
