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
    change_manifest([&](Json& manifest) {
      manifest["backend"] = backend;
      manifest["backend_kind"] = "abacus";
    });
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

// A good package, broken in one way each.

TEST_F(Check, BrokenMissingLibrary) {
  fs::remove(helper());
  EXPECT_EQ(failed_when_packed(), (Names{"closure", "bundled"}));
  EXPECT_TRUE(contains(first_detail("closure"), "lib/libtorch_cpu.so needs libhelper-"));
}

TEST_F(Check, BrokenBuildPathInRpath) {
  patchelf({"--force-rpath", "--set-rpath", "$ORIGIN:/build/pytorch/lib"},
           root() / "lib/libtorch_cpu.so");
  expect_fault(failed_when_packed(), "rpath",
               "lib/libtorch_cpu.so has /build/pytorch/lib in its RPATH");
}

TEST_F(Check, BrokenWrongAbi) {
  compile_shared(kC10Source, root() / "lib/libc10.so", {"-D_GLIBCXX_USE_CXX11_ABI=0"});
  EXPECT_EQ(failed_when_packed(), (Names{"undefined-symbols", "cxx-abi"}));
  EXPECT_TRUE(contains(first_detail("cxx-abi"), "lib/libc10.so has 1 symbols of the old ABI"));
}

TEST_F(Check, TheAbiInsideALibraryThatWasCopiedIsItsOwn) {
  const fs::path library = root() / "lib/libvendor.so.9";
  compile_shared(kC10Source, library, {"-D_GLIBCXX_USE_CXX11_ABI=0"});
  EXPECT_EQ(failed(root()), (Names{"bundled", "cxx-abi"}));
  EXPECT_TRUE(contains(first_detail("cxx-abi"), "lib/libvendor.so.9 has 1 symbols of the old ABI"));
  list_as_bundled("libvendor.so.9");
  EXPECT_EQ(failed(root()), Names{}) << report_.dump(2);
}

TEST_F(Check, BrokenAbsolutePathInACMakeFile) {
  write_file(root() / "share/cmake/Caffe2/Caffe2Targets.cmake",
             "set_target_properties(torch PROPERTIES\n"
             "  INTERFACE_LINK_LIBRARIES \"c10;/usr/local/cuda/lib64/libculibos.a\")\n");
  expect_fault(failed_when_packed(), "config-paths",
               "share/cmake/Caffe2/Caffe2Targets.cmake:2 has the absolute path "
               "/usr/local/cuda/lib64/libculibos.a");
}

TEST_F(Check, BrokenRenamedLibraryWithoutSoname) {
  const fs::path library = helper();
  compile("extern \"C\" int helper() { return 1; }\n", library, {"-shared", "-fPIC"});
  expect_fault(failed_when_packed(), "library-names",
               "lib/" + library.filename().string() + " is needed by others but has no SONAME");
}

TEST_F(Check, BrokenTwoOpenMpRuntimes) {
  compile_shared("extern \"C\" int omp() { return 1; }\n", root() / "lib/libiomp5.so");
  list_as_bundled("libiomp5.so");
  expect_fault(failed_when_packed(), "openmp", "2 OpenMP runtimes: libgomp.so.1, libiomp5.so");
}

TEST_F(Check, BrokenTruncatedZip) {
  pack();
  const std::uintmax_t size = fs::file_size(archive()) - 1000;
  fs::resize_file(archive(), size);
  expect_fault(failed(archive()), "archive",
               "byte " + std::to_string(size) +
                   ": the file ends before the end record of the archive: it is truncated");
  EXPECT_EQ(verdict("closure"), "not applicable");
}

TEST_F(Check, BrokenMissingLicence) {
  fs::remove_all(root() / "share/licenses/sleef");
  expect_fault(failed_when_packed(), "licences", "sleef has no file in share/licenses/sleef/");
}

// What else each row must notice.

TEST_F(Check, ALibraryRenamedButNotInItsSoname) {
  patchelf({"--set-soname", "libhelper.so.1"}, helper());
  EXPECT_EQ(failed(root()), Names{"library-names"});
}

TEST_F(Check, AnRpathThatLeavesThePackageOrMissesALibrary) {
  patchelf({"--force-rpath", "--set-rpath", "$ORIGIN/../lib:$ORIGIN/../../x"}, root() / "bin/tool");
  EXPECT_EQ(failed(root()), Names{"rpath"});
  patchelf({"--force-rpath", "--set-rpath", "$ORIGIN"}, root() / "bin/tool");
  expect_fault("closure",
               "bin/tool needs libtorch_cpu.so, which is inside as lib/libtorch_cpu.so but not "
               "reached by its RPATH");
}

