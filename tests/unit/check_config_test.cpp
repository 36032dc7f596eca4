// SPDX-License-Identifier: BSD-3-Clause
// Rows about the CMake package, pkg-config files and versions.
#include <gtest/gtest.h>

#include "check_fixture.h"

namespace torchpkg::test {
namespace {

class CheckConfig : public SharedCheckTest {};

TEST_F(CheckConfig, Files) {
  const std::string version = "share/cmake/Torch/TorchConfigVersion.cmake";
  broken("no file of the version", {drop(version)}, "config-files", version + " is missing");
  broken("another version than find_package compares",
         {put(version, "set(PACKAGE_VERSION \"2.7.0\")\n")}, "versions",
         version + " says 2.7.0, the manifest says 2.6.0+cpu");
  broken("no version", {put(version, "set(PACKAGE_VERSION_COMPATIBLE TRUE)\n")}, "versions");
  broken("the flag of the other ABI",
         {put("lib/pkgconfig/torch.pc", "Cflags: -D_GLIBCXX_USE_CXX11_ABI=0\n")}, "cxx-abi",
         "lib/pkgconfig/torch.pc says _GLIBCXX_USE_CXX11_ABI=0, the manifest says 1");
}

TEST_F(CheckConfig, AbsolutePaths) {
  const std::vector<std::pair<std::string, std::string>> lines{
      {"Libs: -L/build/lib -lx", "/build/lib"},
      {"prefix=/usr", "/usr"},
      {"set(A \"x;/usr/local/cuda/lib64/libculibos.a\")", "/usr/local/cuda/lib64/libculibos.a"},
      {"set(A /usr/local/cuda-12.4/lib)", "/usr/local/cuda-12.4/lib"},
      {"set(F -Wl,-rpath,/home/builder/lib)", "/home/builder/lib"},
      {"set(D \"$<BUILD_INTERFACE:/data/include>\")", "/data/include"},
      {"  # made in /tmp/x", "/tmp/x"},
      {"link(t a;/lib/x86_64-linux-gnu/libm.so;b)", "/lib/x86_64-linux-gnu/libm.so"},
      {"set(M /opt/${name}/lib)", "/opt"},
      {"libdir=${prefix}/lib", ""},
      {"Libs: -L${prefix}/usr/lib", ""},
      {"URL: https://pytorch.org/usr/lib", ""},
      {"set(A a/usr/lib ../home/x)", ""},
      {"find_path(A x.h PATHS /usr/local/cuda-12.4 /usr/local/cuda)", ""},
      {"set(A /variable /dev/null /usrlib)", ""},
  };
  for (const auto& [line, path] : lines) {
    broken(line, {put("lib/pkgconfig/torch.pc", "prefix=${pcfiledir}/../..\n" + line + "\n")},
           path.empty() ? "" : "config-paths",
           "lib/pkgconfig/torch.pc:2 has the absolute path " + path);
  }
}

TEST_F(CheckConfig, VersionsInHeadersOfOthers) {
  EXPECT_EQ(failed(root()), Names{});
  EXPECT_EQ(verdict("header-versions"), "not applicable");
  const auto pin = [](const std::string& name, const std::string& version) {
    return set("/packages/0/sources/-",
               {{"name", name}, {"version", version}, {"sha256", "ab"}, {"provider", "mirror"}});
  };
  change({pin("onednn", "3.7.2"), pin("fmt", "11.1.1")});
  write_file(root() / "include/oneapi/dnnl/dnnl_version.h",
             "#define DNNL_VERSION_MAJOR 3\n#define DNNL_VERSION_MINOR 7\n"
             "#define DNNL_VERSION_PATCH 2\n");
  write_file(root() / "include/fmt/base.h", "#define FMT_VERSION 110101\n");
  EXPECT_EQ(failed(root()), Names{}) << report_.dump(2);
  EXPECT_EQ(found("header-versions"), "onednn 3.7.2, fmt 11.1.1");
  write_file(root() / "include/fmt/base.h", "#define FMT_VERSION 100201\n");
  expect_fault("header-versions", "include/fmt/base.h is of fmt 10.2.1, the manifest pins 11.1.1");
  // A submodule of a folder of the builder's, at another commit than the pinned one.
  change({set("/packages/0/sources/2/version", "")});
  EXPECT_EQ(failed(root()), Names{}) << report_.dump(2);
  EXPECT_EQ(found("header-versions"), "onednn 3.7.2");
}

}  // namespace
}  // namespace torchpkg::test
