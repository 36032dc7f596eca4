// SPDX-License-Identifier: BSD-3-Clause
// The list of all checks.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "checks/checks.h"
#include "common/text.h"

namespace torchpkg {

namespace {

// Scopes: why a check does not apply to a package; empty when it does.

std::string any(const PackageFacts& /*facts*/) { return {}; }

std::string with_elf_files(const PackageFacts& facts) {
  return facts.elves.empty() ? "there is no ELF file" : "";
}

std::string with_libraries(const PackageFacts& facts) {
  return facts.elves.empty() && facts.archives.empty() ? "there is no library" : "";
}

std::string with_symbol_rules(const PackageFacts& facts) {
  if (facts.manifest.is_static()) return "a static package; its libraries are not linked yet";
  return facts.manifest.symbols ? "" : "the manifest names no symbols of third-party libraries";
}

std::string static_packages(const PackageFacts& facts) {
  return facts.manifest.is_static() ? "" : "a shared package; contents says that it has none";
}

std::string cxx_packages(const PackageFacts& facts) {
  return facts.manifest.product == "libtorch" ? "" : "the product is " + facts.manifest.product;
}

std::string wheels(const PackageFacts& facts) { return facts.wheel ? "" : "not a wheel"; }

std::string conda_packages(const PackageFacts& facts) {
  return facts.conda ? "" : "not a conda package";
}

std::string cpu_packages(const PackageFacts& facts) {
  if (!facts.manifest.is_cpu()) return "a package for GPUs: see gpu-architectures";
  return with_elf_files(facts);
}

std::string cuda_packages(const PackageFacts& facts) {
  if (facts.manifest.cuda) return {};
  return facts.manifest.is_cpu() ? "a CPU package" : "the backend is " + facts.manifest.backend;
}

std::string rocm_packages(const PackageFacts& facts) {
  if (facts.manifest.rocm) return {};
  return facts.manifest.is_cpu() ? "a CPU package" : "the backend is " + facts.manifest.backend;
}

/// The package pytorch of conda leaves libtorch's libraries to the package libtorch.
std::string with_torch_cpu(const PackageFacts& facts) {
  if (!facts.conda) return {};
  if (!facts.conda->index) return "index.json is missing or wrong";
  return facts.conda->index->needs_libtorch() ? "libtorch_cpu is in the package libtorch" : "";
}

std::string with_openmp(const PackageFacts& facts) {
  const std::string reason = with_libraries(facts);
  return reason.empty() ? with_torch_cpu(facts) : reason;
}

std::string nvrtc_openers(const PackageFacts& facts) {
  const std::string reason = cuda_packages(facts);
  return reason.empty() ? with_torch_cpu(facts) : reason;
}

std::string with_gpu_code(const PackageFacts& facts) {
  std::string reason = nvrtc_openers(facts);
  const bool has_code = std::any_of(facts.cuda.begin(), facts.cuda.end(),
                                    [](const CudaFacts& one) { return !one.code.none(); });
  // What has code after all is looked at.
  return facts.manifest.cuda && has_code ? "" : reason;
}

std::string indexed_conda_packages(const PackageFacts& facts) {
  if (!facts.conda) return "not a conda package";
  return facts.conda->index ? "" : "index.json is missing or wrong";
}

std::string on_gpus(const PackageFacts& facts) {
  return facts.manifest.is_cpu()
             ? "a CPU package"
             : "decided by running it on a machine with a GPU, not from its files";
}

using Scope = std::string (*)(const PackageFacts&);
using Decide = void (*)(const PackageFacts&, Row&);

/// The numbers are those of the README's table; several rows may have one number.
struct Check {
  int number;
  const char* name;
  Scope scope;
  Decide decide;
  /// In its place for conda packages, which take libraries from what `depends` names.
  Decide decide_conda = nullptr;
};

constexpr auto kChecks = std::to_array<Check>({
    {0, "archive", any, check_archive},
    {0, "elf-files", any, check_elf_files},
    {1, "closure", with_elf_files, check_closure, check_conda_closure},
    {1, "undefined-symbols", with_libraries, check_undefined_symbols},
    {0, "third-party-symbols", with_symbol_rules, check_third_party_symbols},
    {2, "rpath", with_elf_files, check_rpath},
    {3, "library-names", with_elf_files, check_library_names},
    {3, "bundled", any, check_bundled},
    {3, "opened-by-name", with_elf_files, check_opened_by_name},
    {4, "nvrtc", nvrtc_openers, check_nvrtc},
    {5, "contents", any, check_contents},
    {5, "static-libraries", static_packages, check_static_libraries},
    {6, "config-paths", any, check_config_paths},
    {6, "config-files", any, check_config_files},
    {7, "cxx-abi", any, check_cxx_abi},
    {7, "cxx-runtime", with_elf_files, check_cxx_runtime},
    {8, "platform", with_elf_files, check_platform, check_conda_platform},
    {8, "loading", with_libraries, check_loading},
    {9, "wheel", wheels, check_wheel},
    {10, "entry-points", wheels, check_entry_points},
    {0, "conda", conda_packages, check_conda},
    {11, "gpu-code", cpu_packages, check_gpu_code},
    {11, "gpu-architectures", with_gpu_code, check_gpu_architectures},
    {11, "hip-architectures", rocm_packages, check_hip_architectures},
    {12, "versions", any, check_versions},
    {12, "header-versions", any, check_header_versions},
    {12, "cuda-versions", cuda_packages, check_cuda_versions},
    {12, "cuda-depends", indexed_conda_packages, check_cuda_depends},
    {13, "gpu-numerics", on_gpus, nullptr},
    {14, "openmp", with_openmp, check_openmp},
    {14, "cpu-features", with_torch_cpu, check_cpu_features},
    {14, "cpu-kernels", with_torch_cpu, check_cpu_kernels},
    {15, "python-free", cxx_packages, check_python_free},
    {0, "bill-of-materials", any, check_bill},
    {0, "licences", any, check_licences},
    {0, "debug-information", with_libraries, check_debug_information},
    {0, "build-paths", any, check_build_paths},
});

Row run(const Check& check, const PackageFacts& facts) {
  Row row{check.number, check.name};
  const bool conda = facts.conda && check.decide_conda != nullptr;
  std::string reason = check.scope(facts);
  if (reason.empty() && conda) reason = indexed_conda_packages(facts);
  if (!reason.empty()) {
    row.not_applicable(reason);
  } else {
    (conda ? check.decide_conda : check.decide)(facts, row);
  }
  return row;
}

}  // namespace

void Row::decide(std::vector<std::string> wrong, const std::string& found_when_good) {
  details = std::move(wrong);
  verdict = details.empty() ? Verdict::kPass : Verdict::kFail;
  found = details.empty() ? found_when_good : join_some(details, 1);
}

void Row::not_applicable(const std::string& reason) {
  details.clear();
  verdict = Verdict::kNotApplicable;
  found = reason;
}

std::string elf_count(const PackageFacts& facts) {
  return fmt::format("{} ELF files", facts.elves.size());
}

std::string library_count(const PackageFacts& facts) {
  return fmt::format("{}, {} static libraries", elf_count(facts), facts.archives.size());
}

std::vector<Row> run_checks(const PackageFacts& facts) {
  using Clock = std::chrono::steady_clock;
  std::vector<Row> rows;
  for (const Check& check : kChecks) {
    const Clock::time_point begin = Clock::now();
    Row row{check.number, check.name};
    if (!rows.empty() && rows[0].verdict == Verdict::kFail) {
      row.not_applicable("the archive is damaged");  // nothing else of it was read
    } else {
      row = run(check, facts);
    }
    row.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace torchpkg
