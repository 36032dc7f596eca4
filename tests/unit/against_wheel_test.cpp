// SPDX-License-Identifier: BSD-3-Clause
// A wheel compared with a reference.
#include "check_wheel_fixture.h"

namespace torchpkg::test {
namespace {

/// Compared with a reference: what a wheel is packed from, as good as the wheel itself.
class AgainstWheel : public CheckWheel {
 protected:
  void SetUp() override {
    CheckWheel::SetUp();
    fs::copy(site(), reference(), fs::copy_options::recursive);
  }

  [[nodiscard]] fs::path reference() const { return folder_ / "reference"; }
  [[nodiscard]] fs::path reference_info() const {
    return reference() / "torch-2.6.0+cpu.dist-info";
  }

  Names compare(const Names& options = {}) {
    Names all{"--against", reference().string()};
    all.insert(all.end(), options.begin(), options.end());
    return failed(site(), all);
  }

  [[nodiscard]] const Json& files(const char* kind) const {
    return report_.at("against").at("files").at(kind);
  }
  [[nodiscard]] const Json& field(const char* name) const {
    return report_.at("against").at("metadata").at(name);
  }
};

TEST_F(AgainstWheel, TheSameWheel) {
  const std::string wheel = pack_it().string();
  EXPECT_EQ(failed(wheel, {"--against", wheel, "--fail-on",
                           "missing-files,missing-symbols,soname,larger=0"}),
            Names{});
  EXPECT_EQ(verdict("parity-files"), "pass");
  EXPECT_EQ(found("parity-metadata"), "6 values in both, 0 only here, 0 only there");
  for (const auto& kind : report_["against"]["files"].items()) {
    for (const char* list : {"only_here", "only_there", "different"}) {
      EXPECT_EQ(kind.value()[list], Json::array()) << kind.key();
    }
  }
  EXPECT_EQ(files("extension module")["both"], 2);
  EXPECT_EQ(report_["against"]["libraries"].count("torch/_C.so"), 1U);
}

TEST_F(AgainstWheel, FilesOfPython) {
  write_file(reference() / "torch/gone.py", "");
  write_file(reference() / "torch/run.py", "def main():\n    other\n");
  EXPECT_EQ(compare({"--fail-on", "missing-libraries"}), Names{});
  EXPECT_EQ(files("Python file")["only_there"], Json::array({"torch/gone.py"}));
  EXPECT_EQ(files("Python file")["different"], Json::array({"torch/run.py"}));
  EXPECT_EQ(compare({"--fail-on", "missing-files"}), Names{"parity-files"});
  EXPECT_EQ(first_detail("parity-files"), "the Python file torch/gone.py is missing");
}

TEST_F(AgainstWheel, OtherMetadata) {
  write_file(info() / "METADATA",
             "Metadata-Version: 2.4\nName: torch\nVersion: 2.6.0+cpu\nRequires-Dist: filelock\n"
             "Requires-Dist: sympy ==1.13 ; python_version >= \"3.9\"\n\nText\n");
  write_file(reference_info() / "METADATA",
             "Metadata-Version: 2.4\nName: torch\nVersion: 2.6.0\nRequires-Dist: triton\n"
             "Requires-Dist: sympy (==1.13) ; python_version >= '3.9'\nLicense: one\n   two\n\n"
             "Other text\n");
  write_file(reference_info() / "entry_points.txt",
             "[console_scripts]\ntorchrun = torch.other:main\n");
  EXPECT_EQ(compare(), Names{});
  EXPECT_EQ(verdict("parity-metadata"), "pass");
  EXPECT_EQ(field("Requires-Dist")["both"], 1);
  EXPECT_EQ(field("Requires-Dist")["only_here"], Json::array({"filelock"}));
  EXPECT_EQ(field("Requires-Dist")["only_there"], Json::array({"triton"}));
  EXPECT_EQ(field("Version")["only_there"], Json::array({"2.6.0"}));
  EXPECT_EQ(field("License")["only_there"], Json::array({"one\ntwo"}));
  EXPECT_EQ(field("Description")["both"], 0);
  EXPECT_EQ(field("console_scripts")["only_here"], Json::array({"torchrun = torch.run:main"}));
}

TEST_F(AgainstWheel, NamesOfAnotherVersionPythonAndPlatform) {
  fs::rename(reference_info(), reference() / "torch-2.6.0.dist-info");
  fs::rename(reference() / "torch" / kModule,
             reference() / "torch/_C.cpython-312-aarch64-linux-gnu.so");
  fs::rename(reference() / "functorch" / kModule, reference() / "functorch/_C.abi3.so");
  EXPECT_EQ(compare({"--fail-on", "missing-files,missing-libraries"}), Names{});
  EXPECT_EQ(files("extension module")["both"], 2);
  for (const auto& kind : report_["against"]["files"].items()) {
    EXPECT_EQ(kind.value()["only_here"], Json::array()) << kind.key();
    EXPECT_EQ(kind.value()["only_there"], Json::array()) << kind.key();
  }
}

TEST_F(AgainstWheel, APackageThatIsNoWheel) {
  fs::remove_all(reference_info());
  EXPECT_EQ(failed(site(), {"--against", (reference() / "torch").string()}), Names{});
  EXPECT_EQ(verdict("parity-metadata"), "no such row");
  EXPECT_EQ(files("header")["only_here"], Json::array());
}

}  // namespace
}  // namespace torchpkg::test
