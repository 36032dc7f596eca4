// SPDX-License-Identifier: BSD-3-Clause
// What `torchpkg bundle` does with NVIDIA's and AMD's libraries.
#include <algorithm>

#include "bundle_fixture.h"

namespace torchpkg::test {
namespace {

/// With what NVIDIA's are called like: libcudnn.so.9 is needed, its part is opened by name.
class BundleOfCuda : public Bundle {
 protected:
  void SetUp() override {
    Bundle::SetUp();
    for (const char* name : {"libcudnn.so.9", "libcudnn_ops.so.9"}) {
      compile(function("cudnn"), deps() / name,
              {"-shared", "-fPIC", std::string("-Wl,-soname,") + name, "-Wl,-rpath,$ORIGIN/../x"});
    }
    compile(function("conv", "cudnn"), root() / "lib/libtorch_cuda.so",
            {"-shared", "-fPIC", (deps() / "libcudnn.so.9").string()});
    options_.rename = true;
    options_.also = {"libcudnn_ops.so.9"};
  }
};

TEST_F(BundleOfCuda, LibrariesThatOpenEachOtherKeepTheirNames) {
  bundle(options_);
  EXPECT_EQ(file_in_lib("liba").substr(0, 5), "liba-");
  for (const char* name : {"libcudnn.so.9", "libcudnn_ops.so.9"}) {
    const DynamicInfo dynamic = dynamic_of(root() / "lib" / name);
    EXPECT_EQ(dynamic.soname, name);
    EXPECT_EQ(dynamic.rpath, "$ORIGIN");
    EXPECT_FALSE(dynamic.runpath);
  }
  EXPECT_FALSE(report().contains("elsewhere"));
  EXPECT_TRUE(bundle(options_).size() >= 5) << "a second run forgets nothing";
}

TEST_F(BundleOfCuda, ALibraryGetsTheNameByWhichAnotherOpensIt) {
  const fs::path runtime = deps() / "libhsa-runtime64.so.1";
  compile(function("hsa_init"), runtime, {"-shared", "-fPIC", "-Wl,-soname,libhsa-runtime64.so.1"});
  compile(function("more", "hsa_init"), root() / "lib/libtorch_hip.so",
          {"-shared", "-fPIC", runtime.string()});
  bundle(options_);
  EXPECT_EQ(dynamic_of(root() / "lib/libhsa-runtime64.so").soname, "libhsa-runtime64.so");
  const Names needed = dynamic_of(root() / "lib/libtorch_hip.so").needed;
  EXPECT_EQ(std::count(needed.begin(), needed.end(), "libhsa-runtime64.so"), 1);
  EXPECT_FALSE(fs::exists(root() / "lib/libhsa-runtime64.so.1"));
}

TEST_F(BundleOfCuda, WhatAnotherPackageHasIsReachedThere) {
  options_.elsewhere = {{"libcudnn.so.*", "../nvidia/cudnn/lib"},
                        {"libcudnn_*.so.*", "../nvidia/cudnn/lib"}};
  bundle(options_);
  EXPECT_EQ(file_in_lib("libcudnn"), "");
  EXPECT_EQ(dynamic_of(root() / "lib/libtorch_cuda.so").rpath,
            "$ORIGIN/../../nvidia/cudnn/lib:$ORIGIN");
  EXPECT_EQ(dynamic_of(root() / "bin/program").rpath,
            "$ORIGIN/../../nvidia/cudnn/lib:$ORIGIN/../lib");
  EXPECT_EQ(report()["host_libraries"], Json::array());
  EXPECT_EQ(report()["elsewhere"], (Names{"libcudnn.so.9", "libcudnn_ops.so.9"}));
}

TEST_F(BundleOfCuda, TheHostMustHaveWhatIsOpenedByName) {
  options_.rpath_only = true;
  bundle(options_);
  const auto hosts = report()["host_libraries"];
  Names names;
  for (const auto& host : hosts) names.push_back(host["name"]);
  EXPECT_EQ(names, (Names{"liba.so.1", "libcudnn.so.9", "libcudnn_ops.so.9", "libgomp.so.1"}));
}

TEST_F(BundleOfCuda, WhatIsOpenedByNameAndNotThereIsNamed) {
  options_.also = {"libcudnn_none.so.9"};
  const Error error = error_of([this] { bundle(options_); });
  EXPECT_EQ(error.code(), ExitCode::kEnvironment);
  EXPECT_STREQ(error.what(), "libcudnn_none.so.9 is opened by name and was not found");
}

}  // namespace
}  // namespace torchpkg::test
