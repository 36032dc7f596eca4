// SPDX-License-Identifier: BSD-3-Clause
#include "slice/slice.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include "common/interrupt.h"
#include "fat_binaries.h"
#include "slice/sliced_file.h"

namespace torchpkg::test {
namespace {

using Names = std::vector<std::string>;

std::string names(const std::vector<CodeTarget>& targets) {
  std::string text;
  for (const CodeTarget& target : targets) text += (text.empty() ? "" : " ") + target.name();
  return text;
}

struct stat status_of(const fs::path& file) {
  struct stat status {};
  EXPECT_EQ(::stat(file.c_str(), &status), 0) << file;
  return status;
}

/// A fat binary of `before` of which only `after` is left.
std::string sliced(const Names& before, const Names& after) {
  std::string bytes = fat_binary(after);
  bytes.resize(fat_binary(before).size());
  return bytes;
}

class Slice : public testing::Test {
 protected:
  /// A shared library in the package with `content` in a section.
  fs::path library(const std::string& name, const std::string& content,
                   const std::string& section = ".nv_fatbin") const {
    fs::create_directories(package_);
    fs::path file = package_ / name;
    compile(source_with_section(folder_ / "content", section, content), file, {"-shared", "-fPIC"});
    return file;
  }

  [[nodiscard]] CommandResult run(Names arguments, const Names& before = {}) const {
    arguments.insert(arguments.begin(), {TORCHPKG_PROGRAM, "slice"});
    arguments.insert(arguments.begin(), before.begin(), before.end());
    arguments.push_back(package_.string());
    return run_command(arguments);
  }

  /// Slices the package, where `before` must become `after` in a file and nothing else change.
  void becomes(const fs::path& file, const std::string& before, const std::string& after,
               const Names& arguments) const {
    std::string expected = file_content(file);
    const std::size_t at = expected.find(before);
    ASSERT_NE(at, std::string::npos);
    ASSERT_EQ(before.size(), after.size());
    expected.replace(at, before.size(), after);
    const CommandResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.output;
    EXPECT_TRUE(file_content(file) == expected) << result.output;
  }

  /// The package stays as it is, and the command says this.
  void refuses(const Names& arguments, int code, const std::string& message) const {
    const auto before = snapshot(package_);
    const CommandResult result = run(arguments);
    EXPECT_EQ(result.exit_code, code);
    EXPECT_TRUE(contains(result.output, message));
    EXPECT_TRUE(contains(result.output, "remedy: "));
    EXPECT_TRUE(snapshot(package_) == before) << result.output;
  }

