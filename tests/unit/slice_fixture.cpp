// SPDX-License-Identifier: BSD-3-Clause
#include "slice_fixture.h"

namespace torchpkg::test {

std::string sliced(const Names& before, const Names& after) {
  std::string bytes = fat_binary(after);
  bytes.resize(fat_binary(before).size());
  return bytes;
}

fs::path SliceFixture::library(const std::string& name, const std::string& content,
                               const std::string& section) const {
  fs::create_directories(package_);
  fs::path file = package_ / name;
  compile(source_with_section(folder_ / "content", section, content), file, {"-shared", "-fPIC"});
  return file;
}

fs::path SliceFixture::static_library(const std::string& name, const std::string& content) const {
  fs::create_directories(package_);
  const std::string source = source_with_section(folder_ / "content", ".nv_fatbin", content);
  Names command = {"ar", "rcs", (package_ / name).string()};
  for (const char* member : {"a.o", "note.txt", "b.o"}) {
    command.push_back((folder_ / member).string());
    if (command.back().ends_with(".o")) compile(source, command.back(), {"-c", "-fPIC"});
  }
  write_file(folder_ / "note.txt", "no object");
  must_run(command);
  return package_ / name;
}

CommandResult SliceFixture::run(Names arguments, const Names& before) const {
  arguments.insert(arguments.begin(), {TORCHPKG_PROGRAM, "slice"});
  arguments.insert(arguments.begin(), before.begin(), before.end());
  arguments.push_back(package_.string());
  return run_command(arguments);
}

void SliceFixture::becomes(const fs::path& file, const std::string& before,
                           const std::string& after, const Names& arguments) const {
  std::string expected = file_content(file);
  const std::size_t at = expected.find(before);
  ASSERT_NE(at, std::string::npos);
  ASSERT_EQ(before.size(), after.size());
  expected.replace(at, before.size(), after);
  const CommandResult result = run(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_TRUE(file_content(file) == expected) << result.output;
}

void SliceFixture::refuses(const Names& arguments, int code, const std::string& message) const {
  const auto before = snapshot(package_);
  const CommandResult result = run(arguments);
  EXPECT_EQ(result.exit_code, code);
  EXPECT_TRUE(contains(result.output, message));
  EXPECT_TRUE(contains(result.output, "remedy: "));
  EXPECT_TRUE(snapshot(package_) == before) << result.output;
}

}  // namespace torchpkg::test
