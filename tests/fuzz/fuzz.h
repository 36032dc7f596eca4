// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "common/error.h"
#include "common/file.h"

/// What a fuzz target is to libFuzzer and to replay.cpp. `data` is only valid during the call.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace torchpkg::fuzz {

/// Calls `read`, which may refuse its input with torchpkg's own Error and with nothing else.
template <typename Read>
void may_refuse(Read read) {
  try {
    read();
  } catch (const Error&) {
    return;
  }
}

/// Ends the program, as a sanitizer would, when a reader has said what cannot be.
inline void must(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "not true: %s\n", what);
  std::abort();
}

/// A copy of the input whose last byte is the last one before memory that nobody may touch, so that
/// code without sanitizers (libelf) is caught too when it reads on. Begins at a multiple of 8, as
/// files that are mapped do; the bytes between are only guarded by the address sanitizer.
class GuardedCopy {
 public:
  GuardedCopy(const std::uint8_t* data, std::size_t size);
  ~GuardedCopy();
  GuardedCopy(const GuardedCopy&) = delete;
  GuardedCopy& operator=(const GuardedCopy&) = delete;

  [[nodiscard]] Bytes bytes() const { return {begin_, size_}; }

 private:
  void* mapping_ = nullptr;
  std::size_t mapped_ = 0;
  std::uint8_t* begin_ = nullptr;
  std::size_t size_ = 0;
  std::size_t filling_ = 0;
};

/// A file in memory, for readers that take a path.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size);

  [[nodiscard]] std::filesystem::path path() const;

 private:
  FileDescriptor file_;
};

}  // namespace torchpkg::fuzz
