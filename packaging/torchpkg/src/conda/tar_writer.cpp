// SPDX-License-Identifier: BSD-3-Clause
#include "conda/tar_writer.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/core.h>

#include <exception>
#include <memory>
#include <new>
#include <optional>

#include "common/error.h"

namespace torchpkg::conda {

using zip::SourceEntry;

namespace {

struct Free {
  void operator()(archive* tar) const { ::archive_write_free(tar); }
  void operator()(archive_entry* header) const { ::archive_entry_free(header); }
};

struct Output {
  const std::function<void(Bytes)>& sink;
  std::exception_ptr failure;
};

/// Exceptions do not pass through functions in C. After an error libarchive would forget to free
/// what it has, so it gets none: the rest goes nowhere.
la_ssize_t write(archive* /*tar*/, void* to, const void* data, std::size_t size) {
  auto& output = *static_cast<Output*>(to);
  try {
    if (!output.failure) output.sink({static_cast<const std::uint8_t*>(data), size});
  } catch (...) {
    output.failure = std::current_exception();
  }
  return static_cast<la_ssize_t>(size);
}

void describe(const SourceEntry& entry, archive_entry* header) {
  const bool link = entry.kind == SourceEntry::Kind::kSymlink;
  ::archive_entry_set_pathname(header, entry.name.c_str());
  ::archive_entry_set_filetype(header, link ? AE_IFLNK : AE_IFREG);
  if (link) ::archive_entry_set_symlink(header, entry.text.c_str());
  ::archive_entry_set_size(header, link ? 0 : static_cast<la_int64_t>(entry.size));
  const unsigned mode = entry.executable ? 0755 : 0644;
  ::archive_entry_set_perm(header, link ? 0777 : mode);
  ::archive_entry_set_uname(header, "root");
  ::archive_entry_set_gname(header, "root");
}

}  // namespace

void write_tar(const std::vector<SourceEntry>& entries, std::int64_t time,
               const std::function<void(Bytes)>& sink) {
  Output output{sink, {}};
  const std::unique_ptr<archive, Free> tar(::archive_write_new());
  const auto check = [&](la_ssize_t result) {
    if (output.failure) std::rethrow_exception(output.failure);
    if (result >= ARCHIVE_WARN) return;
    throw Error(ExitCode::kEnvironment,
                fmt::format("a tar cannot be written: {}", ::archive_error_string(tar.get())));
  };
  if (!tar) throw std::bad_alloc();
  ::archive_write_set_format_pax_restricted(tar.get());
  ::archive_write_set_bytes_per_block(tar.get(), 0);  // nothing is copied into blocks
  check(::archive_write_open(tar.get(), &output, nullptr, write, nullptr));
  for (const SourceEntry& entry : entries) {
    std::optional<MappedFile> file;
    if (entry.kind == SourceEntry::Kind::kFile) file.emplace(entry.path);
    if (file && file->bytes().size() != entry.size) {
      throw Error(ExitCode::kEnvironment, entry.path.string() + " changed while it was packed",
                  "pack again when nothing writes there");
    }
    const std::unique_ptr<archive_entry, Free> header(::archive_entry_new());
    if (!header) throw std::bad_alloc();
    describe(entry, header.get());
    ::archive_entry_set_mtime(header.get(), time, 0);
    check(::archive_write_header(tar.get(), header.get()));
    if (entry.kind == SourceEntry::Kind::kSymlink) continue;
    const void* data = file ? static_cast<const void*>(file->bytes().data()) : entry.text.data();
    check(::archive_write_data(tar.get(), data, entry.size));
  }
  check(::archive_write_close(tar.get()));
}

}  // namespace torchpkg::conda
