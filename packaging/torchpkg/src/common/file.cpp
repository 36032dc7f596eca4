// SPDX-License-Identifier: BSD-3-Clause
#include "common/file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <system_error>

#include "common/error.h"

namespace torchpkg {

namespace fs = std::filesystem;

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  if (this != &other) {
    close();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

void FileDescriptor::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

FileDescriptor open_for_reading(const fs::path& path) {
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) throw system_error(path.string() + " cannot be read", errno);
  return file;
}

void read_exactly(const FileDescriptor& file, const fs::path& path, std::uint64_t offset,
                  std::span<std::uint8_t> out) {
  while (!out.empty()) {
    const ssize_t got = ::pread(file.get(), out.data(), out.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw system_error(path.string() + " cannot be read", errno);
    if (got == 0) {
      throw Error(ExitCode::kEnvironment, path.string() + " became shorter while it was read",
                  "let nothing write there meanwhile, and run it again");
    }
    out = out.subspan(static_cast<std::size_t>(got));
    offset += static_cast<std::uint64_t>(got);
  }
}

void write_fully(const FileDescriptor& file, const fs::path& path, Bytes data) {
  while (!data.empty()) {
    const ssize_t put = ::write(file.get(), data.data(), data.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) throw system_error(path.string() + " cannot be written", errno);
    data = data.subspan(static_cast<std::size_t>(put));
  }
}

MappedFile::MappedFile(const fs::path& path) {
  const FileDescriptor file = open_for_reading(path);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) throw system_error(path.string(), errno);
  if (!S_ISREG(status.st_mode)) {
    throw Error(ExitCode::kBadInput, path.string() + " is not a regular file", "give a file");
  }
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ == 0) return;
  void* mapped = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (mapped == MAP_FAILED) throw system_error(path.string() + " cannot be mapped", errno);
  data_ = static_cast<const std::uint8_t*>(mapped);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::uint8_t*>(data_), size_);
}

std::string read_text(const fs::path& path) {
  const MappedFile file(path);
  return std::string(as_text(file.bytes()));
}

void make_folders(const fs::path& folder) {
  if (folder.empty()) return;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw system_error("the folder " + folder.string() + " cannot be made", error.value());
}

fs::path partial_name(const fs::path& path) {
  return path.string() + ".partial-" + std::to_string(::getpid());
}

namespace {

/// Whether a file is the partial file of a process that is gone.
bool is_stale_partial(std::string_view name) {
  constexpr std::string_view kMark = ".partial-";
  const std::size_t mark = name.rfind(kMark);
  if (mark == std::string_view::npos) return false;
  const std::string_view digits = name.substr(mark + kMark.size());
  pid_t pid = 0;
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, pid);
  const bool number = parsed.ec == std::errc{} && parsed.ptr == end && pid > 0;
  return number && ::kill(pid, 0) != 0 && errno == ESRCH;
}

}  // namespace

void remove_stale_partials(const fs::path& path) {
  const std::string prefix = path.filename().string() + ".partial-";
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code error;
  std::vector<fs::path> stale;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix) && is_stale_partial(name)) stale.push_back(entry.path());
  }
  for (const fs::path& file : stale) fs::remove(file, error);
}

void remove_stale_partials_below(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> stale;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    if (is_stale_partial(entry.path().filename().string())) stale.push_back(entry.path());
  }
  for (const fs::path& file : stale) fs::remove(file, error);
}

void write_text_atomically(const fs::path& path, std::string_view text) {
  std::error_code error;
  if (fs::is_regular_file(path, error) && fs::file_size(path, error) == text.size() &&
      read_text(path) == text) {
    return;
  }
  make_folders(path.parent_path());
  remove_stale_partials(path);
  const fs::path partial = partial_name(path);
  {
    const FileDescriptor file(
        ::open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (!file.valid()) throw system_error(path.string() + " cannot be written", errno);
    try {
      write_fully(file, path, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    } catch (...) {
      ::unlink(partial.c_str());
      throw;
    }
  }
  fs::rename(partial, path, error);
  if (error) {
    ::unlink(partial.c_str());
    throw system_error(path.string() + " cannot be written", error.value());
  }
}

}  // namespace torchpkg
