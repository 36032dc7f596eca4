// SPDX-License-Identifier: BSD-3-Clause
#include "run/ninja_command.h"

#include <gtest/gtest.h>

#include <map>

#include "run/ninja_progress.h"
#include "support.h"

namespace torchpkg::test {
namespace {

using Words = std::vector<std::string>;

TEST(NinjaCommand, StatusLines) {
  const auto status = parse_ninja_status("[312/1452] Building CXX object x.o");
  ASSERT_TRUE(status.has_value());
  EXPECT_EQ(status->finished, 312U);
  EXPECT_EQ(status->total, 1452U);
  EXPECT_EQ(status->what, "Building CXX object x.o");
  for (const char* line :
       {"", "[", "[1/", "[1/2]", "[a/2] x", "[3/2] x", "[0/0] x", "note: [1/2] x"}) {
    EXPECT_FALSE(parse_ninja_status(line).has_value()) << line;
  }
}

TEST(NinjaCommand, IsUnderstood) {
  const TemporaryFolder folder;
  const auto command =
      ninja_command({"env", "A=1", "/usr/bin/ninja", "-C", "a b", "-j", "3", "all"});
  ASSERT_TRUE(command.has_value());
  EXPECT_EQ(command->folder, "a b");
  EXPECT_EQ(command->jobs, 3U);
  EXPECT_EQ(ninja_command({"ninja", "-j7", "-Cx"})->jobs, 7U);
  EXPECT_EQ(ninja_command({"ninja", "-j7", "-Cx"})->folder, "x");
  EXPECT_FALSE(ninja_command({"make", "-j3"}).has_value());

  write_file(folder / "build.ninja",
             "rule s\n command = touch $out\n description = Making $out\n"
             "build b: s\nbuild a: s | b\nbuild c: s\n");
  const Words words{"ninja", "-C", folder.path().string(), "a"};
  EXPECT_EQ(planned_steps(*ninja_command(words)), (Words{"Making b", "Making a"}));
  EXPECT_FALSE(fs::exists(folder / "a"));
  EXPECT_TRUE(planned_steps(*ninja_command({"ninja", "-C", (folder / "none").string()})).empty());
}

TEST(NinjaCommand, ItsLogIsReadAsItGrows) {
  const TemporaryFolder folder;
  const fs::path file = folder / ".ninja_log";
  write_file(file, "# ninja log v5\n0\t500\t1\told.o\tabc\n");
  NinjaLog log(folder.path());
  std::map<std::string, double> seen;
  const auto read = [&] {
    log.read([&](const std::string& output, double seconds) { seen[output] = seconds; });
  };
  read();
  EXPECT_TRUE(seen.empty());
  write_file(file, file_content(file) + "100\t350\t1\tnew.o\tabc\n200\t3");
  read();
  EXPECT_EQ(seen, (std::map<std::string, double>{{"new.o", 0.25}}));
  write_file(file, file_content(file) + "00\t1\tother.o\tabc\n");
  read();
  EXPECT_EQ(seen.size(), 2U);
  write_file(file, "# ninja log v5\n");  // written anew
  read();
  write_file(file, "# ninja log v5\n0\t1000\t1\tlast.o\tabc\n");
  read();
  EXPECT_EQ(seen["last.o"], 1);
}

TEST(NinjaCommand, ForOneOutputAlone) {
  const auto command = ninja_command({"env", "A=1", "/usr/bin/ninja", "-C", "b", "-j8", "install"});
  EXPECT_EQ(command->alone({"x.o", "y.o"}),
            (Words{"env", "A=1", "/usr/bin/ninja", "-C", "b", "-j1", "x.o", "y.o"}));
}

}  // namespace
}  // namespace torchpkg::test
