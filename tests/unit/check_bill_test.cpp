// SPDX-License-Identifier: BSD-3-Clause
#include "bills.h"
#include "check_conda_fixture.h"
#include "check_fixture.h"
#include "check_wheel_fixture.h"
#include "common/sha256.h"

namespace torchpkg::test {
namespace {

constexpr const char* kRow = "bill-of-materials";

/// The sample package with its bills, in which something changes afterwards.
class CheckBill : public SharedCheckTest {
 protected:
  void SetUp() override {
    SharedCheckTest::SetUp();
    fs::create_symlink("libc10.so", root() / "lib/libc10.so.2");
    write_bills(root());
    keep_bills_ = true;
  }

  /// The details of the one row that fails.
  Names details(const fs::path& package) {
    EXPECT_EQ(failed(package), Names{kRow}) << report_.dump(2);
    for (const Json& row : report_["checks"]) {
      if (row["name"] == kRow) return row["details"];
    }
    return {};
  }
};

TEST_F(CheckBill, WhatItNamesPasses) {
  EXPECT_EQ(failed(root()), Names{}) << report_.dump(2);
  EXPECT_EQ(failed_when_packed(), Names{}) << report_.dump(2);
  EXPECT_EQ(verdict(kRow), "pass");
}

TEST_F(CheckBill, OneByteOfCode) {
  const fs::path library = root() / "lib/libtorch_cpu.so";
  const std::string before = sha256_of_file(library);
  std::string bytes = file_content(library);
  const std::size_t at = bytes.find("OPENBLAS_NUM_THREADS sgesdd_");
  ASSERT_NE(at, std::string::npos);
  bytes[at - 1] = '-';
  write_file(library, bytes);
  const std::string is = "lib/libtorch_cpu.so is " + sha256_of_file(library) + ", but sbom.";
  const Names expected{is + "spdx.json says " + before, is + "cdx.json says " + before};
  EXPECT_EQ(details(root()), expected);
  pack();
  EXPECT_EQ(details(archive()), expected);
}

TEST_F(CheckBill, AHeaderThatIsChangedAddedOrMissing) {
  const fs::path header = root() / "include/torch/csrc/api/include/torch/extra.h";
  write_file(header, "int extra;\n");
  const std::string name = "include/torch/csrc/api/include/torch/extra.h";
  EXPECT_EQ(details(root()),
            (Names{"sbom.spdx.json does not list " + name, "sbom.cdx.json does not list " + name}));
  write_bills(root());
  EXPECT_EQ(failed(root()), Names{});
  fs::remove(header);
  EXPECT_EQ(details(root()), (Names{"sbom.spdx.json lists '" + name + "', which is not inside",
                                    "sbom.cdx.json lists '" + name + "', which is not inside"}));
}

TEST_F(CheckBill, ALinkThatLeadsElsewhere) {
  fs::remove(root() / "lib/libc10.so.2");
  fs::create_symlink("libtorch_cpu.so", root() / "lib/libc10.so.2");
  EXPECT_EQ(details(root()),
            Names{"lib/libc10.so.2 is a symlink to libtorch_cpu.so, but sbom.cdx.json "
                  "says a symlink to libc10.so"});
}

TEST_F(CheckBill, BillsThatAreNone) {
  fs::remove(root() / "sbom.spdx.json");
  write_file(root() / "sbom.cdx.json", "{");
  EXPECT_EQ(details(root()), (Names{"0 bills of materials (*.spdx.json) are inside, not one",
                                    "sbom.cdx.json is not JSON"}));
  for (const char* text : {"[]", "7", R"({"metadata": []})", R"({"files": "x", "metadata": {}})",
                           R"({"files": [1], "metadata": {"component": {"components": [[]]}}})",
                           R"({"files": [{"SPDXID": 5}], "metadata": 7})"}) {
    write_file(root() / "sbom.spdx.json", text);
    write_file(root() / "sbom.cdx.json", text);
    EXPECT_TRUE(contains(details(root()).at(0), "sbom.spdx.json does not list ")) << text;
  }
}

TEST_F(CheckBill, AFileThatIsNamedTwice) {
  const BilledFile twice{"build-version", "2.6.0+cpu\n"};
  write_file(root() / "sbom.spdx.json", spdx_bill({twice, twice}));
  EXPECT_EQ(details(root()).at(0), "sbom.spdx.json lists build-version twice");
}

/// What other products may have there.
TEST_F(CheckBill, WhatOnlyOthersAreExemptFrom) {
  Names expected;
  for (const char* format : {"spdx", "cdx"}) {
    for (const char* name :
         {"include/x.dist-info/RECORD", "info/paths.json", "lib/x.dist-info/WHEEL"}) {
      write_file(root() / name, "x");
      expected.push_back(std::string("sbom.") + format + ".json does not list " + name);
    }
  }
  EXPECT_EQ(details(root()), expected);
}

TEST_F(CheckWheel, WhatItsBillsName) {
  EXPECT_EQ(failed(pack_it()), Names{}) << report_.dump(2);
  EXPECT_EQ(failed_when_changed("torch-2.6.0+cpu.dist-info/METADATA", "+more\n"),
            (Names{"wheel", kRow}));
  EXPECT_TRUE(contains(first_detail(kRow), ", but torch.spdx.json says "));
  EXPECT_EQ(failed_when_changed("torch/x.dist-info/RECORD", "x"), (Names{"wheel", kRow}));
}

class CheckCondaBill : public CondaPackageTest {};

TEST_F(CheckCondaBill, WhatItNames) {
  use_libtorch();
  EXPECT_EQ(check().exit_code, 0) << check().output;
  billed_ = entries;
  put(file("lib/new.py", "pass\n"));
  expect_found_in(kRow, "sbom.cdx.json does not list lib/new.py");
}

}  // namespace
}  // namespace torchpkg::test
