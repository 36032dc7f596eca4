// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace torchpkg {

using Bytes = std::span<const std::uint8_t>;

/// The same bytes seen as text.
inline std::string_view as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// An open file that is closed at the end of its life.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() { close(); }

  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool valid() const { return fd_ >= 0; }
  void close();

 private:
  int fd_ = -1;
};

/// Opens `path` for reading. Error: kEnvironment, naming the file.
FileDescriptor open_for_reading(const std::filesystem::path& path);

/// Reads exactly `out.size()` bytes at `offset` of an open file; `path` is for the message.
/// Error: kEnvironment when the file is shorter or cannot be read.
void read_exactly(const FileDescriptor& file, const std::filesystem::path& path,
                  std::uint64_t offset, std::span<std::uint8_t> out);

/// Writes all of `data` at the file's current position. Error: kEnvironment, naming `path`.
void write_fully(const FileDescriptor& file, const std::filesystem::path& path, Bytes data);

/// Writes all of `data` at `offset`. Error: kEnvironment, naming `path`.
void write_at(const FileDescriptor& file, const std::filesystem::path& path, std::uint64_t offset,
              Bytes data);

/// A file mapped read-only into memory. When it becomes shorter while its bytes are read, the
/// process ends, with code 4 and the message of read_exactly().
class MappedFile {
 public:
  /// Error: kEnvironment when it cannot be opened, kBadInput when it is not a regular file.
  explicit MappedFile(const std::filesystem::path& path);
  MappedFile(MappedFile&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  MappedFile& operator=(MappedFile&&) = delete;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  [[nodiscard]] Bytes bytes() const { return {data_, size_}; }

 private:
  const std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
};

/// The whole of a (small) text file.
std::string read_text(const std::filesystem::path& path);

/// Makes a folder and its parents. Error: kEnvironment, naming it.
void make_folders(const std::filesystem::path& folder);

}  // namespace torchpkg
