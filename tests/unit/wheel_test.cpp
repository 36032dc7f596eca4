// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "support.h"
#include "wheel/platform_tag.h"
#include "wheel/record.h"

namespace torchpkg::test {
namespace {

using Words = std::vector<std::string>;
using wheel::ElfNeeds;

constexpr const char* kMetadata =
    "Metadata-Version: 2.1\nName: Demo.Package\nVersion: 1.0+cpu\nSummary: a demo\n"
    "\nName: not this one\n";

/// Looks at a wheel with Python's own modules: every file in RECORD, with its hash and size.
constexpr const char* kVerify = R"(
import base64, csv, hashlib, io, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
names = [i.filename for i in z.infolist()]
assert len(names) == len(set(names))
record = [n for n in names if n.endswith('.dist-info/RECORD')]
assert record == names[-1:], names
rows = list(csv.reader(io.StringIO(z.read(record[0]).decode('utf-8'), newline='')))
assert sorted(r[0] for r in rows) == sorted(names), (rows, names)
for name, digest, size in rows:
    if name == record[0]:
        assert (digest, size) == ('', '')
        continue
    data = z.read(name)
    encoded = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()
    assert digest == 'sha256=' + encoded and size == str(len(data)), name
print(len(rows), 'files are as RECORD says')
)";

class Wheel : public testing::Test {
 protected:
  void SetUp() override {
    write_file(info() / "METADATA", kMetadata);
    write_file(root() / "demo/__init__.py", "def answer():\n    return 42\n");
    write_file(root() / "demo/empty.py", "");
  }

  [[nodiscard]] fs::path root() const { return folder_ / "root"; }
  [[nodiscard]] fs::path info() const { return root() / "demo_package-1.0+cpu.dist-info"; }
  [[nodiscard]] fs::path dist() const { return folder_ / "dist"; }

  CommandResult pack(Words options = {}) {
    options.insert(options.begin(),
                   {"pack", "wheel", "--root", root().string(), "--output", dist().string()});
    return torchpkg(options);
  }

  /// The name of the one wheel that was made.
  [[nodiscard]] std::string made() const {
    std::string name;
    for (const auto& entry : fs::directory_iterator(dist())) {
      EXPECT_TRUE(name.empty()) << name;
      name = entry.path().filename().string();
    }
    return name;
  }

  void refused(const std::string& words, const Words& options = {}, int code = 3) {
    const CommandResult result = pack(options);
    EXPECT_EQ(result.exit_code, code) << result.output;
    EXPECT_TRUE(contains(result.output, words));
    EXPECT_FALSE(fs::exists(dist()) && !fs::is_empty(dist()));
  }

  void add_library(const std::string& name, const Words& flags = {}) {
    Words all{"-shared", "-fPIC"};
    all.insert(all.end(), flags.begin(), flags.end());
    fs::create_directories((root() / name).parent_path());
    compile("extern \"C\" int answer() { return 42; }\n", root() / name, all);
  }

