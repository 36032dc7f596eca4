// SPDX-License-Identifier: BSD-3-Clause
#include "zip/pack.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <future>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "common/error.h"
#include "common/interrupt.h"
#include "common/source_date.h"
#include "zip/chunk_compressor.h"
#include "zip/entry_list.h"
#include "zip/format.h"
#include "zip/writer.h"

namespace torchpkg::zip {

namespace fs = std::filesystem;

namespace {

/// Small enough to share a big file between threads, big enough that the lost history of 32 KiB
/// at each seam costs nothing.
constexpr std::uint64_t kChunkSize = std::uint64_t{4} << 20U;

struct Piece {
  const SourceEntry* entry = nullptr;
  std::uint64_t offset = 0;
  std::size_t size = 0;
  bool last = false;

  [[nodiscard]] bool whole_file() const { return offset == 0 && last; }
};

struct PackedPiece {
  CompressedChunk chunk;
  bool stored = false;  ///< a whole file that compressing would not make smaller
};

/// Pieces that one thread compresses one after the other: one of a big file, or several small
/// files.
using Batch = std::vector<Piece>;

std::vector<Batch> cut(const std::vector<SourceEntry>& entries) {
  std::vector<Batch> batches;
  std::uint64_t room = 0;
  for (const SourceEntry& entry : entries) {
    std::uint64_t offset = 0;
    do {
      const std::uint64_t size = std::min(kChunkSize, entry.size - offset);
      if (batches.empty() || size > room) {
        batches.emplace_back();
        room = kChunkSize;
      }
      room -= size;
      batches.back().push_back({&entry, offset, size, offset + size == entry.size});
      offset += size;
    } while (offset < entry.size);
  }
  return batches;
}

/// The content of a piece.
std::vector<std::uint8_t> read(const Piece& piece) {
  const SourceEntry& entry = *piece.entry;
  if (entry.kind == SourceEntry::Kind::kFolder) return {};
  if (entry.kind == SourceEntry::Kind::kSymlink) return {entry.text.begin(), entry.text.end()};
  const FileDescriptor file = open_for_reading(entry.path);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0 ||
      static_cast<std::uint64_t>(status.st_size) != entry.size) {
    throw Error(ExitCode::kEnvironment, entry.path.string() + " changed while it was packed",
                "let nothing write there meanwhile, and run it again");
  }
  std::vector<std::uint8_t> raw(piece.size);
  read_exactly(file, entry.path, piece.offset, raw);
  return raw;
}

std::vector<PackedPiece> compress(const Batch& batch, int level) {
  ChunkCompressor compressor(level, kChunkSize);
  std::vector<PackedPiece> packed;
  for (const Piece& piece : batch) {
    PackedPiece& result = packed.emplace_back();
    std::vector<std::uint8_t> raw = read(piece);
    if (!raw.empty()) result.chunk = compressor.compress(raw, piece.last);
    const bool is_file = piece.entry->kind == SourceEntry::Kind::kFile;
    if (!is_file || (piece.whole_file() && result.chunk.data.size() >= raw.size())) {
      result.stored = true;
      result.chunk.data = std::move(raw);
    }
  }
  return packed;
}

DosTime archive_time() {
  const std::optional<std::int64_t> seconds = source_date();
  return seconds ? DosTime::from_epoch(*seconds) : DosTime{};
}

/// As wheels are: folders have no entries, and symlinks would be installed as text.
void keep_files(std::vector<SourceEntry>& entries) {
  for (const SourceEntry& entry : entries) {
    if (entry.kind != SourceEntry::Kind::kSymlink) continue;
    throw Error(ExitCode::kBadInput, entry.path.string() + " is a symlink, and wheels have none",
                "put the file itself in its place");
  }
  std::erase_if(entries,
                [](const SourceEntry& entry) { return entry.kind == SourceEntry::Kind::kFolder; });
}

/// Moves what `options.last` names, and what lies below it, to the end, in the order of that list.
void move_to_end(std::vector<SourceEntry>& entries, const PackOptions& options) {
  const std::string top = options.flat ? "" : fs::canonical(options.root).filename().string() + "/";
  std::vector<bool> used(options.last.size());
  const auto rank = [&](const SourceEntry& entry) {
    std::size_t place = 0;
    for (std::size_t i = 0; i < options.last.size(); ++i) {
      const std::string name = top + options.last[i];
      if (entry.name != name && !entry.name.starts_with(name + "/")) continue;
      used[i] = true;
      place = i + 1;
    }
    return place;
  };
  std::vector<std::pair<std::size_t, SourceEntry>> ranked;
  for (SourceEntry& entry : entries) {
    const std::size_t place = rank(entry);
    ranked.emplace_back(place, std::move(entry));
  }
  const auto unused = std::find(used.begin(), used.end(), false);
  if (unused != used.end()) {
    const auto index = static_cast<std::size_t>(unused - used.begin());
    throw Error(ExitCode::kUsage, options.last[index] + " is not in the folder", "check --last");
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& one, const auto& other) { return one.first < other.first; });
  entries.clear();
  for (auto& [place, entry] : ranked) entries.push_back(std::move(entry));
}

