// SPDX-License-Identifier: BSD-3-Clause
// A good package passes every check; each test breaks one thing and one row must fail.
#include <gtest/gtest.h>

#include <set>

#include "bills.h"
#include "check_fixture.h"
#include "sample_package.h"

namespace torchpkg::test {
namespace {

class Check : public SharedCheckTest {};

TEST_F(Check, TheGoodPackagePassesEverything) {
  EXPECT_EQ(failed_when_packed(), Names{}) << report_.dump(2);
  const Names expected = {
      "archive",  "elf-files",   "contents",       "closure",      "undefined-symbols",
      "rpath",    "bundled",     "library-names",  "config-paths", "config-files",
      "cxx-abi",  "cxx-runtime", "platform",       "loading",      "versions",
      "gpu-code", "openmp",      "opened-by-name", "cpu-features", "python-free",
      "licences"};
  for (const std::string& name : expected) EXPECT_EQ(verdict(name), "pass") << name;
  EXPECT_EQ(failed(root()), Names{}) << report_.dump(2);
  EXPECT_EQ(verdict("archive"), "not applicable");
  EXPECT_EQ(verdict("build-paths"), "not applicable");
}

TEST_F(Check, ABackendThatItDoesNotKnow) {
  for (const char* backend : {"ab70", "cu7"}) {  // the second one begins as cu124 does
    change({set("/backend", backend), set("/backend_kind", "abacus")});
    EXPECT_EQ(failed(root()), Names{}) << backend;
    EXPECT_EQ(verdict("closure"), "pass");
    for (const char* row : {"nvrtc", "gpu-architectures", "cuda-versions"}) {
      EXPECT_EQ(verdict(row), "not applicable") << row;
      EXPECT_EQ(found(row), std::string("the backend is ") + backend);
    }
  }
}

TEST_F(Check, EachNumberHasARow) {
  failed(root());
  std::set<int> numbers;
  for (const Json& row : report_["checks"]) {
    if (row.contains("number")) numbers.insert(row["number"].get<int>());
  }
  EXPECT_EQ(numbers.size(), 15U);
  EXPECT_EQ(found("nvrtc"), "a CPU package");
  EXPECT_EQ(found("wheel"), "not a wheel");
  EXPECT_EQ(verdict("static-libraries"), "not applicable");
}

TEST_F(Check, TheGoodPackageRuns) {
  EXPECT_EQ(run_command({"env", "-i", (root() / "bin/tool").string()}).exit_code, 0);
}

TEST_F(Check, FindsWhatIsBroken) {
  const Change rename_gomp = [](const fs::path& root) {
    fs::copy(root / "lib/libgomp.so.1", root / "lib/libgomp-0123abcd.so.1");
  };
  const Change cut_c10 = [](const fs::path& root) {
    fs::copy(root / "lib/libc10.so", root / "lib/libbroken.so");
    fs::resize_file(root / "lib/libbroken.so", 500);
  };
  const std::string helper_file = "lib/" + helper().filename().string();
  const Names old_abi{"-D_GLIBCXX_USE_CXX11_ABI=0"};
  const std::string config = "share/cmake/Torch/TorchConfig.cmake";
  packed_ = true;
  broken("a missing library", {drop(helper_file)}, "closure bundled",
         "lib/libtorch_cpu.so needs libhelper-*");
  broken("a build path in an RPATH",
         {set_rpath("lib/libtorch_cpu.so", "$ORIGIN:/build/pytorch/lib")}, "rpath",
         "lib/libtorch_cpu.so has /build/pytorch/lib in its RPATH");
  broken("the old ABI", {put_library("lib/libc10.so", kC10Source, old_abi)},
         "undefined-symbols cxx-abi", "lib/libc10.so has 1 symbols of the old ABI*");
  broken("an absolute path in a CMake file",
         {put("share/cmake/Caffe2/Caffe2Targets.cmake",
              "set_target_properties(torch PROPERTIES\n"
              "  INTERFACE_LINK_LIBRARIES \"c10;/usr/local/cuda/lib64/libculibos.a\")\n")},
         "config-paths",
         "share/cmake/Caffe2/Caffe2Targets.cmake:2 has the absolute path "
         "/usr/local/cuda/lib64/libculibos.a");
  broken("a renamed library without SONAME", {[&](const fs::path& root) {
           compile("extern \"C\" int helper() { return 1; }\n", root / helper_file,
                   {"-shared", "-fPIC"});
         }},
         "library-names", helper_file + " is needed by others but has no SONAME");
  broken("two OpenMP runtimes",
         {put_library("lib/libiomp5.so", "extern \"C\" int omp() { return 1; }\n"),
          list_bundled("libiomp5.so")},
         "openmp", "2 OpenMP runtimes: libgomp.so.1, libiomp5.so");
  broken("a missing licence", {drop("share/licenses/sleef")}, "licences",
         "sleef has no file in share/licenses/sleef/");
  packed_ = false;
  broken("the old ABI in a library that is not listed",
         {put_library("lib/libvendor.so.9", kC10Source, old_abi)}, "bundled cxx-abi",
         "lib/libvendor.so.9 has 1 symbols of the old ABI*");
  good("the ABI in a library that was copied is its own",
       {put_library("lib/libvendor.so.9", kC10Source, old_abi), list_bundled("libvendor.so.9")});
  broken("a library renamed, but not in its SONAME", {set_soname(helper_file, "libhelper.so.1")},
         "library-names");
  broken("a renamed libgomp beside the system's",
         {rename_gomp, set_soname("lib/libgomp-0123abcd.so.1", "libgomp-0123abcd.so.1"),
          list_bundled("libgomp-0123abcd.so.1", "0123abcdef")},
         "openmp");
  broken("an OpenMP runtime linked into a library",
         {put_library("lib/libmore.so", "extern \"C\" void __kmpc_fork_call() {}\n"),
          list_bundled("libmore.so")},
         "openmp");
  broken("an RPATH that leaves the package",
         {set_rpath("bin/tool", "$ORIGIN/../lib:$ORIGIN/../../x")}, "rpath");
  broken(
      "an RPATH that misses a library", {set_rpath("bin/tool", "$ORIGIN")}, "closure",
      "bin/tool needs libtorch_cpu.so, which is inside as lib/libtorch_cpu.so but not reached by "
      "its RPATH");
  broken("a RUNPATH instead of an RPATH",
         {run_on("lib/libtorch_cpu.so", {"patchelf", "--remove-rpath"}),
          run_on("lib/libtorch_cpu.so", {"patchelf", "--set-rpath", "$ORIGIN"})},
         "rpath");
  broken("the flag of the other ABI in the configuration",
         {put(config, "set(TORCH_CXX_FLAGS \"-D_GLIBCXX_USE_CXX11_ABI=0\")\n")}, "cxx-abi");
  broken("the libraries have the new ABI",
         {put(config, "set(TORCH_CXX_FLAGS \"-D_GLIBCXX_USE_CXX11_ABI=0\")\n"),
          set("/cxx11_abi", false)},
         "cxx-abi");
  broken("a platform that is too optimistic", {set("/platform/glibc", "2.1")}, "platform");
  broken("a feature that is claimed, but not inside", {set("/features/MKL/enabled", true)},
         "cpu-features", "MKL is on in the manifest but not inside");
  broken("a static library", {put("lib/libextra.a", "!<arch>\n")}, "contents");
  broken("PyTorch's Python library", {put("lib/libtorch_python.so", "not even ELF")},
         "elf-files contents");
  broken("a damaged ELF file", {cut_c10}, "elf-files");
  broken("a symlink that leaves the package",
         {[](const fs::path& root) { fs::create_symlink("../../outside", root / "lib/link"); }},
         "archive", "lib/link is a symlink to ../../outside, outside the package");
}

TEST_F(Check, ATruncatedZip) {
  pack();
  const std::uintmax_t size = fs::file_size(archive()) - 1000;
  fs::resize_file(archive(), size);
  expect_fault(failed(archive()), "archive",
               "byte " + std::to_string(size) +
                   ": the file ends before the end record of the archive: it is truncated");
  EXPECT_EQ(verdict("closure"), "not applicable");
}

TEST_F(Check, MissingKernels) {
  EXPECT_EQ(failed(root()), Names{});
  if (verdict("cpu-kernels") != "pass") GTEST_SKIP() << "not an x86-64 machine";
  const std::string source =
      "#include <string>\n#include <cstdio>\n"
      "namespace torch { std::string version(const std::string& t) { "
      "std::printf(\"onednn_verbose OPENBLAS_NUM_THREADS sgesdd_\"); return t; } }\n";
  broken("none of them",
         {put_library("lib/libtorch_cpu.so", source, {"-fopenmp", "-Wl,--no-as-needed"}),
          set_rpath("lib/libtorch_cpu.so", "$ORIGIN")},
         "cpu-kernels");
}

TEST_F(Check, ACrcThatIsWrong) {
  pack();
  std::string bytes = file_content(archive());
  const std::size_t at = bytes.find("2.6.0+cpu\n");  // too small to be compressed
  ASSERT_NE(at, std::string::npos);
  bytes[at] = '3';
  write_file(archive(), bytes);
  EXPECT_EQ(failed(archive()), Names{"archive"});
  EXPECT_TRUE(contains(first_detail("archive"), "the content of libtorch/build-version"));
}

TEST_F(Check, WithoutDepsTheHostMayHaveWhatTheManifestNames) {
  const std::string name = helper().filename().string();
  fs::remove(root() / "lib/libgomp.so.1");
  fs::remove(helper());
  EXPECT_EQ(failed(root()), (Names{"closure", "bundled"}));
  change({set("/deps", "without-deps"), set("/bundled", Json::array())});
  EXPECT_EQ(failed(root()), Names{"closure"});
  EXPECT_TRUE(
      contains(report_.dump(), name + " must come from the host, but the manifest does not name "
                                      "it in host_libraries"));
  const auto name_hosts = [&](const Names& versions) {
    change({set("/host_libraries", {{{"name", name}, {"symbol_versions", Json::array()}},
                                    {{"name", "libgomp.so.1"}, {"symbol_versions", versions}}})});
  };
  name_hosts({});
  EXPECT_EQ(failed(root()), Names{"closure"});
  EXPECT_TRUE(begins_with(first_detail("closure"), "lib/libtorch_cpu.so needs "));
  name_hosts({"GOMP_1.0", "GOMP_4.0", "GOMP_4.5", "OMP_1.0"});
  EXPECT_EQ(failed(root()), Names{}) << report_.dump(2);
}

TEST_F(Check, BadInputEndsWithThree) {
  const auto result_for = [](const fs::path& package) {
    return torchpkg({"check", package.string()});
  };
  write_file(folder_ / "text", "hello");
  EXPECT_EQ(result_for(folder_ / "text").exit_code, 3);
  change({unset("/packages/0/license")});
  const CommandResult missing = result_for(root());
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_TRUE(contains(missing.output, "manifest.json: (/packages/0) key 'license' not found"));
  fs::remove(root() / "manifest.json");
  EXPECT_EQ(result_for(root()).exit_code, 3);
  EXPECT_EQ(result_for(folder_ / "nothing").exit_code, 4);
}

TEST_F(Check, ReportsAsText) {
  fs::remove_all(root() / "share/licenses/sleef");
  write_bills(root());
  const CommandResult text = torchpkg({"check", root().string()});
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_TRUE(contains(text.output, "FAIL     licences"));
}

}  // namespace
}  // namespace torchpkg::test
