// SPDX-License-Identifier: BSD-3-Clause
// Rows about shared libraries: faults of the good package.
#include <gtest/gtest.h>

#include "check_fixture.h"

namespace torchpkg::test {
namespace {

class CheckLibraries : public SharedCheckTest {
 protected:
  /// Faults of one of our libraries, which no manifest has to list.
  static constexpr const char* kMore = "lib/libtorch_more.so";

  static Change more(const std::string& source, const Names& flags = {}) {
    return put_library(kMore, source, flags);
  }
};

TEST_F(CheckLibraries, Symbols) {
  broken("a symbol that nothing has",
         {more("void nowhere(); extern \"C\" int more() { nowhere(); return 1; }\n")},
         "undefined-symbols",
         "lib/libtorch_more.so asks for _Z7nowherev, which nothing that it loads has");
  broken("one of libhelper, which this library does not need",
         {more("extern \"C\" int helper(); extern \"C\" int more() { return helper(); }\n")},
         "undefined-symbols");
  good("a weak symbol may be missing",
       {more("extern \"C\" int perhaps() __attribute__((weak));\n"
             "extern \"C\" int more() { return perhaps ? perhaps() : 0; }\n")});
  broken("a C++ runtime of its own",
         {more("extern \"C\" void __cxa_throw(void*, void*, void (*)(void*)) {}\n")},
         "cxx-runtime");
  good("Python's, which works with and without",
       {more("extern \"C\" int PyGILState_Check() __attribute__((weak));\n"
             "extern \"C\" int more() { return PyGILState_Check ? PyGILState_Check() : 0; }\n")});
  broken("Python's",
         {more("extern \"C\" int PyGILState_Check();\n"
               "extern \"C\" int more() { return PyGILState_Check(); }\n")},
         "undefined-symbols python-free", "lib/libtorch_more.so asks for PyGILState_Check");
}

TEST_F(CheckLibraries, ACxxRuntimeLinkedIn) {
  change({more(
      "#include <stdexcept>\n#include <string>\n"
      "namespace torch { void more(const std::string& a) { throw std::runtime_error(a); } }\n",
      {"-static-libstdc++"})});
  failed(root());
  EXPECT_EQ(verdict("cxx-runtime"), "fail");
  EXPECT_TRUE(begins_with(first_detail("cxx-runtime"), "lib/libtorch_more.so"));
}

TEST_F(CheckLibraries, Files) {
  const Change libz = put_library("lib/libz.so.1", "extern \"C\" int z() { return 1; }\n");
  const std::string function = "extern \"C\" int more() { return 1; }\n";
  std::string aarch64 = file_content(root() / "lib/libc10.so");
  aarch64[18] = static_cast<char>(0xb7);  // e_machine
  std::string kernels = aarch64;
  kernels[18] = static_cast<char>(0xe0);  // EM_AMDGPU
  broken("an empty folder in an RPATH", {set_rpath("lib/libtorch_cpu.so", "$ORIGIN:")}, "rpath");
  broken("a library that the manifest does not list", {libz}, "bundled",
         "lib/libz.so.1 is not PyTorch's, and the manifest does not list it as bundled");
  good("one that it lists", {libz, list_bundled("libz.so.1")});
  broken("a name with another's hash",
         {set("/bundled/0/sha256", std::string(64, '0')),
          set("/bundled/1/sha256", std::string(64, '0'))},
         "bundled");
  broken("without-deps nothing is bundled", {set("/deps", "without-deps")}, "bundled");
  broken("an executable stack", {more(function, {"-Wl,-z,execstack"})}, "loading",
         "lib/libtorch_more.so asks for an executable stack*");
  broken("code for GPUs",
         {more("__attribute__((section(\".nv_fatbin\"), used)) "
               "static const char code[] = \"x\";\n")},
         "gpu-code");
  broken("CUDA's driver", {more(function), add_needed(kMore, "libcuda.so.1")}, "gpu-code",
         "lib/libtorch_more.so needs libcuda.so.1");
  broken("libraries for two machines", {put("lib/other/libc10.so", aarch64)}, "platform");
  good("kernels for AMD's GPUs are data", {put("lib/other/gfx90a.hsaco", kernels)});
  broken("a library is none", {put("lib/other/libc10.so", kernels)}, "platform");
  broken("a library that is not an ELF file", {put("lib/libc10.so", "text")}, "elf-files",
         "lib/libc10.so is not an ELF file, as a library must be");
  broken(
      "a BLAS that is not inside",
      {set("/packages/2/name", "mkl"), move_file("share/licenses/openblas", "share/licenses/mkl")},
      "cpu-features", "the manifest has the package mkl, but MKL is not inside");
  broken("a BLAS without LAPACK", {replace("lib/libtorch_cpu.so", "sgesdd_", "nothing")},
         "cpu-features", "there is no LAPACK inside");
  broken("a feature that is off but inside", {set("/features/MKLDNN/enabled", false)},
         "cpu-features", "MKLDNN is off in the manifest but inside");
}

TEST_F(CheckLibraries, ALibraryOpenedByName) {
  const auto opener = [](const std::string& name) -> std::vector<Change> {
    return {more("#include <dlfcn.h>\nextern \"C\" void* more() { return dlopen(\"" + name +
                 "\", RTLD_NOW); }\n"),
            set_rpath(kMore, "$ORIGIN")};
  };
  good("a CPU package opens those of GPUs only to say no", opener("libtorch_cuda_linalg.so"));
  broken("of nobody", opener("libplugin-2.so.3"), "opened-by-name",
         "lib/libtorch_more.so opens libplugin-2.so.3 by name, which is not inside");
  good("ours", opener("libtorch_cpu.so"));
  good("MKL is linked statically", opener("libmkl_avx2.so.2"));
  good("libgomp of gcc 14 does without", opener("libnuma.so.1"));
  good("a message is not a name", opener("cannot load libplugin.so.3"));
}

}  // namespace
}  // namespace torchpkg::test
