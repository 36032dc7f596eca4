// SPDX-License-Identifier: BSD-3-Clause
// The checks of wheels: the sample package as torch/ of one, broken in one way each.
#include <algorithm>

#include "check_wheel_fixture.h"
#include "wheel/tags.h"

namespace torchpkg::test {
namespace {

TEST_F(CheckWheel, AGoodOnePasses) {
  EXPECT_EQ(failed(pack_it()), Names{}) << report_.dump(2);
  EXPECT_EQ(verdict("wheel"), "pass");
  EXPECT_EQ(verdict("entry-points"), "pass");
  EXPECT_EQ(found("entry-points"), "torchrun");
  EXPECT_EQ(verdict("python-free"), "not applicable");
  EXPECT_EQ(verdict("closure"), "pass");
  EXPECT_EQ(verdict("licences"), "pass");
}

TEST_F(CheckWheel, SoDoesTheFolderThatItIsMadeOf) {
  EXPECT_EQ(failed(site()), Names{}) << report_.dump(2);
  EXPECT_EQ(verdict("wheel"), "not applicable");
  EXPECT_EQ(verdict("entry-points"), "pass");
}

TEST_F(CheckWheel, WhatRecordDoesNotSay) {
  const std::string record = "torch-2.6.0+cpu.dist-info/RECORD";
  const Names with_bill{"wheel", "bill-of-materials"};
  const std::vector<std::tuple<std::string, std::string, Names, std::string>> changes{
      {"torch/run.py", "def main():\n    fail\n", with_bill, "torch/run.py is sha256=*"},
      {"torch/new.py", "new\n", with_bill, "RECORD does not list torch/new.py"},
      {"torch/__init__.py", "-", with_bill,
       "RECORD lists 'torch/__init__.py', which is not inside"},
      {record, "+torch/run.py,,\r\n", {"wheel"}, "RECORD lists torch/run.py twice"},
      {record, "-", {"wheel"}, "RECORD is missing"},
  };
  for (const auto& [entry, text, rows, said] : changes) {
    EXPECT_EQ(failed_when_changed(entry, text), rows) << said;
    EXPECT_TRUE(is_like(first_detail("wheel"), said)) << first_detail("wheel");
  }
}

/// pip puts what lies in a folder *.data elsewhere, over what was checked.
TEST_F(CheckWheel, AFolderWhoseFilesWouldBePutElsewhere) {
  for (const char* folder : {"torch-2.6.0+cpu.data", "other.data", "torch-2.6.0+cpu.DATA"}) {
    for (const char* file : {"purelib/torch/version.py", "scripts/pip"}) {
      write_file(site() / folder / file, "evil");
      for (const fs::path& package : {pack_it(), site()}) {
        expect_fault(failed(package), "wheel",
                     std::string(folder) +
                         " is inside, and pip would put its files over others, such as "
                         "torch/version.py or bin/pip; leave it out");
      }
      fs::remove_all(site() / folder);
    }
  }
  write_file(site() / "torch/not.data/file", "");
  EXPECT_EQ(failed(pack_it()), Names{});
}

TEST_F(CheckWheel, ASecondDistInfo) {
  const fs::path good = pack_it();
  const std::string content = file_content(good);
  for (const auto& [name, both] :
       {std::pair{"other-1.0.dist-info", "other-1.0.dist-info and torch-2.6.0+cpu.dist-info"},
        std::pair{"torch-2.6.0+cpu.DIST-INFO",
                  "torch-2.6.0+cpu.DIST-INFO and torch-2.6.0+cpu.dist-info"}}) {
    write_file(good, content);
    must_run({"python3", "-c",
              "import sys, zipfile\n"
              "info = zipfile.ZipInfo(sys.argv[2] + '/')\n"
              "info.external_attr = 0o40755 << 16\n"
              "zipfile.ZipFile(sys.argv[1], 'a').writestr(info, '')",
              good.string(), name});
    const Names rows = failed(good);
    EXPECT_EQ(std::count(rows.begin(), rows.end(), "wheel"), 1);
    EXPECT_EQ(first_detail("wheel"), std::string(both) +
                                         " are inside, and pip takes no wheel with two; leave one "
                                         "out");
  }
}

TEST_F(CheckWheel, APlatformThatTheSymbolsContradict) {
  const fs::path good = pack_it();
  const fs::path bad = folder_ / "torch-2.6.0+cpu-cp311-cp311-manylinux_2_1_x86_64.whl";
  fs::copy_file(good, bad);
  EXPECT_EQ(failed(bad), Names{"wheel"});
  EXPECT_TRUE(contains(report_.dump(), "manylinux_2_1_x86_64 is not true: "));
  EXPECT_TRUE(contains(first_detail("wheel"), "WHEEL has the tags cp311-cp311-manylinux_2_"));
}

TEST_F(CheckWheel, AnotherNameThanMetadataHas) {
  const fs::path good = pack_it();
  const std::string tags = good.filename().string().substr(std::string("torch-2.6.0+cpu").size());
  const fs::path bad = folder_ / ("torch-2.6.1+cpu" + tags);
  fs::copy_file(good, bad);
  expect_fault(failed(bad), "wheel",
               "METADATA is of torch 2.6.0+cpu, the file's name says otherwise");
}

TEST_F(CheckWheel, AModuleForAnotherPython) {
  add_module("torch", "_C.cpython-312-x86_64-linux-gnu.so");
  change({set_rpath("torch/_C.cpython-312-x86_64-linux-gnu.so", "$ORIGIN/lib")});
  const CommandResult result = torchpkg({"pack", "wheel", "--root", site().string(), "--output",
                                         dist().string(), "--python", "cp311", "--abi", "cp311"});
  EXPECT_EQ(result.exit_code, 3) << result.output;
  EXPECT_TRUE(wheel::is_for_other_python("torch/_C.cpython-312-x86_64-linux-gnu.so", "cp311"));
  EXPECT_FALSE(wheel::is_for_other_python("torch/_C.cpython-311-x86_64-linux-gnu.so", "cp311"));
  EXPECT_FALSE(wheel::is_for_other_python("torch/lib/libtorch_python.so", "cp311"));
}

TEST_F(CheckWheel, FindsWhatIsBroken) {
  const std::string module = std::string("functorch/") + kModule;
  broken("a module that does not reach the libraries", {set_rpath(module, "$ORIGIN/lib")},
         "closure", "*not reached by its RPATH*");
  broken("a module whose RPATH leaves the wheel",
         {set_rpath(module, "$ORIGIN/../torch/lib:$ORIGIN/../../lib")}, "rpath");
  change({put("torch-2.6.0+cpu.dist-info/entry_points.txt",
              "[console_scripts]\ntool = tools.other:main\n")});
  expect_fault(failed(pack_it()), "entry-points",
               "'tool = tools.other:main': tools/other.py is not inside");
}

TEST_F(CheckWheel, ATruncatedOne) {
  const fs::path good = pack_it();
  fs::resize_file(good, fs::file_size(good) / 2);
  EXPECT_EQ(failed(good), Names{"archive"});
}

TEST(WheelTags, NamesHaveParts) {
  const auto name = wheel::parse_wheel_name("torch-2.6.0+cpu-cp311-cp311-linux_x86_64.whl");
  EXPECT_EQ(name.version, "2.6.0+cpu");
  EXPECT_EQ(name.platform, "linux_x86_64");
  const auto several = wheel::parse_wheel_name("a-1-2build-py2.py3-none-any.whl");
  EXPECT_EQ(wheel::tags_of(several), (Names{"py2-none-any", "py3-none-any"}));
  EXPECT_EQ(wheel::parse_wheel_name("torch.whl").name, "");
  EXPECT_EQ(wheel::parse_wheel_name("torch-2.6.0+cpu-cp311-cp311-linux_x86_64.zip").name, "");
}

}  // namespace
}  // namespace torchpkg::test