  TemporaryFolder folder_;
  fs::path package_ = folder_ / "package";
};

TEST_F(Slice, WhatADriverMayTake) {
  struct Case {
    std::uint32_t gpu;
    Names there;
    const char* taken;
  };
  const std::vector<Case> cases = {
      {90, {"sm_80", "sm_90", "sm_90a", "sm_100", "compute_90"}, "sm_90 sm_90a"},
      {86, {"sm_75", "sm_80", "sm_89", "compute_86"}, "sm_80"},
      {75, {"sm_50", "sm_70", "sm_80"}, "sm_70"},
      {75, {"sm_80", "sm_90"}, ""},
      {80, {"sm_75"}, ""},
      {89, {"sm_80", "sm_86", "sm_90"}, "sm_86"},
      {103, {"sm_100a", "sm_100", "sm_100f", "sm_120f"}, "sm_100 sm_100f"},
      {103, {"sm_100f", "sm_103a"}, "sm_103a"},
      {90, {"sm_80", "compute_75", "compute_80", "compute_100", "lto_90"}, "compute_80"},
      {90, {"compute_90", "compute_90a", "compute_80"}, "compute_90 compute_90a"},
      {121, {"compute_90a", "compute_90f", "compute_120f", "compute_70"}, "compute_120f"},
      {121, {"compute_90a", "compute_90f", "compute_70"}, "compute_70"},
      {90, {"lto_90", "unknown_90"}, ""},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(names(targets_for(one.gpu, targets(one.there))), one.taken) << one.gpu;
  }
}

TEST_F(Slice, KeepsThatAndNothingElse) {
  const Names all = {"sm_75", "sm_80", "sm_90", "sm_90a", "sm_120", "compute_120"};
  const Names old = {"sm_50", "compute_50"};
  const Names only_later = {"sm_100", "compute_100"};
  const Names unknown = {"lto_75", "sm_80", "unknown_120"};
  const std::string gap(24, '\0');
  const std::string before = fat_binary(all) + fat_binary({}) + fat_binary(old) + gap +
                             fat_binary(only_later) + fat_binary(unknown) + fat_binary(all);
  const std::string after = sliced(all, {"sm_90", "sm_90a"}) + fat_binary({}) +
                            sliced(old, {"compute_50"}) + gap + sliced(only_later, {}) +
                            sliced(unknown, {"lto_75", "unknown_120"}) +
                            sliced(all, {"sm_90", "sm_90a"});
  for (const char* section : {".nv_fatbin", "__nv_relfatbin"}) {
    for (const Names& more : {Names{}, Names{"--in-place"}}) {
      Names arguments = {"--arch", "9.0"};
      arguments.insert(arguments.end(), more.begin(), more.end());
      becomes(library("libk.so", before, section), before, after, arguments);
    }
  }
}

TEST_F(Slice, ForSeveralGpusAndWithPtx) {
  const Names all = {"sm_75", "sm_80", "sm_90", "compute_80", "compute_90"};
  const std::string before = fat_binary(all);
  becomes(library("libk.so", before), before, sliced(all, {"sm_75", "sm_90"}),
          {"--arch", "9.0", "--arch", "7.5"});
  becomes(library("libk.so", before), before, sliced(all, {"sm_80", "compute_80", "compute_90"}),
          {"--arch", "8.6+PTX"});
}

TEST_F(Slice, ObjectsOfAStaticLibrary) {
  const Names all = {"sm_80", "sm_90", "compute_90"};
  fs::create_directories(package_);
  for (const char* name : {"a.o", "b.o"}) {
    compile(source_with_section(folder_ / "content", ".nv_fatbin", fat_binary(all)), folder_ / name,
            {"-c", "-fPIC"});
  }
  write_file(folder_ / "note.txt", "no object");
  const fs::path file = package_ / "libk.a";
  must_run({"ar", "rcs", file.string(), (folder_ / "a.o").string(), (folder_ / "note.txt").string(),
            (folder_ / "b.o").string()});
  std::string expected = file_content(file);
  for (std::size_t at = 0; (at = expected.find(fat_binary(all))) != std::string::npos;) {
    expected.replace(at, fat_binary(all).size(), sliced(all, {"sm_80"}));
  }
  EXPECT_EQ(run({"--arch", "8.0"}).exit_code, 0);
  EXPECT_TRUE(file_content(file) == expected);
}

TEST_F(Slice, OfASlice) {
  const Names all = {"sm_75", "sm_80", "sm_90"};
  const fs::path file = library("libk.so", fat_binary(all));
  becomes(file, fat_binary(all), sliced(all, {"sm_75", "sm_90"}),
          {"--arch", "7.5", "--arch", "9.0"});
  const std::string once = sliced(all, {"sm_75", "sm_90"});
  becomes(file, once, once, {"--arch", "7.5", "--arch", "9.0"});
  refuses({"--arch", "8.0"}, 3,
          "package has no device code that a GPU of compute capability 8.0 runs\n"
          "remedy: it has only sm_75, sm_90; what a slice has dropped is in the original alone");
  becomes(file, once, sliced(all, {"sm_90"}), {"--arch", "9.0"});
}

TEST_F(Slice, RefusesWhatIsNoGpu) {
  library("libk.so", fat_binary({"sm_90"}));
  for (const char* wrong : {"9", "native", "9.0a", "sm_90", "9.0;8.0"}) {
    refuses({std::string("--arch=") + wrong}, 2, "is not a GPU's compute capability");
  }
}

TEST_F(Slice, RefusesWhatNothingServes) {
  library("libk.so", fat_binary({"sm_75", "sm_90"}));
  library("libl.so", fat_binary({"sm_80"}));
  refuses({"--arch", "9.0", "--arch", "12.0"}, 3, "of compute capability 12.0 runs");
  refuses({"--arch", "9.0+PTX"}, 3, "has no PTX, which --arch 9.0+PTX asks for");
  EXPECT_EQ(run({"--arch", "8.6"}).exit_code, 0) << "one file serves it";
  fs::remove(package_ / "libl.so");
  library("libk.so", "", ".text2");
  refuses({"--arch", "9.0"}, 3,
          "remedy: give PyTorch's libraries for CUDA; NVIDIA's own are left as they are");
}

TEST_F(Slice, RefusesAnUnknownForm) {
  library("liba.so", fat_binary({"sm_80", "sm_90"}));
  std::string other = fat_binary({"sm_80", "sm_90"});
  other[4] = '\2';
  library("libk.so", fat_binary({}) + other);
  refuses({"--arch", "9.0"}, 3,
          "libk.so: .nv_fatbin: byte 16: a fat binary of version 2 is not known");
  library("libk.so", "no code!");
  refuses({"--arch", "9.0"}, 3, "libk.so: .nv_fatbin: byte 0: no fat binary begins here");
}

TEST_F(Slice, RefusesSectionsThatOverlap) {
  // Two sections have the same content; the second one's offset becomes that of the first.
  const std::string one = fat_binary({"sm_80", "sm_90"});
  fs::create_directories(package_);
  compile(source_with_section(folder_ / "a", ".nv_fatbin", one,
                              source_with_section(folder_ / "b", "__nv_relfatbin", one)),
          package_ / "libk.so", {"-shared", "-fPIC"});
  std::string bytes = file_content(package_ / "libk.so");
  const std::size_t first = bytes.find(one);
  const std::string second = little_endian(bytes.find(one, first + 1), 8);
  bytes.replace(bytes.rfind(second), 8, little_endian(first, 8));
  write_file(package_ / "libk.so", bytes);
  refuses({"--arch", "9.0"}, 3, "two fat binaries overlap at byte " + std::to_string(first));
}

TEST_F(Slice, LeavesNvidiasLibraries) {
  const fs::path theirs = library("libcublas.so.12", fat_binary({"sm_80", "sm_90"}));
  const std::string before = file_content(theirs);
  library("libk.so", fat_binary({"sm_80", "sm_90"}));
  EXPECT_TRUE(contains(run({"--arch", "9.0"}).output,
                       "\n1 of NVIDIA's own libraries were left as they are\n"));
  EXPECT_TRUE(file_content(theirs) == before);
}

TEST_F(Slice, ReportsEachFile) {
  library("liba.so", fat_binary({"sm_80", "sm_90"}));
  library("libk.so", fat_binary({"sm_80", "sm_90"}));
  write_file(package_ / "readme.txt", "text");
  library("libx.so", "", ".text2");
  const std::string report = run({"--arch", "9.0"}).output;
  EXPECT_TRUE(contains(report, "/liba.so: device code 160 B -> 88 B, on the disk "));
  EXPECT_TRUE(contains(report, "\nsum: device code 320 B -> 176 B, on the disk "));
  EXPECT_FALSE(contains(report, "libx.so"));
}

constexpr std::size_t kLarge = std::size_t{1} << 20U;

/// Two parts of a megabyte, of which one is dropped.
std::string large() { return fat_binary({"sm_80", "sm_90"}, kLarge); }

TEST_F(Slice, WhatIsDroppedNeedsNoSpace) {
  for (const bool in_place : {false, true}) {
    const fs::path file = library("libk.so", large());
    fs::permissions(file, fs::perms::owner_all | fs::perms::group_read);
    const struct stat before = status_of(file);
    EXPECT_EQ(run(in_place ? Names{"--arch=9.0", "--in-place"} : Names{"--arch=9.0"}).exit_code, 0);
    const struct stat after = status_of(file);
    EXPECT_EQ(after.st_size, before.st_size);
    EXPECT_EQ(after.st_mode, before.st_mode);
    EXPECT_LE(after.st_blocks, before.st_blocks - 2000);
    EXPECT_EQ(after.st_ino == before.st_ino, in_place);
    EXPECT_EQ(snapshot(package_).size(), 1U) << "nothing beside it";
  }
}

TEST_F(Slice, OnAFileSystemWithoutHoles) {
  compile(
      "#include <errno.h>\n"
      "extern \"C\" int fallocate(int, int, long, long) { errno = EOPNOTSUPP; return -1; }\n",
      folder_ / "nofallocate.so", {"-shared", "-fPIC"});
  // The folder's name has a space, which separates libraries in LD_PRELOAD.
  const Names preloaded = {"sh", "-c",
                           "cd \"$0\" && ASAN_OPTIONS=verify_asan_link_order=0 "
                           "LD_PRELOAD=./nofallocate.so exec \"$@\"",
                           folder_.path().string()};
  const fs::path file = library("libk.so", large());
  fs::copy_file(file, folder_ / "whole.so");
  const CommandResult result = run({"--arch", "9.0", "--in-place"}, preloaded);
  EXPECT_TRUE(contains(result.output,
                       "\nthe file system has no holes in files: what was dropped is zeros\n"));
  const std::string without = file_content(file);
  const struct stat zeros = status_of(file);
  // As after an installation, which writes the zeros of a packed slice.
  EXPECT_FALSE(contains(run({"--arch", "9.0", "--in-place"}).output, "no holes"));
  EXPECT_LE(status_of(file).st_blocks, zeros.st_blocks - 2000);
  EXPECT_TRUE(file_content(file) == without);
  fs::copy_file(folder_ / "whole.so", file, fs::copy_options::overwrite_existing);
  EXPECT_EQ(run({"--arch", "9.0"}).exit_code, 0);
  EXPECT_TRUE(file_content(file) == without);
}

TEST_F(Slice, EachFileOnceWhateverItsNames) {
  const Names all = {"sm_80", "sm_90"};
  for (const char* in_place : {"", "--in-place"}) {
    const fs::path file = library("liba.so", fat_binary(all));
    fs::create_hard_link(file, package_ / "libb.so");
    fs::create_symlink("liba.so", package_ / "libs.so");
    Names arguments = {"--arch", "9.0", (package_ / "libs.so").string(), file.string()};
    if (*in_place != '\0') arguments.emplace_back(in_place);
    const CommandResult result = run(arguments);
    EXPECT_TRUE(contains(result.output, "\nsum: device code 160 B -> 88 B"));
    EXPECT_TRUE(fs::is_symlink(package_ / "libs.so"));
    EXPECT_TRUE(fs::equivalent(file, package_ / "libb.so"));
    EXPECT_EQ(fs::hard_link_count(file), 2U);
    EXPECT_TRUE(contains(file_content(file), sliced(all, {"sm_90"})));
    EXPECT_EQ(snapshot(package_).size(), 3U);
    fs::remove_all(package_);
  }
}

TEST_F(Slice, NamesElsewhereKeepTheWholeFile) {
  const fs::path file = library("libk.so", fat_binary({"sm_80", "sm_90"}));
  const std::string whole = file_content(file);
  fs::create_hard_link(file, folder_ / "cached.so");
  const std::string report = run({"--arch", "9.0", "--in-place"}).output;
  EXPECT_TRUE(contains(report, "\n1 files had other hard links, which still have all code\n"));
  EXPECT_TRUE(file_content(folder_ / "cached.so") == whole);
  EXPECT_FALSE(file_content(file) == whole);
}

TEST_F(Slice, InterruptedItLeavesTheFile) {
  const fs::path file = library("libk.so", large());
  const auto before = snapshot(package_);
  const SlicedFile slice = read_slice(file, {*parse_wanted_arch("9.0")});
  {
    const InterruptGuard guard;
    ::raise(SIGTERM);
    EXPECT_THROW(replace_by_slice(file, slice), Interrupted);
  }
  EXPECT_TRUE(snapshot(package_) == before);
}

TEST_F(Slice, AFullDiskLeavesTheFile) {
  library("libk.so", large());
  const auto before = snapshot(package_);
  const CommandResult result =
      run({"--arch", "9.0"}, {"sh", "-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "sh"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_TRUE(contains(result.output, "libk.so cannot be written"));
  EXPECT_TRUE(snapshot(package_) == before);
}

}  // namespace
}  // namespace torchpkg::test
