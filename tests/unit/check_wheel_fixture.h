// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bills.h"
#include "bundle/bundle.h"
#include "check_fixture.h"

namespace torchpkg::test {

inline constexpr const char* kMetadata =
    "Metadata-Version: 2.4\nName: torch\nVersion: 2.6.0+cpu\nRequires-Dist: filelock\n\nText\n";
inline constexpr const char* kModule = "_C.cpython-311-x86_64-linux-gnu.so";

/// Writes a wheel again with one entry changed (or added, or, with "-", left out).
inline constexpr const char* kChange = R"(
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
        info = zipfile.ZipInfo(name)
        info.external_attr = 0o644 << 16
        new.writestr(info, text)
)";

/// The sample package as torch/ of a wheel, which a test breaks in one way.
class CheckWheel : public SharedCheckTest {
 protected:
  void SetUp() override {
    SharedCheckTest::SetUp();
    change({set("/product", "wheel")});
    fs::create_directories(site());
    fs::rename(root(), torch());
    top_ = "site-packages";
    for (const char* bill : {"sbom.spdx.json", "sbom.cdx.json"}) fs::remove(torch() / bill);
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
    write_bills(site());
    const CommandResult result =
        torchpkg({"pack", "wheel", "--root", site().string(), "--output", dist().string(),
                  "--python", "cp311", "--abi", "cp311", "--level", "1"});
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

}  // namespace torchpkg::test
