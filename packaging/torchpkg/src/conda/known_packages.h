// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace torchpkg::conda {

/// The conda packages that have a library in `lib/` of the prefix.
struct Origin {
  std::vector<std::string> packages;  ///< any of them will do; empty: none is known
  bool same_build = false;            ///< only the build that others were linked with fits them
};

/// By the SONAME of a library: the runtimes of GCC and of OpenMP, Python's, libtorch's, NVIDIA's.
/// Not those of the C library, which conda takes from the host.
Origin origin_of(std::string_view library);

/// What a symbol version asks for.
struct Need {
  std::vector<std::string> packages;  ///< under the names that it has or had
  std::string version;                ///< the oldest that will do; empty: any
};

/// `GLIBC_2.34`: `__glibc` 2.34, what conda knows the host's C library as; `GLIBCXX_3.4.32`:
/// libstdcxx 13.2; `GCC_12.0.0`: libgcc 12. Nothing for other families, and for what GCC 5 had,
/// which is older than any that conda has.
Need need_of(std::string_view symbol_version);

/// What `depends` has to name of the host for files that ask for these symbol versions and
/// libraries: "__glibc >=2.34,<3.0.a0", "libgcc >=12", "libstdcxx >=12", and "_openmp_mutex >=4.5"
/// where libgomp is among them; of NVIDIA's libraries the names alone ("libcublas"; of CUDA 11's
/// toolkit "cudatoolkit" for all of them), since no symbol tells their versions. No bound is lower
/// than what conda's own compilers build for.
std::vector<std::string> host_packages(const std::set<std::string>& symbol_versions,
                                       const std::set<std::string>& libraries);

/// A package with libraries of NVIDIA's.
struct CudaPackage {
  std::string version;    ///< its member of `cuda.versions` in the manifest: "cublas"
  bool until_11 = false;  ///< it has CUDA 11's toolkit
  bool since_12 = false;  ///< it has a part of the toolkit, and is there from CUDA 12 on
};

/// Nothing when the name is not one of those.
std::optional<CudaPackage> cuda_package(std::string_view name);

/// The machine of a channel's folder, as ElfImage::machine() calls it: "x86_64" of "linux-64";
/// empty for a folder whose packages have no ELF files.
std::string machine_of(std::string_view subdir);

/// Whether a folder's name is that of a channel's folder for one platform, or for all.
bool is_subdir(std::string_view name);

}  // namespace torchpkg::conda
