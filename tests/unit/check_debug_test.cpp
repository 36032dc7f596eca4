// SPDX-License-Identifier: BSD-3-Clause
// The row debug-information: a good package with its debug package passes, each line breaks one.
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
    options_ = {"--debug", (folder_ / "debug").string()};
  }

  /// Breaks a copy of the debug folder.
  void broken_debug(const std::string& name, const std::vector<Change>& changes,
                    const std::string& words) {
    fs::copy(folder_ / "debug", folder_ / "kept",
             fs::copy_options::recursive | fs::copy_options::copy_symlinks);
    broken(name, changes, kRow, words);
    fs::remove_all(folder_ / "debug");
    fs::rename(folder_ / "kept", folder_ / "debug");
  }
};

TEST_F(CheckDebug, WhereADebuggerSearches) {
  const std::string files = "../debug/lib/.debug/";
  const std::string file = files + "libc10.so.debug";
  const std::string content = file_content(folder_ / "debug/lib/.debug/libc10.so.debug");
  const auto on_library = [](const std::string& option) {
    return run_on("lib/libc10.so", {"objcopy", option});
  };
  EXPECT_EQ(failed(), "") << report_.dump(2);
  EXPECT_EQ(row(kRow)["found"], "none inside; that of 2 libraries is in the debug package");
  broken_debug("debug information inside the package",
               {put_library("lib/libc10.so", kC10Source, {"-g1"})},
               "lib/libc10.so has * bytes of debug information inside");
  broken_debug("a missing file", {drop(file)},
               "debug has no lib/.debug/libc10.so.debug, to which lib/libc10.so refers");
  broken_debug("the file of another build",
               {put_library(file, "int other() { return 1; }\n", {"-g1"})}, "*has the build ID*");
  broken_debug("a file that was changed", {put(file, content + "x")}, "*has the CRC*");
  broken_debug(
      "no line numbers",
      {run_on(file, {"strip", "--strip-debug"}), on_library("--remove-section=.gnu_debuglink"),
       on_library("--add-gnu-debuglink=" +
                  (folder_ / "debug/lib/.debug/libc10.so.debug").string())},
      "lib/.debug/libc10.so.debug has no line numbers");
  broken_debug("a library without link", {on_library("--remove-section=.gnu_debuglink")},
               "lib/libc10.so has no .gnu_debuglink");
  broken_debug("no link by build ID", {drop(files + ".build-id")},
               "debug has no link lib/.debug/.build-id/*");
  broken_debug("a file of no library", {put(files + "libmore.so.debug", content)},
               "debug has 3 files for 2 libraries");
  options_.insert(options_.end(), {"--forbid-path", "/home/builder"});
  broken_debug("a path of the build machine", {put(files + "note.txt", "in /home/builder\n")},
               "debug: lib/.debug/note.txt contains /home/builder");
}

// There is no code then; what ends where is the linker's.
TEST_F(CheckDebug, NoLineNumbersOfALibraryWithoutCode) {
  const fs::path library = root() / "lib/libtorch.so";
  compile_shared(
      "extern char __bss_start[], _edata[], _end[];\n"
      "__attribute__((used)) static char* const all[] = {__bss_start, _edata, _end};\n",
      library);
  split_debug_information(library, folder_ / "debug");
  EXPECT_EQ(failed(), "") << report_.dump(2);
  EXPECT_EQ(row(kRow)["found"], "none inside; that of 3 libraries is in the debug package");
}

}  // namespace
}  // namespace torchpkg::test
