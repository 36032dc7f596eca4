// SPDX-License-Identifier: BSD-3-Clause
// What a package says about its version and its sources, and folders of the builder's in it.
#include "check_fixture.h"

namespace torchpkg::test {
namespace {

class CheckSources : public SharedCheckTest {};

TEST_F(CheckSources, VersionsThatDisagree) {
  write_file(root() / "build-version", "2.6.1+cpu\n");
  expect_fault("versions", "build-version says 2.6.1+cpu, the manifest says 2.6.0+cpu");
  write_file(root() / "build-version", "2.6.0+cpu\n");
  const fs::path header = root() / "include/torch/csrc/api/include/torch/version.h";
  write_file(header,
             "#define TORCH_VERSION_MAJOR 2\n#define TORCH_VERSION_MINOR 7\n"
             "#define TORCH_VERSION_PATCH 0\n#define TORCH_VERSION \"2.6.0\"\n");
  EXPECT_EQ(failed(root()), Names{"versions"});
  fs::remove(header);
  EXPECT_EQ(failed(root()), Names{"versions"});
}

TEST_F(CheckSources, ASourceWithoutAPin) {
  change_manifest([](Json& manifest) { manifest["packages"][1]["sources"][0].erase("sha256"); });
  expect_fault("versions", "the source sleef of sleef has neither commit nor sha256");
}

TEST_F(CheckSources, ASourceFromAFolderOfTheBuilders) {
  change_manifest([](Json& manifest) {
    Json& source = manifest["packages"][1]["sources"][0];
    source.erase("sha256");
    source["tree_sha256"] = "0123456789abcdef";
  });
  EXPECT_EQ(failed(root()), Names{}) << report_.dump(2);
  EXPECT_EQ(found("versions"), "all agree; not pinned, from a folder: sleef (tree 0123456789ab)");
  // A checkout: its commit pins nothing, since it may be nobody else's.
  change_manifest([](Json& manifest) {
    Json& source = manifest["packages"][0]["sources"][0];
    source["sha256"] = "";
    source["commit"] = manifest["git_version"];
    source["tree_sha256"] = "abcdef0123456789";
  });
  EXPECT_EQ(failed(root()), Names{});
  EXPECT_EQ(found("versions"),
            "all agree; not pinned, from a folder: pytorch (tree abcdef012345), sleef (tree "
            "0123456789ab)");
  // A folder without a commit, instead of PyTorch itself.
  change_manifest([](Json& manifest) { manifest["git_version"] = ""; });
  write_file(root() / "build-hash", "\n");
  expect_fault("versions", "git_version is not a commit: ");
}

TEST_F(CheckSources, ASourceThatCameInsideAnother) {
  change_manifest([](Json& manifest) {
    manifest["packages"][0]["sources"].push_back(
        {{"name", "lapack"}, {"version", ""}, {"provider", ""}, {"in", "pytorch"}});
  });
  EXPECT_EQ(failed(root()), Names{}) << report_.dump(2);
  EXPECT_EQ(found("versions"), "all agree, every source is pinned");
}

TEST_F(CheckSources, ForbiddenPaths) {
  write_file(root() / "include/a.h", "// made in /secret/build/dir\n");
  EXPECT_EQ(failed(root(), {"--forbid-path", "/nothing/here"}), Names{});
  EXPECT_EQ(verdict("build-paths"), "pass");
  EXPECT_EQ(failed(root(), {"--forbid-path", "/secret/buil"}), Names{}) << "another folder";
  expect_fault(
      failed(root(), {"--forbid-path", "/nothing/here", "--forbid-path", "/secret/build/"}),
      "build-paths", "include/a.h contains /secret/build/");
  EXPECT_EQ(failed(root(), {"--forbid-path", "/build"}), Names{}) << "the end of another folder";
  EXPECT_EQ(failed(root(), {"--forbid-path", "/build/dir"}), Names{});
  change_manifest([](Json& manifest) { manifest["forbidden_paths"] = {"/secret/build"}; });
  EXPECT_EQ(failed(root()), Names{"build-paths"});
}

TEST_F(CheckSources, ForbiddenPathsInsideOptions) {
  write_file(root() / "include/a.h", "// /usr/src/a.cpp, compiled with -I/src/include\n");
  EXPECT_EQ(failed(root(), {"--forbid-path", "/src"}), Names{"build-paths"});
}

}  // namespace
}  // namespace torchpkg::test
