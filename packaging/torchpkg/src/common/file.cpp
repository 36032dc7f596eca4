// SPDX-License-Identifier: BSD-3-Clause
#include "common/file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <map>
#include <mutex>
#include <system_error>

#include "common/error.h"

namespace torchpkg {

namespace fs = std::filesystem;

namespace {

Error became_shorter(const fs::path& path) {
  return {ExitCode::kEnvironment, path.string() + " became shorter while it was read",
          "let nothing write there meanwhile, and run it again"};
}

/// The files that are mapped, for the signal that comes when one is read beyond a new end.
class MappedFiles {
 public:
  static MappedFiles& instance() {
    static MappedFiles files;
    return files;
  }

  void add(const std::uint8_t* begin, std::size_t size, const fs::path& path) {
    const std::lock_guard lock(mutex_);
    files_[begin + size] = {begin, path};
  }

  void remove(const std::uint8_t* end) {
    const std::lock_guard lock(mutex_);
    files_.erase(end);
  }

 private:
  MappedFiles() {
    struct sigaction action {};
    action.sa_sigaction = end_process;
    action.sa_flags = SA_SIGINFO;
    ::sigaction(SIGBUS, &action, nullptr);
  }

  /// There is no way back into what reads such a file. What it was writing is left as a partial
  /// file, as after a kill.
  static void end_process(int signal, siginfo_t* info, void* /*context*/) {
    const auto* at = static_cast<const std::uint8_t*>(info->si_addr);
    // A thread that reads a mapped file does not hold the lock, so another one will release it.
    const std::lock_guard lock(instance().mutex_);
    const auto found = instance().files_.upper_bound(at);
    if (found != instance().files_.end() && !std::less<>()(at, found->second.first)) {
      const Error error = became_shorter(found->second.second);
      const std::string text =
          "torchpkg: " + std::string(error.what()) + "\nremedy: " + error.remedy() + "\n";
      (void)!::write(STDERR_FILENO, text.data(), text.size());
      ::_exit(static_cast<int>(error.code()));
    }
    ::signal(signal, SIG_DFL);  // for another reason: the same again ends the process
  }

  std::mutex mutex_;
  /// By their ends: their beginnings and names.
  std::map<const std::uint8_t*, std::pair<const std::uint8_t*, fs::path>> files_;
};

}  // namespace

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
  // A pipe would wait for somebody who writes into it.
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid()) throw system_error(path.string() + " cannot be read", errno);
  return file;
}

void read_exactly(const FileDescriptor& file, const fs::path& path, std::uint64_t offset,
                  std::span<std::uint8_t> out) {
  while (!out.empty()) {
    const ssize_t got = ::pread(file.get(), out.data(), out.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw system_error(path.string() + " cannot be read", errno);
    if (got == 0) throw became_shorter(path);
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

void write_at(const FileDescriptor& file, const fs::path& path, std::uint64_t offset, Bytes data) {
  while (!data.empty()) {
    const ssize_t put = ::pwrite(file.get(), data.data(), data.size(), static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) throw system_error(path.string() + " cannot be written", errno);
    data = data.subspan(static_cast<std::size_t>(put));
    offset += static_cast<std::uint64_t>(put);
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
  MappedFiles::instance().add(data_, size_, path);
}

MappedFile::~MappedFile() {
  if (data_ == nullptr) return;
  MappedFiles::instance().remove(data_ + size_);
  ::munmap(const_cast<std::uint8_t*>(data_), size_);
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

}  // namespace torchpkg
