// SPDX-License-Identifier: BSD-3-Clause
// The row debug-information: a good package with its debug package passes, each test breaks one.
#include <gtest/gtest.h>

#include "check_fixture.h"
#include "sample_package.h"

namespace torchpkg::test {
namespace {

constexpr const char* kRow = "debug-information";

class CheckDebug : public CheckTest {
 protected:
  void SetUp() override {
    static const TemporaryFolder good;
    static const fs::path package = make_sample_package(good.path());
    use(package);
    fs::copy(package.parent_path() / "debug", folder_ / "debug",
             fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  }

  [[nodiscard]] fs::path debug() const { return folder_ / "debug/libtorch"; }
  [[nodiscard]] fs::path c10() const { return debug() / "lib/.debug/libc10.so.debug"; }

  Names failed_with_debug(const fs::path& package) {
    return failed(package, {"--debug-package", debug().string()});
  }
};

TEST_F(CheckDebug, TheGoodOnesPass) {
  EXPECT_EQ(failed(root()), Names{});
  EXPECT_EQ(found(kRow), "none inside; no debug package was given (--debug-package)");
  EXPECT_EQ(failed_with_debug(root()), Names{}) << report_.dump(2);
  EXPECT_EQ(found(kRow), "of 2 libraries");

  const fs::path zip = folder_ / "debug.zip";
  ASSERT_EQ(
      torchpkg({"pack", "zip", "--root", debug().string(), "--output", zip.string()}).exit_code, 0);
  EXPECT_EQ(failed_when_packed({"--debug-package", zip.string()}), Names{});
  EXPECT_EQ(found(kRow), "of 2 libraries");
}

TEST_F(CheckDebug, DebugInformationInsideThePackage) {
  compile_shared(kC10Source, root() / "lib/libc10.so", {"-g1"});
  EXPECT_EQ(failed(root()), Names{kRow});
  EXPECT_TRUE(begins_with(first_detail(kRow), "lib/libc10.so has "));
  EXPECT_TRUE(contains(first_detail(kRow), " bytes of debug information inside"));
}

TEST_F(CheckDebug, AFileThatIsMissing) {
  fs::remove(c10());
  EXPECT_EQ(failed_with_debug(root()), Names{kRow});
  EXPECT_TRUE(contains(first_detail(kRow), " is a symlink to ../../libc10.so.debug, which is mis"));
  for (const auto& found : fs::recursive_directory_iterator(debug() / "lib/.debug/.build-id")) {
    if (found.is_symlink() && !fs::exists(found.path())) fs::remove(found.path());
  }
  expect_fault(failed_with_debug(root()), kRow,
               "libtorch has no lib/.debug/libc10.so.debug, to which lib/libc10.so refers");
}

TEST_F(CheckDebug, TheFileOfAnotherBuild) {
  compile("int other() { return 1; }\n", c10(), {"-g1", "-shared", "-fPIC"});
  EXPECT_EQ(failed_with_debug(root()), Names{kRow});
  EXPECT_TRUE(contains(first_detail(kRow), "has the build ID"));
}

TEST_F(CheckDebug, AFileThatWasChanged) {
  write_file(c10(), file_content(c10()) + "x");
  EXPECT_EQ(failed_with_debug(root()), Names{kRow});
  EXPECT_TRUE(contains(first_detail(kRow), "has the CRC"));
}

TEST_F(CheckDebug, ADamagedFile) {
  fs::resize_file(c10(), 40);
  EXPECT_EQ(failed_with_debug(root()), Names{kRow});
  EXPECT_TRUE(contains(first_detail(kRow), "lib/.debug/libc10.so.debug"));
}

TEST_F(CheckDebug, NoLineNumbers) {
  const fs::path library = root() / "lib/libc10.so";
  must_run({"strip", "--strip-debug", c10().string()});
  must_run({"objcopy", "--remove-section=.gnu_debuglink", library.string()});
  must_run({"objcopy", "--add-gnu-debuglink=" + c10().string(), library.string()});
  expect_fault(failed_with_debug(root()), kRow, "lib/.debug/libc10.so.debug has no line numbers");
}

// There is no code then; what ends where is the linker's.
TEST_F(CheckDebug, NoLineNumbersOfALibraryWithoutCode) {
  const fs::path library = root() / "lib/libtorch.so";
  const char* ends =
      "extern char __bss_start[], _edata[], _end[];\n"
      "__attribute__((used)) static char* const all[] = {__bss_start, _edata, _end};\n";
  const auto compile_and_split = [&](const std::string& source) {
    compile_shared(source, library);
    fs::remove(debug() / "lib/.debug/libtorch.so.debug");
    split_debug_information(library, debug());
  };
  compile_and_split(ends);
  const std::string exported =
      run_command({"nm", "-D", "--defined-only", "--format=just-symbols", library.string()}).output;
  EXPECT_EQ(exported, "__bss_start\n_edata\n_end\n");
  EXPECT_EQ(failed_with_debug(root()), Names{}) << report_.dump(2);
  EXPECT_EQ(found(kRow), "of 3 libraries");

  compile_and_split(ends + std::string("int one() { return 1; }\n"));
  expect_fault(failed_with_debug(root()), kRow, "lib/.debug/libtorch.so.debug has no line numbers");
}

TEST_F(CheckDebug, ALibraryWithoutLink) {
  must_run({"objcopy", "--remove-section=.gnu_debuglink", (root() / "lib/libc10.so").string()});
  expect_fault(failed_with_debug(root()), kRow, "lib/libc10.so has no .gnu_debuglink");
}

TEST_F(CheckDebug, ALibraryWithoutBuildId) {
  must_run({"objcopy", "--remove-section=.note.gnu.build-id", (root() / "lib/libc10.so").string()});
  expect_fault(failed_with_debug(root()), kRow, "lib/libc10.so has no build ID");
}

TEST_F(CheckDebug, NoLinkByBuildId) {
  fs::remove_all(debug() / "lib/.debug/.build-id");
  EXPECT_EQ(failed_with_debug(root()), Names{kRow});
  EXPECT_TRUE(begins_with(first_detail(kRow), "libtorch has no link lib/.debug/.build-id/"));
}

TEST_F(CheckDebug, AFileOfNoLibrary) {
  fs::copy_file(c10(), debug() / "lib/.debug/libmore.so.debug");
  expect_fault(failed_with_debug(root()), kRow, "libtorch has 3 files for 2 libraries");
}

TEST_F(CheckDebug, APathOfTheBuildMachine) {
  const std::string path = folder_.path().string();
  write_file(debug() / "lib/.debug/note.txt", "built in " + path + "\n");
  expect_fault(failed(root(), {"--debug-package", debug().string(), "--forbid-path", path}), kRow,
               "lib/.debug/note.txt names " + path);
}

TEST_F(CheckDebug, NoPackageAtAll) {
  const CommandResult result =
      torchpkg({"check", root().string(), "--debug-package", (folder_ / "none.zip").string()});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_TRUE(contains(result.output, "none.zip"));
}

TEST_F(CheckDebug, DebugInformationInAStaticLibrary) {
  const TemporaryFolder folder;
  const fs::path root = make_static_sample_package(folder.path());
  compile("int more() { return 1; }\n", folder / "more.o", {"-g1", "-c", "-fPIC"});
  must_run({"ar", "rs", (root / "lib/libc10.a").string(), (folder / "more.o").string()});
  const CommandResult result = torchpkg({"check", root.string()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.output, "lib/libc10.a has "));
}

}  // namespace
}  // namespace torchpkg::test
