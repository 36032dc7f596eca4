// SPDX-License-Identifier: BSD-3-Clause
#include "zip/chunk_compressor.h"

#include <libdeflate.h>
#include <zlib.h>

#include <array>

#include "common/error.h"

namespace torchpkg::zip {

namespace {

/// Room for the empty stored block behind a piece: at most one byte that holds its header, and
/// the length and its complement.
constexpr std::size_t kStoredBlockRoom = 8;

Error verification_error() {
  return {ExitCode::kEnvironment, "compressed data does not decompress to what it was made from",
          "run it again; if this comes back, test the machine's memory"};
}

/// Where a raw deflate stream's last block begins and ends, in bits from the stream's begin.
struct LastBlock {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// Decompresses `stream` block by block into `out`, noting where the last block is.
LastBlock find_last_block(std::span<std::uint8_t> stream, std::span<std::uint8_t> out) {
  z_stream inflater{};
  if (inflateInit2(&inflater, -15) != Z_OK) {
    throw Error(ExitCode::kEnvironment, "zlib cannot be started", "free some memory");
  }
  inflater.next_in = stream.data();
  inflater.avail_in = static_cast<uInt>(stream.size());
  inflater.next_out = out.data();
  inflater.avail_out = static_cast<uInt>(out.size());
  const auto position = [&] {
    const std::uint64_t bytes = stream.size() - inflater.avail_in;
    return bytes * 8 - static_cast<unsigned>(inflater.data_type & 7);
  };
  LastBlock block;
  int status = Z_OK;
  while (status == Z_OK) {
    status = inflate(&inflater, Z_BLOCK);
    const bool block_ended = (inflater.data_type & 128) != 0;
    const bool in_last_block = (inflater.data_type & 64) != 0;
    if (status == Z_OK && block_ended) (in_last_block ? block.end : block.begin) = position();
  }
  inflateEnd(&inflater);
  if (status != Z_STREAM_END || inflater.avail_out != 0 || block.end == 0)
    throw verification_error();
  return block;
}

}  // namespace

ChunkCompressor::ChunkCompressor(int level, std::size_t max_size)
    : compressor_(libdeflate_alloc_compressor(level)),
      decompressor_(libdeflate_alloc_decompressor()),
      verified_(max_size) {
  if (compressor_ == nullptr || decompressor_ == nullptr) {
    libdeflate_free_compressor(compressor_);
    libdeflate_free_decompressor(decompressor_);
    throw Error(ExitCode::kEnvironment, "there is not enough memory to compress",
                "use fewer --jobs");
  }
  compressed_.resize(libdeflate_deflate_compress_bound(compressor_, max_size) + kStoredBlockRoom);
}

ChunkCompressor::~ChunkCompressor() {
  libdeflate_free_compressor(compressor_);
  libdeflate_free_decompressor(decompressor_);
}

void ChunkCompressor::check_complete(std::size_t compressed_size, Bytes piece, std::uint32_t crc) {
  const auto result = libdeflate_deflate_decompress(
      decompressor_, compressed_.data(), compressed_size, verified_.data(), piece.size(), nullptr);
  if (result != LIBDEFLATE_SUCCESS || libdeflate_crc32(0, verified_.data(), piece.size()) != crc) {
    throw verification_error();
  }
}

std::size_t ChunkCompressor::unfinish(std::size_t compressed_size, Bytes piece, std::uint32_t crc) {
  const LastBlock block = find_last_block(std::span(compressed_).first(compressed_size),
                                          std::span(verified_).first(piece.size()));
  if (libdeflate_crc32(0, verified_.data(), piece.size()) != crc) throw verification_error();

  const auto final_mark = static_cast<std::uint8_t>(1U << (block.begin % 8));
  std::uint8_t& header = compressed_[block.begin / 8];
  header = static_cast<std::uint8_t>(header & ~final_mark);

  // The empty stored block: three zero bits, zeros up to the byte boundary, length 0, complement.
  std::size_t size = (block.end + 7) / 8;
  const auto used_bits = static_cast<unsigned>(block.end % 8);
  if (used_bits != 0) {
    std::uint8_t& tail = compressed_[size - 1];
    tail = static_cast<std::uint8_t>(tail & ((1U << used_bits) - 1));
  }
  if (used_bits == 0 || used_bits > 5) compressed_[size++] = 0;
  constexpr std::array<std::uint8_t, 4> kLengths = {0x00, 0x00, 0xff, 0xff};
  for (const std::uint8_t byte : kLengths) compressed_[size++] = byte;
  return size;
}

CompressedChunk ChunkCompressor::compress(Bytes piece, bool last) {
  CompressedChunk chunk;
  chunk.crc = libdeflate_crc32(0, piece.data(), piece.size());
  std::size_t size = libdeflate_deflate_compress(compressor_, piece.data(), piece.size(),
                                                 compressed_.data(), compressed_.size());
  if (size == 0) throw verification_error();
  if (last) {
    check_complete(size, piece, chunk.crc);
  } else {
    size = unfinish(size, piece, chunk.crc);
  }
  chunk.data.assign(compressed_.begin(), compressed_.begin() + static_cast<std::ptrdiff_t>(size));
  return chunk;
}

}  // namespace torchpkg::zip
