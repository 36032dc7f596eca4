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
    sample_ = package;
    use(package);
  }

  void use(const fs::path& package) override {
    CheckTest::use(package);
    fs::remove_all(folder_ / "debug");
    fs::copy(sample_.parent_path() / "debug", folder_ / "debug",
             fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  }

  [[nodiscard]] fs::path debug() const { return folder_ / "debug/libtorch"; }
  [[nodiscard]] fs::path c10() const { return debug() / "lib/.debug/libc10.so.debug"; }

  Names failed_with_debug(const fs::path& package) {
    return failed(package, {"--debug-package", debug().string()});
  }

  fs::path sample_;
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

TEST_F(CheckDebug, FindsWhatIsBroken) {
  const std::string files = "../debug/libtorch/lib/.debug/";
  const std::string file = files + "libc10.so.debug";
  const std::string content = file_content(c10());
  const auto on_library = [](const std::string& option) {
    return run_on("lib/libc10.so", {"objcopy", option});
  };
  const Change drop_dangling = [this](const fs::path& /*root*/) {
    for (const auto& found : fs::recursive_directory_iterator(debug() / "lib/.debug/.build-id")) {
      if (found.is_symlink() && !fs::exists(found.path())) fs::remove(found.path());
    }
  };
  broken("debug information inside the package",
         {put_library("lib/libc10.so", kC10Source, {"-g1"})}, kRow,
         "lib/libc10.so has * bytes of debug information inside*");
  options_ = {"--debug-package", debug().string()};
  broken("a missing file with links to it", {drop(file)}, kRow,
         "* is a symlink to ../../libc10.so.debug, which is mis*");
  broken("a missing file", {drop(file), drop_dangling}, kRow,
         "libtorch has no lib/.debug/libc10.so.debug, to which lib/libc10.so refers");
  broken("the file of another build", {put_library(file, "int other() { return 1; }\n", {"-g1"})},
         kRow, "*has the build ID*");
  broken("a file that was changed", {put(file, content + "x")}, kRow, "*has the CRC*");
  broken("a damaged file", {put(file, content.substr(0, 40))}, kRow,
         "*lib/.debug/libc10.so.debug*");
  broken("no line numbers",
         {run_on(file, {"strip", "--strip-debug"}), on_library("--remove-section=.gnu_debuglink"),
          on_library("--add-gnu-debuglink=" + c10().string())},
         kRow, "lib/.debug/libc10.so.debug has no line numbers");
  broken("a library without link", {on_library("--remove-section=.gnu_debuglink")}, kRow,
         "lib/libc10.so has no .gnu_debuglink");
  broken("a library without build ID", {on_library("--remove-section=.note.gnu.build-id")}, kRow,
         "lib/libc10.so has no build ID");
  broken("no link by build ID", {drop(files + ".build-id")}, kRow,
         "libtorch has no link lib/.debug/.build-id/*");
  broken("a file of no library", {put(files + "libmore.so.debug", content)}, kRow,
         "libtorch has 3 files for 2 libraries");
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
