// SPDX-License-Identifier: BSD-3-Clause
#include "fuzz.h"

#include <sanitizer/asan_interface.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <string>

namespace torchpkg::fuzz {

GuardedCopy::GuardedCopy(const std::uint8_t* data, std::size_t size) : size_(size) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t room = (size + page - 1) / page * page;
  mapped_ = room + page;
  mapping_ = ::mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  must(mapping_ != MAP_FAILED, "there is memory for the input");
  auto* guard = static_cast<std::uint8_t*>(mapping_) + room;
  must(::mprotect(guard, page, PROT_NONE) == 0, "memory can be guarded");
  filling_ = (8 - size % 8) % 8;
  begin_ = guard - size - filling_;
  if (size > 0) std::memcpy(begin_, data, size);
  ASAN_POISON_MEMORY_REGION(begin_ + size_, filling_);
}

GuardedCopy::~GuardedCopy() {
  ASAN_UNPOISON_MEMORY_REGION(begin_ + size_, filling_);
  ::munmap(mapping_, mapped_);
}

MemoryFile::MemoryFile(const std::uint8_t* data, std::size_t size)
    : file_(::memfd_create("input", MFD_CLOEXEC)) {
  must(file_.valid(), "a file can be made in memory");
  write_fully(file_, "input", {data, size});
}

std::filesystem::path MemoryFile::path() const {
  return "/proc/self/fd/" + std::to_string(file_.get());
}

}  // namespace torchpkg::fuzz
