// SPDX-License-Identifier: BSD-3-Clause
#include "conda/zstd_stream.h"

#include <fmt/core.h>
#include <zstd.h>

#include "common/error.h"

namespace torchpkg::conda {

namespace {

// What one thread compresses at a time. By itself libzstd takes four windows, 32 MiB at level 19:
// then the last of a dozen jobs runs alone, and an interrupt waits for those that have begun.
constexpr int kJobBytes = 8 << 20;
// How much of what lies before a job is searched for repetitions: 1/32 of the window. All of it,
// libzstd's choice at high levels, is read by every job, and costs CPU time when jobs are small.
// What it comes to is in docs/benchmarks.md.
constexpr int kOverlapLog = 4;

std::size_t checked(std::size_t result) {
  if (ZSTD_isError(result) != 0U) {
    throw Error(ExitCode::kEnvironment,
                fmt::format("compressing failed: {}", ZSTD_getErrorName(result)),
                "use fewer --jobs or a lower --level: memory is short, or no more threads can be "
                "started (ulimit -u)");
  }
  return result;
}

}  // namespace

void ZstdStream::Free::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }

ZstdStream::ZstdStream(int level, unsigned jobs, Sink sink)
    : context_(ZSTD_createCCtx()), sink_(std::move(sink)), out_(ZSTD_CStreamOutSize()) {
  if (!context_) throw std::bad_alloc();
  checked(ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, level));
  checked(ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1));
  // At least one worker: without any, libzstd does not cut the input, and the bytes are others.
  checked(ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_nbWorkers, static_cast<int>(jobs)));
  checked(ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_jobSize, kJobBytes));
  checked(ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_overlapLog, kOverlapLog));
}

ZstdStream::~ZstdStream() = default;

void ZstdStream::check_level(int level) {
  if (level < 1 || level > ZSTD_maxCLevel()) {
    throw Error(ExitCode::kUsage, fmt::format("there is no level {} of Zstandard", level),
                fmt::format("give 1 to {}", ZSTD_maxCLevel()));
  }
}

void ZstdStream::append(Bytes data) {
  ZSTD_inBuffer in{data.data(), data.size(), 0};
  while (in.pos < in.size) {
    ZSTD_outBuffer out{out_.data(), out_.size(), 0};
    checked(ZSTD_compressStream2(context_.get(), &out, &in, ZSTD_e_continue));
    if (out.pos != 0) sink_(Bytes(out_).first(out.pos));
  }
}

void ZstdStream::finish() {
  ZSTD_inBuffer in{nullptr, 0, 0};
  std::size_t left = 1;
  while (left != 0) {
    ZSTD_outBuffer out{out_.data(), out_.size(), 0};
    left = checked(ZSTD_compressStream2(context_.get(), &out, &in, ZSTD_e_end));
    if (out.pos != 0) sink_(Bytes(out_).first(out.pos));
  }
}

}  // namespace torchpkg::conda