void check(const PackOptions& options) {
  if (options.level < 1 || options.level > 12) {
    throw Error(ExitCode::kUsage, fmt::format("level {} does not exist", options.level),
                "choose 1 (fast) to 12 (small)");
  }
  if (!fs::is_directory(options.root)) {
    throw Error(ExitCode::kEnvironment, options.root.string() + " is not a folder", "check --root");
  }
  const fs::path inside =
      fs::weakly_canonical(options.output).lexically_relative(fs::canonical(options.root));
  if (!inside.empty() && *inside.begin() != "..") {
    throw Error(ExitCode::kUsage,
                options.output.string() + " lies inside the folder that is packed",
                "choose an --output elsewhere");
  }
}

/// The entries in the order of the archive.
std::vector<SourceEntry> entries_of(const PackOptions& options) {
  std::vector<SourceEntry> entries = list_entries(options.root, !options.flat);
  if (options.flat) keep_files(entries);
  move_to_end(entries, options);
  return entries;
}

}  // namespace

void pack(const PackOptions& options) {
  check(options);
  const std::vector<SourceEntry> entries = entries_of(options);
  const std::vector<Batch> batches = cut(entries);
  const std::size_t jobs =
      options.jobs != 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());

  const InterruptGuard interrupts;
  Writer writer(options.output, archive_time());
  // More than there are threads for, so that no processor waits for the one that is written next.
  // Where no thread can be made, the batch is compressed when it is asked for.
  std::deque<std::future<std::vector<PackedPiece>>> ahead;
  std::uint32_t crc = 0;
  const bool in_run = std::getenv("TORCH_SUPERBUILD_RUN") != nullptr;
  std::size_t shown = 0;
  for (std::size_t i = 0, begun = 0; i < batches.size(); ++i) {
    for (; begun < batches.size() && ahead.size() < jobs + jobs / 2 + 1; ++begun) {
      ahead.push_back(std::async(std::launch::async | std::launch::deferred, compress,
                                 std::cref(batches[begun]), options.level));
    }
    InterruptGuard::check();
    const std::vector<PackedPiece> packed = ahead.front().get();
    ahead.pop_front();
    for (std::size_t j = 0; j < packed.size(); ++j) {
      const Piece& piece = batches[i][j];
      if (piece.offset == 0) {
        crc = 0;
        writer.begin_entry(*piece.entry, packed[j].stored ? kStored : kDeflated);
      }
      crc = static_cast<std::uint32_t>(
          crc32_combine(crc, packed[j].chunk.crc, static_cast<z_off_t>(piece.size)));
      writer.append_data(packed[j].chunk.data);
      if (piece.last) writer.end_entry(crc);
    }
    // Of engine/one_run/screen.py.
    const std::size_t percent = 100 * (i + 1) / batches.size();
    if (in_run && percent > std::exchange(shown, percent)) {
      fmt::print("tsb_progress: {}, {} %\n", options.output.filename().string(), percent);
      std::fflush(stdout);
    }
  }
  writer.finish();
}

}  // namespace torchpkg::zip
