// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/gpu_arch.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

namespace torchpkg {

namespace {

std::string_view prefix_of(CodeKind kind) {
  switch (kind) {
    case CodeKind::kSass:
      return "sm_";
    case CodeKind::kPtx:
      return "compute_";
    case CodeKind::kLtoIr:
      return "lto_";
    case CodeKind::kOther:
      break;
  }
  return "unknown_";
}

std::string variant_of(const GpuArch& arch) {
  return arch.variant == 0 ? std::string() : std::string(1, arch.variant);
}

/// A number of digits only, as long as no capability is; nothing otherwise.
std::optional<std::uint32_t> number_of(std::string_view digits) {
  std::uint32_t number = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = parsed.ec == std::errc{} && parsed.ptr == digits.data() + digits.size();
  return whole && digits.size() <= 2 ? std::optional(number) : std::nullopt;
}

/// Whether code can run on a GPU, machine code as it is and PTX compiled by its driver.
bool runs_on(std::uint32_t gpu, const CodeTarget& code) {
  if (code.arch.variant == 'a') return code.arch.number == gpu;
  const bool only_in_family = code.kind == CodeKind::kSass || code.arch.variant == 'f';
  if (only_in_family && code.arch.number / 10 != gpu / 10) return false;
  return code.arch.number <= gpu;
}

}  // namespace

std::string CodeTarget::name() const {
  return fmt::format("{}{}{}", prefix_of(kind), arch.number, variant_of(arch));
}

std::vector<CodeTarget> targets_for(std::uint32_t gpu, const std::vector<CodeTarget>& there) {
  for (const CodeKind kind : {CodeKind::kSass, CodeKind::kPtx}) {
    std::vector<CodeTarget> best;
    for (const CodeTarget& code : there) {
      if (code.kind != kind || !runs_on(gpu, code)) continue;
      if (!best.empty() && best.front().arch.number > code.arch.number) continue;
      if (!best.empty() && best.front().arch.number < code.arch.number) best.clear();
      best.push_back(code);
    }
    if (!best.empty()) return best;
  }
  return {};
}

std::set<CodeTarget> targets_of_slice(const std::vector<WantedArch>& gpus,
                                      const std::vector<CodeTarget>& there) {
  std::set<CodeTarget> kept;
  bool ptx = false;
  for (const WantedArch& gpu : gpus) {
    const std::vector<CodeTarget> taken = targets_for(gpu.arch.number, there);
    kept.insert(taken.begin(), taken.end());
    ptx = ptx || gpu.ptx;
  }
  for (const CodeTarget& code : there) {
    const bool wanted = code.kind == CodeKind::kPtx ? ptx : code.kind != CodeKind::kSass;
    if (wanted) kept.insert(code);
  }
  return kept;
}

std::optional<WantedArch> parse_wanted_arch(std::string_view text) {
  constexpr std::string_view kPtx = "+PTX";
  WantedArch wanted;
  wanted.ptx = text.ends_with(kPtx);
  if (wanted.ptx) text.remove_suffix(kPtx.size());
  if (text.ends_with('a') || text.ends_with('f')) {
    wanted.arch.variant = text.back();
    text.remove_suffix(1);
  }
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos || dot + 2 != text.size()) return std::nullopt;
  const std::optional<std::uint32_t> major = number_of(text.substr(0, dot));
  const std::optional<std::uint32_t> minor = number_of(text.substr(dot + 1));
  if (!major || !minor || *major == 0) return std::nullopt;
  wanted.arch.number = *major * 10 + *minor;
  return wanted;
}

std::vector<CodeTarget> targets_of(const std::vector<WantedArch>& list) {
  std::vector<CodeTarget> targets;
  for (const WantedArch& wanted : list) {
    targets.push_back({CodeKind::kSass, wanted.arch});
    if (wanted.ptx) targets.push_back({CodeKind::kPtx, wanted.arch});
  }
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  return targets;
}

}  // namespace torchpkg
