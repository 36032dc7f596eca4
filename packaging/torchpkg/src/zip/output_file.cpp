// SPDX-License-Identifier: BSD-3-Clause
#include "zip/output_file.h"

#include <algorithm>
#include <utility>

namespace torchpkg::zip {

namespace {
constexpr std::size_t kBufferSize = std::size_t{1} << 20U;
}

OutputFile::OutputFile(std::filesystem::path path) : path_(std::move(path)), partial_(path_) {
  buffer_.reserve(kBufferSize);
}

void OutputFile::append(Bytes data) {
  position_ += data.size();
  if (buffer_.size() + data.size() > kBufferSize) flush();
  if (data.size() >= kBufferSize) {
    write_fully(partial_.file(), path_, data);
  } else {
    buffer_.insert(buffer_.end(), data.begin(), data.end());
  }
}

void OutputFile::flush() {
  write_fully(partial_.file(), path_, buffer_);
  buffer_.clear();
}

void OutputFile::overwrite(std::uint64_t offset, Bytes data) {
  const std::uint64_t buffered_from = position_ - buffer_.size();
  if (offset >= buffered_from) {  // not written yet, as with nearly every small file
    std::copy(data.begin(), data.end(),
              buffer_.begin() + static_cast<std::ptrdiff_t>(offset - buffered_from));
    return;
  }
  flush();
  write_at(partial_.file(), path_, offset, data);
}

void OutputFile::commit() {
  flush();
  partial_.commit();
}

}  // namespace torchpkg::zip
