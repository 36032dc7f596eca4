// SPDX-License-Identifier: BSD-3-Clause
// Rows about the CMake package, pkg-config files and versions.
#include <gtest/gtest.h>

#include "check_fixture.h"

namespace torchpkg::test {
namespace {

class CheckConfig : public SharedCheckTest {};

TEST_F(CheckConfig, AMissingVersionFile) {
  fs::remove(root() / "share/cmake/Torch/TorchConfigVersion.cmake");
  EXPECT_EQ(failed(root()), Names{"config-files"});
  EXPECT_EQ(first_detail("config-files"), "share/cmake/Torch/TorchConfigVersion.cmake is missing");
}

TEST_F(CheckConfig, FilesThatAreNotInside) {
  const fs::path file = root() / "share/cmake/Caffe2/Caffe2Targets.cmake";
  write_file(
      file,
      "get_filename_component(_top \"${CMAKE_CURRENT_LIST_DIR}/../../..\" ABSOLUTE)\n"
      "set(a \"${_top}/lib/libc10.so\" \"${other}/lib/libz.so\" \"${_top}/lib/lib${n}.so\")\n"
      "if(EXISTS \"${_top}/lib/libperhaps.so\")\nendif()\n"
      "include(\"${CMAKE_CURRENT_LIST_DIR}/perhaps.cmake\" OPTIONAL)\n"
      "include(\"${CMAKE_CURRENT_LIST_DIR}/../Torch/TorchConfig.cmake\")\n");
  EXPECT_EQ(failed(root()), Names{}) << report_.dump(2);
  write_file(file,
             "get_filename_component(_top \"${CMAKE_CURRENT_LIST_DIR}/../../..\" ABSOLUTE)\n"
             "set(a \"${_top}/lib/libtorch_cuda.so\")\n");
  EXPECT_EQ(failed(root()), Names{"config-files"});
  EXPECT_EQ(first_detail("config-files"),
            "share/cmake/Caffe2/Caffe2Targets.cmake:2 names lib/libtorch_cuda.so, which is not "
            "inside");
  write_file(file, "\ninclude(${CMAKE_CURRENT_LIST_DIR}/public/utils.cmake)\n");
  EXPECT_EQ(failed(root()), Names{"config-files"});
  EXPECT_EQ(first_detail("config-files"),
            "share/cmake/Caffe2/Caffe2Targets.cmake:2 names share/cmake/Caffe2/public/utils.cmake, "
            "which is not inside");
}

TEST_F(CheckConfig, PkgConfigNamesLibrariesThatAreInside) {
  const fs::path file = root() / "lib/pkgconfig/torch.pc";
  write_file(file, "prefix=${pcfiledir}/../..\nLibs: -L${prefix}/lib -ltorch_cpu -lc10 -lm\n");
  EXPECT_EQ(failed(root()), Names{}) << report_.dump(2);
  write_file(file, "prefix=${pcfiledir}/../..\nLibs: -L${prefix}/lib -ltorch_cuda -lc10\n");
  EXPECT_EQ(failed(root()), Names{"config-files"});
}

TEST_F(CheckConfig, TheAbiFlagOfEveryFile) {
  write_file(root() / "lib/pkgconfig/torch.pc", "Cflags: -D_GLIBCXX_USE_CXX11_ABI=0\n");
  EXPECT_EQ(failed(root()), Names{"cxx-abi"});
  EXPECT_EQ(first_detail("cxx-abi"),
            "lib/pkgconfig/torch.pc says _GLIBCXX_USE_CXX11_ABI=0, the manifest says 1");
}

TEST_F(CheckConfig, TheVersionThatFindPackageCompares) {
  const fs::path file = root() / "share/cmake/Torch/TorchConfigVersion.cmake";
  write_file(file, "set(PACKAGE_VERSION \"2.7.0\")\n");
  EXPECT_EQ(failed(root()), Names{"versions"});
  EXPECT_EQ(first_detail("versions"),
            "share/cmake/Torch/TorchConfigVersion.cmake says 2.7.0, the manifest says 2.6.0+cpu");
  write_file(file, "set(PACKAGE_VERSION_COMPATIBLE TRUE)\n");
  EXPECT_EQ(failed(root()), Names{"versions"});
}

TEST_F(CheckConfig, VersionsInHeadersOfOthers) {
  EXPECT_EQ(failed(root()), Names{});
  EXPECT_EQ(verdict("header-versions"), "not applicable");
  const auto pin = [this](const std::string& name, const std::string& version) {
    change_manifest([&](Json& manifest) {
      manifest["packages"][0]["sources"].push_back(
          {{"name", name}, {"version", version}, {"sha256", "ab"}, {"provider", "mirror"}});
    });
  };
  pin("onednn", "3.7.2");
  pin("fmt", "11.1.1");
  write_file(root() / "include/oneapi/dnnl/dnnl_version.h",
             "#define DNNL_VERSION_MAJOR 3\n#define DNNL_VERSION_MINOR 7\n"
             "#define DNNL_VERSION_PATCH 2\n");
  write_file(root() / "include/fmt/base.h", "#define FMT_VERSION 110101\n");
  EXPECT_EQ(failed(root()), Names{}) << report_.dump(2);
  EXPECT_EQ(found("header-versions"), "onednn 3.7.2, fmt 11.1.1");
  write_file(root() / "include/fmt/base.h", "#define FMT_VERSION 100201\n");
  EXPECT_EQ(failed(root()), Names{"header-versions"});
  EXPECT_EQ(first_detail("header-versions"),
            "include/fmt/base.h is of fmt 10.2.1, the manifest pins 11.1.1");
  // A submodule of a folder of the builder's, at another commit than the pinned one.
  change_manifest(
      [](Json& manifest) { manifest["packages"][0]["sources"].back()["version"] = ""; });
  EXPECT_EQ(failed(root()), Names{}) << report_.dump(2);
  EXPECT_EQ(found("header-versions"), "onednn 3.7.2");
}

}  // namespace
}  // namespace torchpkg::test
