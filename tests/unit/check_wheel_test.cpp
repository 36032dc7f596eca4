// SPDX-License-Identifier: BSD-3-Clause
// The checks of wheels: the sample package as torch/ of one, broken in one way each.
#include "bundle/bundle.h"
#include "check_fixture.h"
#include "wheel/tags.h"

namespace torchpkg::test {
namespace {

constexpr const char* kMetadata =
    "Metadata-Version: 2.4\nName: torch\nVersion: 2.6.0+cpu\nRequires-Dist: filelock\n\nText\n";
constexpr const char* kModule = "_C.cpython-311-x86_64-linux-gnu.so";

/// Writes a wheel again with one entry changed (or added, or, with "-", left out).
constexpr const char* kChange = R"(
import sys, zipfile
source, target, name, text = sys.argv[1:]
with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, 'w') as new:
    for item in old.infolist():
        if item.filename != name:
            new.writestr(item, old.read(item))
        elif text != '-':
            content = old.read(item).decode()
            new.writestr(item, content + text[1:] if text.startswith('+') else text)
    if name not in old.namelist():
        new.writestr(name, text)
)";

class CheckWheel : public SharedCheckTest {
 protected:
  void SetUp() override {
    SharedCheckTest::SetUp();
    change_manifest([](Json& manifest) { manifest["product"] = "wheel"; });
    fs::create_directories(site());
    fs::rename(root(), torch());
    fs::create_directories(info());
    fs::rename(torch() / "share/licenses", info() / "licenses");
    write_file(info() / "METADATA", kMetadata);
    write_file(info() / "entry_points.txt", "[console_scripts]\ntorchrun = torch.run:main\n");
    write_file(torch() / "__init__.py", "");
    write_file(torch() / "run.py", "def main():\n    pass\n");
    add_module("torch");
    add_module("functorch");
    BundleOptions options;
    options.root = site();
    options.lib = "torch/lib";
    options.rename = true;
    bundle(options);
  }

  [[nodiscard]] fs::path site() const { return folder_ / "site-packages"; }
  [[nodiscard]] fs::path torch() const { return site() / "torch"; }
  [[nodiscard]] fs::path info() const { return site() / "torch-2.6.0+cpu.dist-info"; }
  [[nodiscard]] fs::path dist() const { return folder_ / "dist"; }

  void add_module(const std::string& package, const char* name = kModule) const {
    fs::create_directories(site() / package);
    compile(
        "extern \"C\" int PyLong_FromLong(int); extern \"C\" int PyInit__C() { return "
        "PyLong_FromLong(1); }\n",
        site() / package / name,
        {"-shared", "-fPIC", "-L" + (torch() / "lib").string(), "-Wl,--no-as-needed",
         "-ltorch_cpu"});
  }

  [[nodiscard]] fs::path pack_it() const {
    const CommandResult result =
        torchpkg({"pack", "wheel", "--root", site().string(), "--output", dist().string(),
                  "--python", "cp311", "--abi", "cp311", "--level", "1", "--quiet"});
    EXPECT_EQ(result.exit_code, 0) << result.output;
    for (const auto& entry : fs::directory_iterator(dist())) return entry.path();
    return {};
  }

  /// Checks the wheel after one entry was changed.
  Names failed_when_changed(const std::string& entry, const std::string& text) {
    const fs::path good = pack_it();
    const fs::path bad = folder_ / good.filename();
    const CommandResult result =
        run_command({"python3", "-c", kChange, good.string(), bad.string(), entry, text});
    EXPECT_EQ(result.exit_code, 0) << result.output;
    return failed(bad);
  }
};

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

TEST_F(CheckWheel, AFileThatIsNotAsRecordSays) {
  EXPECT_EQ(failed_when_changed("torch/run.py", "def main():\n    fail\n"), Names{"wheel"});
  EXPECT_NE(first_detail("wheel").find(" of torch/run.py, which is sha256="), std::string::npos)
      << first_detail("wheel");
}

TEST_F(CheckWheel, AFileThatRecordDoesNotList) {
  EXPECT_EQ(failed_when_changed("torch/new.py", "new\n"), Names{"wheel"});
  EXPECT_EQ(first_detail("wheel"), "RECORD does not list torch/new.py");
}

