// SPDX-License-Identifier: BSD-3-Clause
// Rows about shared libraries: each test breaks one thing of the good package.
#include <gtest/gtest.h>

#include "check_fixture.h"

namespace torchpkg::test {
namespace {

class CheckLibraries : public SharedCheckTest {
 protected:
  /// Adds one of our libraries, which no manifest has to list.
  void add_library(const std::string& name, const std::string& source, Names flags = {}) const {
    compile_shared(source, root() / "lib" / name, std::move(flags));
  }
};

TEST_F(CheckLibraries, ASymbolThatNothingHas) {
  add_library("libtorch_more.so",
              "void nowhere(); extern \"C\" int more() { nowhere(); return 1; }\n");
  expect_fault("undefined-symbols",
               "lib/libtorch_more.so asks for _Z7nowherev, which nothing that it loads has");
}

TEST_F(CheckLibraries, ASymbolOfALibraryThatIsNotLoaded) {
  // libhelper has it, but this library does not need libhelper.
  add_library("libtorch_more.so",
              "extern \"C\" int helper(); extern \"C\" int more() { return helper(); }\n");
  EXPECT_EQ(failed(root()), Names{"undefined-symbols"});
}

TEST_F(CheckLibraries, AWeakSymbolMayBeMissing) {
  add_library("libtorch_more.so",
              "extern \"C\" int perhaps() __attribute__((weak));\n"
              "extern \"C\" int more() { return perhaps ? perhaps() : 0; }\n");
  EXPECT_EQ(failed(root()), Names{});
}

TEST_F(CheckLibraries, AnEmptyFolderInAnRpath) {
  patchelf({"--force-rpath", "--set-rpath", "$ORIGIN:"}, root() / "lib/libtorch_cpu.so");
  EXPECT_EQ(failed(root()), Names{"rpath"});
}

TEST_F(CheckLibraries, ALibraryThatTheManifestDoesNotList) {
  compile_shared("extern \"C\" int z() { return 1; }\n", root() / "lib/libz.so.1");
  expect_fault("bundled",
               "lib/libz.so.1 is not PyTorch's, and the manifest does not list it as bundled");
  list_as_bundled("libz.so.1");
  EXPECT_EQ(failed(root()), Names{});
}

TEST_F(CheckLibraries, ANameWithAnothersHash) {
  change_manifest([](Json& manifest) {
    for (Json& library : manifest["bundled"]) library["sha256"] = std::string(64, '0');
  });
  EXPECT_EQ(failed(root()), Names{"bundled"});
}

TEST_F(CheckLibraries, WithoutDepsNothingIsBundled) {
  change_manifest([](Json& manifest) { manifest["deps"] = "without-deps"; });
  EXPECT_EQ(failed(root()), Names{"bundled"});
}

TEST_F(CheckLibraries, ALibraryOpenedByName) {
  const auto add_opener = [this](const std::string& name) {
    add_library("libtorch_more.so",
                "#include <dlfcn.h>\nextern \"C\" void* more() { return dlopen(\"" + name +
                    "\", RTLD_NOW); }\n");
    patchelf({"--force-rpath", "--set-rpath", "$ORIGIN"}, root() / "lib/libtorch_more.so");
  };
  add_opener("libtorch_cuda_linalg.so");
  EXPECT_EQ(failed(root()), Names{}) << "a CPU package opens those of GPUs only to say no";
  add_opener("libplugin-2.so.3");
  expect_fault("opened-by-name",
               "lib/libtorch_more.so opens libplugin-2.so.3 by name, which is not inside");
  add_opener("libtorch_cpu.so");
  EXPECT_EQ(failed(root()), Names{});
  add_opener("libmkl_avx2.so.2");
  EXPECT_EQ(failed(root()), Names{}) << "MKL is linked statically";
  add_opener("libnuma.so.1");
  EXPECT_EQ(failed(root()), Names{}) << "libgomp of gcc 14 does without";
  add_opener("cannot load libplugin.so.3");
  EXPECT_EQ(failed(root()), Names{}) << "a message is not a name";
}

TEST_F(CheckLibraries, AnExecutableStack) {
  add_library("libtorch_more.so", "extern \"C\" int more() { return 1; }\n", {"-Wl,-z,execstack"});
  EXPECT_EQ(failed(root()), Names{"loading"});
  EXPECT_TRUE(
      begins_with(first_detail("loading"), "lib/libtorch_more.so asks for an executable stack"));
}

TEST_F(CheckLibraries, ACxxRuntimeOfItsOwn) {
  add_library("libtorch_more.so",
              "extern \"C\" void __cxa_throw(void*, void*, void (*)(void*)) {}\n");
  EXPECT_EQ(failed(root()), Names{"cxx-runtime"});
  add_library(
      "libtorch_more.so",
      "#include <stdexcept>\n#include <string>\n"
      "namespace torch { void more(const std::string& a) { throw std::runtime_error(a); } }\n",
      {"-static-libstdc++"});
  failed(root());
  EXPECT_EQ(verdict("cxx-runtime"), "fail");
  EXPECT_TRUE(begins_with(first_detail("cxx-runtime"), "lib/libtorch_more.so"));
}

TEST_F(CheckLibraries, PythonIsNotNeeded) {
  add_library("libtorch_more.so",
              "extern \"C\" int PyGILState_Check() __attribute__((weak));\n"
              "extern \"C\" int more() { return PyGILState_Check ? PyGILState_Check() : 0; }\n");
  EXPECT_EQ(failed(root()), Names{}) << "it works with and without";
  add_library("libtorch_more.so",
              "extern \"C\" int PyGILState_Check();\n"
              "extern \"C\" int more() { return PyGILState_Check(); }\n");
  EXPECT_EQ(failed(root()), (Names{"undefined-symbols", "python-free"}));
  EXPECT_EQ(first_detail("python-free"), "lib/libtorch_more.so asks for PyGILState_Check");
}

TEST_F(CheckLibraries, CodeForGpus) {
  add_library("libtorch_more.so",
              "__attribute__((section(\".nv_fatbin\"), used)) static const char code[] = \"x\";\n");
  EXPECT_EQ(failed(root()), Names{"gpu-code"});
  add_library("libtorch_more.so", "extern \"C\" int more() { return 1; }\n");
  patchelf({"--add-needed", "libcuda.so.1"}, root() / "lib/libtorch_more.so");
  expect_fault("gpu-code", "lib/libtorch_more.so needs libcuda.so.1");
}

TEST_F(CheckLibraries, LibrariesForTwoMachines) {
  std::string bytes = file_content(root() / "lib/libc10.so");
  bytes[18] = static_cast<char>(0xb7);  // e_machine: AArch64
  write_file(root() / "lib/other/libc10.so", bytes);
  EXPECT_EQ(failed(root()), Names{"platform"});
}

TEST_F(CheckLibraries, ABlasThatIsNotInside) {
  change_manifest([](Json& manifest) { manifest["packages"][2]["name"] = "mkl"; });
  fs::rename(root() / "share/licenses/openblas", root() / "share/licenses/mkl");
  expect_fault("cpu-features", "the manifest has the package mkl, but MKL is not inside");
}

TEST_F(CheckLibraries, ABlasWithoutLapack) {
  const fs::path library = root() / "lib/libtorch_cpu.so";
  std::string bytes = file_content(library);
  const std::size_t at = bytes.find("sgesdd_");
  ASSERT_NE(at, std::string::npos);
  write_file(library, bytes.replace(at, 7, "nothing"));
  expect_fault("cpu-features", "there is no LAPACK inside");
}

TEST_F(CheckLibraries, AFeatureThatIsOffButInside) {
  change_manifest([](Json& manifest) { manifest["features"]["MKLDNN"] = {{"enabled", false}}; });
  expect_fault("cpu-features", "MKLDNN is off in the manifest but inside");
}

}  // namespace
}  // namespace torchpkg::test
