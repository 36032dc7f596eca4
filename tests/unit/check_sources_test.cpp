// SPDX-License-Identifier: BSD-3-Clause
// What a package says about its version and its sources, and folders of the builder's in it.
#include "check_fixture.h"
#include "sample_package.h"

namespace torchpkg::test {
namespace {

class CheckSources : public SharedCheckTest {};

TEST_F(CheckSources, FindsWhatIsBroken) {
  const std::string header = "include/torch/csrc/api/include/torch/version.h";
  broken("another version", {put("build-version", "2.6.1+cpu\n")}, "versions",
         "build-version says 2.6.1+cpu, the manifest says 2.6.0+cpu");
  broken("another version in a header",
         {put(header,
              "#define TORCH_VERSION_MAJOR 2\n#define TORCH_VERSION_MINOR 7\n"
              "#define TORCH_VERSION_PATCH 0\n#define TORCH_VERSION \"2.6.0\"\n")},
         "versions");
  broken("no header", {drop(header)}, "versions");
  broken("a source without a pin", {unset("/packages/1/sources/0/sha256")}, "versions",
         "the source sleef of sleef has neither commit nor sha256");
  broken("a folder without a commit instead of PyTorch",
         {set("/packages/0/sources/0/tree_sha256", "abcdef0123456789"), set("/git_version", ""),
          put("build-hash", "\n")},
         "versions", "git_version is not a commit: ");
}

TEST_F(CheckSources, ASourceFromAFolderOfTheBuilders) {
  change({unset("/packages/1/sources/0/sha256"),
          set("/packages/1/sources/0/tree_sha256", "0123456789abcdef")});
  EXPECT_EQ(failed(root()), Names{}) << report_.dump(2);
  EXPECT_EQ(found("versions"), "all agree; not pinned, from a folder: sleef (tree 0123456789ab)");
  // A checkout: its commit pins nothing, since it may be nobody else's.
  change({set("/packages/0/sources/0/sha256", ""),
          set("/packages/0/sources/0/commit", sample_manifest()["git_version"]),
          set("/packages/0/sources/0/tree_sha256", "abcdef0123456789")});
  EXPECT_EQ(failed(root()), Names{});
  EXPECT_EQ(found("versions"),
            "all agree; not pinned, from a folder: pytorch (tree abcdef012345), sleef (tree "
            "0123456789ab)");
}

TEST_F(CheckSources, ASourceThatCameInsideAnother) {
  change({set("/packages/0/sources/-",
              {{"name", "lapack"}, {"version", ""}, {"provider", ""}, {"in", "pytorch"}})});
  EXPECT_EQ(failed(root()), Names{}) << report_.dump(2);
  EXPECT_EQ(found("versions"), "all agree, every source is pinned");
}

TEST_F(CheckSources, ForbiddenPaths) {
  write_file(root() / "include/a.h", "// made in /secret/build/dir\n");
  EXPECT_EQ(failed(root(), {"--forbid-path", "/nothing/here"}), Names{});
  EXPECT_EQ(verdict("build-paths"), "pass");
  // Another folder, the end of another one, and one inside it.
  for (const char* path : {"/secret/buil", "/build", "/build/dir"}) {
    EXPECT_EQ(failed(root(), {"--forbid-path", path}), Names{}) << path;
  }
  expect_fault(
      failed(root(), {"--forbid-path", "/nothing/here", "--forbid-path", "/secret/build/"}),
      "build-paths", "include/a.h contains /secret/build/");
  change({set("/forbidden_paths", {"/secret/build"})});
  EXPECT_EQ(failed(root()), Names{"build-paths"});
  write_file(root() / "include/a.h", "// /usr/src/a.cpp, compiled with -I/src/include\n");
  EXPECT_EQ(failed(root(), {"--forbid-path", "/src"}), Names{"build-paths"}) << "inside an option";
}

}  // namespace
}  // namespace torchpkg::test