TEST_F(CheckWheel, AFileThatRecordListsAndThatIsNotThere) {
  EXPECT_EQ(failed_when_changed("torch/__init__.py", "-"), Names{"wheel"});
  EXPECT_EQ(first_detail("wheel"), "RECORD lists torch/__init__.py, which is not inside");
}

TEST_F(CheckWheel, ARecordThatListsAFileTwice) {
  EXPECT_EQ(failed_when_changed("torch-2.6.0+cpu.dist-info/RECORD", "+torch/run.py,,\r\n"),
            Names{"wheel"});
  EXPECT_EQ(first_detail("wheel"), "RECORD lists torch/run.py twice");
}

TEST_F(CheckWheel, NoRecordAtAll) {
  EXPECT_EQ(failed_when_changed("torch-2.6.0+cpu.dist-info/RECORD", "-"), Names{"wheel"});
  EXPECT_EQ(first_detail("wheel"), "RECORD is missing");
}

TEST_F(CheckWheel, APlatformThatTheSymbolsContradict) {
  const fs::path good = pack_it();
  const fs::path bad = folder_ / "torch-2.6.0+cpu-cp311-cp311-manylinux_2_1_x86_64.whl";
  fs::copy_file(good, bad);
  EXPECT_EQ(failed(bad), Names{"wheel"});
  EXPECT_NE(report_.dump().find("manylinux_2_1_x86_64 is not true: "), std::string::npos);
  EXPECT_NE(first_detail("wheel").find("WHEEL has the tags cp311-cp311-manylinux_2_"),
            std::string::npos)
      << first_detail("wheel");
}

TEST_F(CheckWheel, AnotherNameThanMetadataHas) {
  const fs::path good = pack_it();
  const std::string tags = good.filename().string().substr(std::string("torch-2.6.0+cpu").size());
  const fs::path bad = folder_ / ("torch-2.6.1+cpu" + tags);
  fs::copy_file(good, bad);
  EXPECT_EQ(failed(bad), Names{"wheel"});
  EXPECT_EQ(first_detail("wheel"),
            "METADATA is of torch 2.6.0+cpu, the file's name says otherwise");
}

TEST_F(CheckWheel, AModuleForAnotherPython) {
  add_module("torch", "_C.cpython-312-x86_64-linux-gnu.so");
  patchelf({"--force-rpath", "--set-rpath", "$ORIGIN/lib"},
           torch() / "_C.cpython-312-x86_64-linux-gnu.so");
  const CommandResult result = torchpkg({"pack", "wheel", "--root", site().string(), "--output",
                                         dist().string(), "--python", "cp311", "--abi", "cp311"});
  EXPECT_EQ(result.exit_code, 3) << result.output;
  EXPECT_TRUE(wheel::is_for_other_python("torch/_C.cpython-312-x86_64-linux-gnu.so", "cp311"));
  EXPECT_FALSE(wheel::is_for_other_python("torch/_C.cpython-311-x86_64-linux-gnu.so", "cp311"));
  EXPECT_FALSE(wheel::is_for_other_python("torch/lib/libtorch_python.so", "cp311"));
}

TEST_F(CheckWheel, AnEntryPointWhoseModuleIsLeftOut) {
  write_file(info() / "entry_points.txt", "[console_scripts]\ntool = tools.other:main\n");
  EXPECT_EQ(failed(pack_it()), Names{"entry-points"});
  EXPECT_EQ(first_detail("entry-points"),
            "'tool = tools.other:main': tools/other.py is not inside");
}

TEST_F(CheckWheel, AModuleThatDoesNotReachTheLibraries) {
  patchelf({"--force-rpath", "--set-rpath", "$ORIGIN/lib"}, site() / "functorch" / kModule);
  EXPECT_EQ(failed(site()), Names{"closure"});
  EXPECT_NE(first_detail("closure").find("not reached by its RPATH"), std::string::npos);
}

TEST_F(CheckWheel, AModuleWhoseRpathLeavesTheWheel) {
  patchelf({"--force-rpath", "--set-rpath", "$ORIGIN/../torch/lib:$ORIGIN/../../lib"},
           site() / "functorch" / kModule);
  EXPECT_EQ(failed(site()), Names{"rpath"});
}

TEST_F(CheckWheel, ATruncatedOne) {
  const fs::path good = pack_it();
  fs::resize_file(good, fs::file_size(good) / 2);
  EXPECT_EQ(failed(good), Names{"archive"});
}

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