TEST_F(Check, RunpathInsteadOfRpath) {
  patchelf({"--remove-rpath"}, root() / "lib/libtorch_cpu.so");
  patchelf({"--set-rpath", "$ORIGIN"}, root() / "lib/libtorch_cpu.so");
  EXPECT_EQ(failed(root()), Names{"rpath"});
}

TEST_F(Check, ARenamedGompBesideTheSystems) {
  fs::copy(root() / "lib/libgomp.so.1", root() / "lib/libgomp-0123abcd.so.1");
  patchelf({"--set-soname", "libgomp-0123abcd.so.1"}, root() / "lib/libgomp-0123abcd.so.1");
  list_as_bundled("libgomp-0123abcd.so.1", "0123abcdef");
  EXPECT_EQ(failed(root()), Names{"openmp"});
}

TEST_F(Check, AnOpenMpRuntimeLinkedIntoALibrary) {
  compile_shared("extern \"C\" void __kmpc_fork_call() {}\n", root() / "lib/libmore.so");
  list_as_bundled("libmore.so");
  EXPECT_EQ(failed(root()), Names{"openmp"});
}

TEST_F(Check, TheAbiFlagInTheConfiguration) {
  write_file(root() / "share/cmake/Torch/TorchConfig.cmake",
             "set(TORCH_CXX_FLAGS \"-D_GLIBCXX_USE_CXX11_ABI=0\")\n");
  EXPECT_EQ(failed(root()), Names{"cxx-abi"});
  change_manifest([](Json& manifest) { manifest["cxx11_abi"] = false; });
  EXPECT_EQ(failed(root()), Names{"cxx-abi"}) << "the libraries have the new ABI";
}

TEST_F(Check, APlatformThatIsTooOptimistic) {
  change_manifest([](Json& manifest) { manifest["platform"]["glibc"] = "2.1"; });
  EXPECT_EQ(failed(root()), Names{"platform"});
}

TEST_F(Check, AFeatureThatIsClaimedButNotInside) {
  change_manifest([](Json& manifest) { manifest["features"]["MKL"] = {{"enabled", true}}; });
  expect_fault("cpu-features", "MKL is on in the manifest but not inside");
}

TEST_F(Check, MissingKernels) {
  EXPECT_EQ(failed(root()), Names{});
  if (verdict("cpu-kernels") != "pass") GTEST_SKIP() << "not an x86-64 machine";
  compile_shared(
      "#include <string>\n#include <cstdio>\n"
      "namespace torch { std::string version(const std::string& t) { "
      "std::printf(\"onednn_verbose OPENBLAS_NUM_THREADS sgesdd_\"); return t; } }\n",
      root() / "lib/libtorch_cpu.so", {"-fopenmp", "-Wl,--no-as-needed"});
  patchelf({"--force-rpath", "--set-rpath", "$ORIGIN"}, root() / "lib/libtorch_cpu.so");
  EXPECT_EQ(failed(root()), Names{"cpu-kernels"});
}

TEST_F(Check, WhatDoesNotBelongInside) {
  write_file(root() / "lib/libextra.a", "!<arch>\n");
  EXPECT_EQ(failed(root()), Names{"contents"});
  fs::remove(root() / "lib/libextra.a");
  write_file(root() / "lib/libtorch_python.so", "not even ELF");
  EXPECT_EQ(failed(root()), Names{"contents"});
}

TEST_F(Check, ADamagedElfFile) {
  fs::copy(root() / "lib/libc10.so", root() / "lib/libbroken.so");
  fs::resize_file(root() / "lib/libbroken.so", 500);
  EXPECT_EQ(failed(root()), Names{"elf-files"});
}

TEST_F(Check, SymlinksThatLeaveThePackage) {
  fs::create_symlink("../../outside", root() / "lib/link");
  expect_fault("archive", "lib/link is a symlink to ../../outside, outside the package");
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
  change_manifest([](Json& manifest) {
    manifest["deps"] = "without-deps";
    manifest["bundled"] = Json::array();
  });
  EXPECT_EQ(failed(root()), Names{"closure"});
  EXPECT_TRUE(
      contains(report_.dump(), name + " must come from the host, but the manifest does not name "
                                      "it in host_libraries"));
  const auto name_hosts = [&](const Names& versions) {
    change_manifest([&](Json& manifest) {
      manifest["host_libraries"] = {{{"name", name}, {"symbol_versions", Json::array()}},
                                    {{"name", "libgomp.so.1"}, {"symbol_versions", versions}}};
    });
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
  change_manifest([](Json& manifest) { manifest["packages"][0].erase("license"); });
  const CommandResult missing = result_for(root());
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_TRUE(contains(missing.output, "manifest.json: the member packages[0].license is missing"));
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
