// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/file.h"

struct libdeflate_compressor;
struct libdeflate_decompressor;

namespace torchpkg::zip {

/// A piece of a file, compressed.
struct CompressedChunk {
  std::vector<std::uint8_t> data;
  std::uint32_t crc = 0;  ///< CRC-32 of the uncompressed piece
};

/// Compresses pieces of files independently of each other, so that they can be made in parallel
/// and joined in order into one valid deflate stream.
///
/// libdeflate marks the last block of each of its streams as final. For a piece that is not its
/// file's last one, that mark is found and cleared and an empty stored block is appended, which
/// ends the piece on a byte boundary. Each piece is decompressed again and its CRC compared, so a
/// faulty memory or library cannot make a bad archive unseen. One object per thread.
class ChunkCompressor {
 public:
  /// `level`: 1 (fast) to 12 (small), as libdeflate counts; `max_size`: the largest piece, bytes.
  ChunkCompressor(int level, std::size_t max_size);
  ~ChunkCompressor();
  ChunkCompressor(const ChunkCompressor&) = delete;
  ChunkCompressor& operator=(const ChunkCompressor&) = delete;

  /// `last`: whether the stream ends after this piece.
  CompressedChunk compress(Bytes piece, bool last);

 private:
  void check_complete(std::size_t compressed_size, Bytes piece, std::uint32_t crc);
  std::size_t unfinish(std::size_t compressed_size, Bytes piece, std::uint32_t crc);

  libdeflate_compressor* compressor_;
  libdeflate_decompressor* decompressor_;
  std::vector<std::uint8_t> compressed_;
  std::vector<std::uint8_t> verified_;
};

}  // namespace torchpkg::zip