  TemporaryFolder folder_;
};

TEST_F(Wheel, PipInstallsItAndRecordIsRight) {
  write_file(root() / "demo/a, \"b\".txt", "odd name\n");
  write_file(root() / "demo/größe.txt", "not ASCII\n");
  add_library("demo/lib/libdemo.so");
  ASSERT_EQ(pack().exit_code, 0);
  EXPECT_EQ(made(), "demo_package-1.0+cpu-py3-none-manylinux_2_5_x86_64.whl");
  const std::string file = (dist() / made()).string();
  const CommandResult verified = run_command({"python3", "-c", kVerify, file});
  EXPECT_EQ(verified.output, "8 files are as RECORD says\n");
  const std::string target = (folder_ / "site").string();
  const CommandResult pip = run_command({"python3", "-m", "pip", "install", "--no-index",
                                         "--no-deps", "--no-compile", "--target", target, file});
  EXPECT_EQ(pip.exit_code, 0) << pip.output;
  EXPECT_EQ(file_content(folder_ / "site/demo/empty.py"), "");
  EXPECT_EQ(run_command({"env", "PYTHONPATH=" + target, "python3", "-c",
                         "import demo, importlib.metadata as m; "
                         "print(demo.answer(), m.version('demo-package'))"})
                .output,
            "42 1.0+cpu\n");
}

TEST_F(Wheel, WithoutElfFilesItIsForAnyPlatform) {
  ASSERT_EQ(pack().exit_code, 0);
  EXPECT_EQ(made(), "demo_package-1.0+cpu-py3-none-any.whl");
}

TEST_F(Wheel, WheelAndRecordOfTheRootAreWrittenAnew) {
  write_file(info() / "WHEEL", "old\n");
  write_file(info() / "RECORD", "old\n");
  ASSERT_EQ(pack({"--python", "cp311", "--abi", "cp311"}).exit_code, 0);
  const std::string file = (dist() / made()).string();
  EXPECT_EQ(run_command({"python3", "-c", kVerify, file}).exit_code, 0);
  const CommandResult text =
      run_command({"unzip", "-p", file, "demo_package-1.0+cpu.dist-info/WHEEL"});
  EXPECT_EQ(text.output.find("Wheel-Version: 1.0\nGenerator: torchpkg "), 0U) << text.output;
  EXPECT_TRUE(contains(text.output, "\nRoot-Is-Purelib: true\nTag: cp311-cp311-any\n"));
}

TEST_F(Wheel, BytesDependNeitherOnJobsNorOnTheFolder) {
  ASSERT_EQ(pack({"--jobs", "1"}).exit_code, 0);
  const std::string first = file_content(dist() / made());
  fs::create_directories(folder_ / "copy");
  fs::copy(root(), folder_ / "copy/of root", fs::copy_options::recursive);
  ASSERT_EQ(torchpkg({"pack", "wheel", "--root", (folder_ / "copy/of root").string(), "--output",
                      dist().string(), "--jobs", "4"})
                .exit_code,
            0);
  EXPECT_EQ(file_content(dist() / made()), first);
}

TEST_F(Wheel, ARootThatIsNone) {
  fs::remove_all(info());
  refused("has 0 folders *.dist-info");
  write_file(info() / "METADATA", "Name: demo-package\n\nVersion: 1\n");
  refused("METADATA has no Version");
  write_file(info() / "METADATA", "Name: other\nVersion: 1.0+cpu\n");
  refused("remedy: name it other-1.0+cpu.dist-info");
  for (const char* fields : {"Name: demo\nVersion: 1 2\n", "Name: demo\nVersion: 1\x1b[m\n",
                             "Name: ../demo\nVersion: 1\n"}) {
    write_file(info() / "METADATA", fields);
    refused("is not the name and version of a project");
  }
  fs::remove(info() / "METADATA");
  write_file(info() / "entry_points.txt", "");
  refused("METADATA is missing");
  write_file(root() / "other-1.dist-info/METADATA", kMetadata);
  refused("has 2 folders *.dist-info");
}

TEST_F(Wheel, ASymlinkIsRefused) {
  fs::create_symlink("__init__.py", root() / "demo/link.py");
  refused("demo/link.py is a symlink, and wheels have none");
}

TEST_F(Wheel, AnExtensionModuleForAnotherPython) {
  add_library("demo/_C.cpython-312-x86_64-linux-gnu.so");
  refused("demo/_C.cpython-312-x86_64-linux-gnu.so is not for cp311",
          {"--python", "cp311", "--abi", "cp311"});
  EXPECT_EQ(pack({"--python", "cp312", "--abi", "cp312"}).exit_code, 0);
}

TEST_F(Wheel, ALibraryOutsideAllowsNoManylinux) {
  compile_shared("#include <cstdio>\nextern \"C\" int more() { return std::puts(\"x\"); }\n",
                 folder_ / "libmore.so.1");
  add_library("demo/libdemo.so", {"-Wl,--no-as-needed", (folder_ / "libmore.so.1").string()});
  const CommandResult result = pack();
  ASSERT_EQ(result.exit_code, 0);
  EXPECT_EQ(made(), "demo_package-1.0+cpu-py3-none-linux_x86_64.whl");
  EXPECT_EQ(
      result.output,
      "platform linux_x86_64: demo/libdemo.so needs libmore.so.1, which is neither inside nor "
      "on every host\n" +
          (dist() / made()).string() + "\n");
  fs::copy_file(folder_ / "libmore.so.1", root() / "demo/libmore.so.1");
  fs::remove_all(dist());
  ASSERT_EQ(pack().exit_code, 0);
  EXPECT_TRUE(begins_with(made(), "demo_package-1.0+cpu-py3-none-manylinux_2_"));
}

TEST_F(Wheel, ABuildTagTellsTwoOfOneVersionApart) {
  ASSERT_EQ(pack({"--build", "1large"}).exit_code, 0);
  EXPECT_EQ(made(), "demo_package-1.0+cpu-1large-py3-none-any.whl");
  EXPECT_TRUE(contains(run_command({"unzip", "-p", (dist() / made()).string(), "*/WHEEL"}).output,
                       "\nBuild: 1large\n"));
}

TEST_F(Wheel, WrongUse) {
  refused("'large' is not a build tag", {"--build", "large"}, 2);
  refused("'cp 311' is not a tag", {"--python", "cp 311"}, 2);
  refused("level 13 does not exist", {"--level", "13"}, 2);
  EXPECT_EQ(
      torchpkg({"pack", "wheel", "--root", root().string(), "--output", root().string()}).exit_code,
      2);
}

TEST(WheelPlatform, FollowsTheNewestVersionThatIsAskedFor) {
  const auto tag = [](const std::vector<NeededVersion>& versions) {
    return wheel::platform_tag({{"lib/a.so", "x86_64", {"libc.so.6"}, versions}}, {}).tag;
  };
  EXPECT_EQ(tag({}), "manylinux_2_5_x86_64");
  EXPECT_EQ(tag({{"libc.so.6", "GLIBC_2.17"}, {"libm.so.6", "GLIBC_2.29"}}),
            "manylinux_2_31_x86_64");
  EXPECT_EQ(tag({{"libc.so.6", "GLIBC_2.42"}}), "manylinux_2_42_x86_64");
  EXPECT_EQ(tag({{"libstdc++.so.6", "GLIBCXX_3.4.30"}}), "manylinux_2_35_x86_64");
  EXPECT_EQ(tag({{"libstdc++.so.6", "CXXABI_1.3.14"}}), "manylinux_2_39_x86_64");
  EXPECT_EQ(tag({{"libc.so.6", "GLIBC_ABI_DT_RELR"}}), "manylinux_2_36_x86_64");
  EXPECT_EQ(tag({{"libgcc_s.so.1", "GCC_3.0"}, {"libc.so.6", "GLIBC_2.2.5"}}),
            "manylinux_2_5_x86_64");
  EXPECT_EQ(tag({{"libstdc++.so.6", "GLIBCXX_3.4.99"}}), "linux_x86_64");
  EXPECT_EQ(tag({{"libc.so.6", "GLIBC_PRIVATE"}}), "linux_x86_64");
}

TEST(WheelPlatform, LibrariesInsideCountForNothing) {
  const std::vector<ElfNeeds> files = {
      {"lib/a.so", "x86_64", {"libgomp.so.1"}, {{"libgomp.so.1", "GOMP_4.0"}}},
      {"lib/libgomp.so.1", "x86_64", {"libc.so.6"}, {{"libc.so.6", "GLIBC_2.34"}}}};
  EXPECT_EQ(wheel::platform_tag(files, {"libgomp.so.1"}).tag, "manylinux_2_34_x86_64");
  EXPECT_EQ(wheel::platform_tag(files, {"libgomp.so.1"}).reason,
            "lib/libgomp.so.1 needs GLIBC_2.34 of libc.so.6");
  EXPECT_EQ(wheel::platform_tag(files, {}).tag, "linux_x86_64");
}

TEST(WheelPlatform, SeveralMachinesAreAnError) {
  EXPECT_THROW(wheel::platform_tag({{"a.so", "x86_64", {}, {}}, {"b.so", "aarch64", {}, {}}}, {}),
               Error);
}

TEST(WheelRecord, LinesAreQuotedAsCsvWants) {
  // SHA-256 of nothing.
  const std::string hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  EXPECT_EQ(wheel::record_line("a/b.py", hash, 0),
            "a/b.py,sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,0\n");
  EXPECT_EQ(wheel::record_line("a,\"b\"", "", 0), "\"a,\"\"b\"\"\",,\n");
}

}  // namespace
}  // namespace torchpkg::test
