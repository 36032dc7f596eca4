// SPDX-License-Identifier: BSD-3-Clause
#include "zip/pack.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
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

std::vector<Piece> cut(const std::vector<SourceEntry>& entries) {
  std::vector<Piece> pieces;
  for (const SourceEntry& entry : entries) {
    std::uint64_t offset = 0;
    do {
      const std::uint64_t size = std::min(kChunkSize, entry.size - offset);
      pieces.push_back({&entry, offset, size, offset + size == entry.size});
      offset += size;
    } while (offset < entry.size);
  }
  return pieces;
}

/// Reads a piece and compresses it; one object per thread.
class PiecePacker {
 public:
  explicit PiecePacker(int level) : compressor_(level, kChunkSize), raw_(kChunkSize) {}

  PackedPiece operator()(const Piece& piece) {
    PackedPiece result;
    const Bytes raw = read(piece);
    if (!raw.empty()) result.chunk = compressor_.compress(raw, piece.last);
    const bool is_file = piece.entry->kind == SourceEntry::Kind::kFile ||
                         piece.entry->kind == SourceEntry::Kind::kMemory;
    if (!is_file || (piece.whole_file() && result.chunk.data.size() >= raw.size())) {
      result.stored = true;
      result.chunk.data.assign(raw.begin(), raw.end());
    }
    return result;
  }

 private:
  Bytes read(const Piece& piece) {
    const SourceEntry& entry = *piece.entry;
    if (entry.kind == SourceEntry::Kind::kFolder) return {};
    const std::span<std::uint8_t> raw = std::span(raw_).first(piece.size);
    if (entry.kind != SourceEntry::Kind::kFile) {
      const std::string_view text = std::string_view(entry.text).substr(piece.offset, piece.size);
      std::copy(text.begin(), text.end(), raw.begin());
      return raw;
    }
    const FileDescriptor file = open_for_reading(entry.path);
    struct stat status {};
    if (::fstat(file.get(), &status) != 0 ||
        static_cast<std::uint64_t>(status.st_size) != entry.size) {
      throw Error(ExitCode::kEnvironment, entry.path.string() + " changed while it was packed",
                  "let nothing write there meanwhile, and run it again");
    }
    read_exactly(file, entry.path, piece.offset, raw);
    return raw;
  }

  ChunkCompressor compressor_;
  std::vector<std::uint8_t> raw_;
};

/// Packs pieces on several threads and hands them out in order. At most `kAhead` per thread are
/// held in memory.
class OrderedPackers {
 public:
  OrderedPackers(const std::vector<Piece>& pieces, int level, unsigned jobs)
      : pieces_(pieces), slots_(std::size_t{kAhead} * jobs) {
    try {
      for (unsigned i = 0; i < jobs; ++i) {
        threads_.emplace_back([this, level] { work(level); });
      }
    } catch (const std::system_error& error) {
      if (threads_.empty()) throw system_error("no thread can be started", error.code().value());
    }
  }

  ~OrderedPackers() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    room_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  OrderedPackers(const OrderedPackers&) = delete;
  OrderedPackers& operator=(const OrderedPackers&) = delete;

  /// The next piece in order; rethrows what went wrong on a thread.
  PackedPiece next() {
    std::unique_lock lock(mutex_);
    std::optional<PackedPiece>& slot = slots_[taken_ % slots_.size()];
    ready_.wait(lock, [&] { return slot.has_value() || failure_; });
    if (failure_) std::rethrow_exception(failure_);
    PackedPiece piece = std::move(*slot);
    slot.reset();
    ++taken_;
    lock.unlock();
    room_.notify_one();
    return piece;
  }

 private:
  static constexpr unsigned kAhead = 4;

  void work(int level) {
    try {
      PiecePacker packer(level);
      for (;;) {
        std::unique_lock lock(mutex_);
        room_.wait(lock, [&] {
          return stop_ || begun_ == pieces_.size() || begun_ < taken_ + slots_.size();
        });
        if (stop_ || begun_ == pieces_.size()) return;
        const std::size_t index = begun_++;
        lock.unlock();
        PackedPiece piece = packer(pieces_[index]);
        lock.lock();
        slots_[index % slots_.size()] = std::move(piece);
        lock.unlock();
        ready_.notify_one();
      }
    } catch (...) {
      {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        stop_ = true;
      }
      ready_.notify_one();
      room_.notify_all();
    }
  }

  const std::vector<Piece>& pieces_;
  std::vector<std::optional<PackedPiece>> slots_;
  std::size_t begun_ = 0;
  std::size_t taken_ = 0;
  bool stop_ = false;
  std::exception_ptr failure_;
  std::mutex mutex_;
  std::condition_variable ready_;
  std::condition_variable room_;
  std::vector<std::thread> threads_;
};

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
  const std::string top =
      options.flat ? "" : fs::canonical(options.root).filename().string() + "/";
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

void check_level(int level) {
  if (level >= 1 && level <= 12) return;
  throw Error(ExitCode::kUsage, fmt::format("level {} does not exist", level),
              "choose 1 (fast) to 12 (small)");
}

}  // namespace

void check_output_outside(const fs::path& root, const fs::path& output) {
  if (!fs::is_directory(root)) {
    throw Error(ExitCode::kEnvironment, root.string() + " is not a folder", "check --root");
  }
  const fs::path inside = fs::weakly_canonical(output).lexically_relative(fs::canonical(root));
  if (!inside.empty() && *inside.begin() != "..") {
    throw Error(ExitCode::kUsage, output.string() + " lies inside the folder that is packed",
                "choose an --output elsewhere");
  }
}

void pack(const PackOptions& options) {
  check_level(options.level);
  check_output_outside(options.root, options.output);
  std::vector<SourceEntry> entries = list_entries(options.root, {.one_top = !options.flat});
  if (options.flat) keep_files(entries);
  move_to_end(entries, options);
  pack_entries(entries, options);
}

void pack_entries(const std::vector<SourceEntry>& entries, const ArchiveOptions& options) {
  check_level(options.level);
  const std::vector<Piece> pieces = cut(entries);
  const unsigned jobs =
      options.jobs != 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());

  const InterruptGuard interrupts;
  Writer writer(options.output, archive_time());
  {
    OrderedPackers packers(pieces, options.level, jobs);
    std::uint32_t crc = 0;
    for (const Piece& piece : pieces) {
      InterruptGuard::check();
      const PackedPiece packed = packers.next();
      if (piece.offset == 0) {
        crc = 0;
        writer.begin_entry(*piece.entry, packed.stored ? kStored : kDeflated);
      }
      crc = static_cast<std::uint32_t>(
          crc32_combine(crc, packed.chunk.crc, static_cast<z_off_t>(piece.size)));
      writer.append_data(packed.chunk.data);
      if (piece.last) writer.end_entry(crc);
    }
  }
  writer.finish();
}

}  // namespace torchpkg::zip
