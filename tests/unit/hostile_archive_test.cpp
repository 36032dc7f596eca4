// SPDX-License-Identifier: BSD-3-Clause
// Good packages with one hostile entry: the row `archive` must fail, and nothing else is looked at.
#include <sys/stat.h>

#include <functional>

#include "check_conda_fixture.h"
#include "check_wheel_fixture.h"
#include "common/file.h"
#include "conda/tar_writer.h"
#include "zstd_frame.h"

namespace torchpkg::test {
namespace {

/// Entries to be added to a zip, or to a tar that is not compressed: name, mode with the type, and
/// content, or where a link leads. The argument after the file is JSON, so that names can be odd.
constexpr const char* kAdd = R"(
import io, json, os, stat, struct, sys, tarfile, zipfile
file, entries = sys.argv[1], json.loads(sys.argv[2])
TYPES = {stat.S_IFREG: tarfile.REGTYPE, stat.S_IFDIR: tarfile.DIRTYPE, stat.S_IFLNK: tarfile.SYMTYPE,
         stat.S_IFBLK: tarfile.BLKTYPE, stat.S_IFCHR: tarfile.CHRTYPE, stat.S_IFIFO: tarfile.FIFOTYPE,
         0: tarfile.LNKTYPE}
if file.endswith('.tar'):
    with tarfile.open(file, 'a', format=tarfile.PAX_FORMAT) as tar:
        for name, mode, text in entries:
            info = tarfile.TarInfo(name)
            info.type, info.mode = TYPES[stat.S_IFMT(mode)], stat.S_IMODE(mode)
            if info.type in (tarfile.SYMTYPE, tarfile.LNKTYPE):
                info.linkname = text
            elif info.type == tarfile.REGTYPE:
                info.size = len(text.encode())
            tar.addfile(info, io.BytesIO(text.encode()))
else:
    with zipfile.ZipFile(file, 'a') as archive:
        for name, mode, text in entries:
            info = zipfile.ZipInfo('x')
            info.filename, info.external_attr, info.create_system = name, mode << 16, 3
            if text.startswith('unicode path: '):
                path = text[14:].encode()
                info.extra = struct.pack('<HHBI', 0x7075, 5 + len(path), 1, 0) + path
            archive.writestr(info, text)
)";

using Added = std::vector<Json>;

Json entry(const std::string& name, unsigned mode, const std::string& text = "x") {
  return Json::array({name, mode, text});
}

void add_to(const fs::path& file, const Added& added) {
  const CommandResult result =
      run_command({"python3", "-W", "ignore", "-c", kAdd, file.string(), Json(added).dump()});
  ASSERT_EQ(result.exit_code, 0) << result.output;
}

constexpr unsigned kFile = 0100644;
constexpr unsigned kLink = 0120777;

struct Hostile {
  Added added;
  std::string said;
};

/// `top`: a folder of the package; `file`: one of its files.
std::vector<Hostile> hostile_entries(const std::string& top, const std::string& file) {
  const std::string odd = " has a name that is not UTF-8 or not printable";
  return {
      {{entry(top + "d", 060644)}, top + "d is neither file, folder nor symlink"},
      {{entry(top + "d", 020644)}, top + "d is neither file, folder nor symlink"},
      {{entry(top + "p", 010644)}, top + "p is neither file, folder nor symlink"},
      {{entry(top + "s", 0104755)}, top + "s has the mode 4755: setuid, setgid or sticky"},
      {{entry(top + "s", 0102755)}, top + "s has the mode 2755: setuid, setgid or sticky"},
      {{entry(top + "s", 0101644)}, top + "s has the mode 1644: setuid, setgid or sticky"},
      {{entry(top + "two\nlines", kFile)}, top + "two\\x0alines" + odd},
      {{entry(top + "\x1b[31m", kFile)}, top + "\\x1b[31m" + odd},
      {{entry("/etc/x", kFile)}, "/etc/x has an absolute name"},
      {{entry(top + "../../x", kFile)}, top + "../../x has .. in its name"},
      {{entry("./" + file, kFile)}, "./" + file + " has . or nothing between two slashes"},
      {{entry(top + "/x", kFile)}, top + "/x has . or nothing between two slashes"},
      {{entry(top + "back\\slash", kFile)}, top + "back\\slash has a backslash in its name"},
      {{entry(file, kFile)}, file + " is there twice"},
      {{entry(file + "/x", kFile)}, file + "/x lies in " + file + ", which is a file"},
      {{entry(top + "l", kLink, "."), entry(top + "l/x", kFile)},
       top + "l/x lies in " + top + "l, which is a symlink"},
      {{entry(top + "l", kLink, "/etc")}, top + "l is a symlink to /etc, an absolute path"},
      {{entry(top + "l", kLink, "../../x")},
       top + "l is a symlink to ../../x, outside the package"},
      {{entry(top + "a/b/c/d", kLink, "../../../a"),
        entry(top + "l", kLink, "a/b/c/d/../../../home")},
       top + "l is a symlink to a/b/c/d/../../../home, outside the package"},
      {{entry(top + "l", kLink, "l")}, top + "l is a symlink to l, in a circle"},
  };
}

/// What zips have besides.
std::vector<Hostile> hostile_zip_entries(const std::string& top, const std::string& file) {
  std::vector<Hostile> all = hostile_entries(top, file);
  all.push_back({{entry(top + "s", 0140644)}, top + "s is neither file, folder nor symlink"});
  all.push_back({{entry(top + "f/", kFile)}, top + "f/ has . or nothing between two slashes"});
  all.push_back({{entry(top + "f", 040755)}, top + "f is neither file, folder nor symlink"});
  all.push_back({{entry(top + "u", kFile, "unicode path: ../evil")},
                 "an extra field gives " + top + "u another name"});
  all.push_back(
      {{entry(top + "l", kLink, "nothing")}, top + "l is a symlink to nothing, which is"});
  return all;
}

class HostileZip : public SharedCheckTest {};

TEST_F(HostileZip, IsRefused) {
  pack();
  const std::string good = file_content(archive());
  for (const Hostile& one : hostile_zip_entries("libtorch/", "libtorch/manifest.json")) {
    write_file(archive(), good);
    add_to(archive(), one.added);
    EXPECT_EQ(failed(archive()), Names{"archive"});
    EXPECT_TRUE(contains(first_detail("archive"), one.said));
    EXPECT_EQ(verdict("licences"), "not applicable");
  }
  write_file(archive(), good);
  add_to(archive(), {entry("libtorch/a/l", kLink, ".."), entry("libtorch/a/up", kLink, "l/lib/.."),
                     entry("libtorch/u", kFile, "unicode path: libtorch/u")});
  EXPECT_EQ(failed(archive()), Names{"bill-of-materials"});  // which does not name them
}

TEST_F(HostileZip, UnpacksToTooMuch) {
  fs::resize_file(root() / "build-hash", 200 << 20U);
  pack();
  const auto refusal = [this](const std::string& said) {
    const CommandResult result = torchpkg({"check", archive().string()});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_TRUE(contains(result.output, archive().string() + ": " + said));
  };
  refusal("libtorch/build-hash unpacks to 200.0 MiB; the limit for ");
  // Each of these may be, but not all of them.
  fs::resize_file(root() / "build-hash", 60 << 20U);
  fs::copy(root() / "build-hash", root() / "more");
  pack();
  refusal("all up to libtorch/more unpacks to 120.");
}

TEST_F(HostileZip, HasTextsThatAreTooLargeToParse) {
  const std::string spaces(17 << 20U, ' ');
  write_file(root() / "share/cmake/Torch/big.cmake", spaces);
  const std::string said = " has 17.0 MiB; the limit for a file that is parsed is 16.0 MiB";
  const auto refusal = [&](const std::string& name) {
    pack();
    for (const fs::path& package : {archive(), root()}) {
      const CommandResult result = torchpkg({"check", package.string()});
      EXPECT_EQ(result.exit_code, 3);
      EXPECT_TRUE(contains(result.output, name + said));
    }
  };
  refusal("share/cmake/Torch/big.cmake");
  write_file(root() / "manifest.json", spaces);
  refusal("manifest.json");
}

class HostileWheel : public CheckWheel {};

TEST_F(HostileWheel, IsRefused) {
  const fs::path wheel = pack_it();
  const std::string good = file_content(wheel);
  for (const Hostile& one : hostile_zip_entries("torch/", "torch/manifest.json")) {
    write_file(wheel, good);
    add_to(wheel, one.added);
    EXPECT_EQ(failed(wheel), Names{"archive"});
    EXPECT_TRUE(contains(first_detail("archive"), one.said));
  }
}

class HostileConda : public CondaPackageTest {
 protected:
  void SetUp() override {
    use_libtorch();
    list_entries();
  }

  /// The tar of a part, not compressed, with more in it.
  [[nodiscard]] std::string raw_tar(const std::vector<Entry>& good, const Added& added) const {
    std::string text;
    conda::write_tar(good, 0, [&](Bytes data) { text += as_text(data); });
    const fs::path path = folder_ / "part.tar";
    write_file(path, text);
    if (!added.empty()) add_to(path, added);
    return file_content(path);
  }

  void expect_too_large(const std::string& said) {
    const CommandResult result = check();
    EXPECT_EQ(result.exit_code, 3) << result.output;
    EXPECT_TRUE(contains(result.output, name + ": " + said));
  }
};

TEST_F(HostileConda, IsRefused) {
  std::vector<Hostile> all = hostile_entries("share/", "share/libtorch/manifest.json");
  all.push_back({{entry("share/h", 0644, "share/libtorch/manifest.json")},
                 "share/h is neither file, folder nor symlink"});
  for (const Hostile& one : all) {
    files_tar = zstd_frame(raw_tar(entries, one.added));
    expect_found_in("archive", Json(one.said).dump().substr(1, Json(one.said).dump().size() - 2));
  }
}

TEST_F(HostileConda, IsRefusedInTheTarOfInfo) {
  std::vector<Entry> good;
  for (const auto& [member, text] : info) good.push_back(file("info/" + member, text));
  for (const Hostile& one : hostile_entries("info/", "info/index.json")) {
    info_tar = zstd_frame(raw_tar(good, one.added));
    expect_found("FAIL     archive");
  }
}

TEST_F(HostileConda, UnpacksToTooMuch) {
  entries.push_back(file("share/zeros", std::string(std::size_t{128} << 20U, '\0')));
  expect_too_large("share/zeros unpacks to 128.0 MiB; the limit for ");
  entries.back() = file("share/zeros", std::string(std::size_t{60} << 20U, '\0'));
  entries.push_back(entries.back());
  entries.back().name = "share/zeros2";
  expect_too_large("all up to share/zeros2 unpacks to 120.");
  entries.resize(entries.size() - 2);
  info["paths.json"] = std::string(17 << 20U, ' ');
  expect_too_large("info/paths.json has 17.0 MiB; the limit for a file that is parsed is 16.0 MiB");
}

TEST_F(HostileConda, GlobalHeader) {
  const fs::path header = folder_ / "header.tar";
  must_run({"python3", "-c",
            "import sys, tarfile\n"
            "tarfile.open(sys.argv[1], 'w', pax_headers={'path': '../../../../etc/x'}).close()",
            header.string()});
  files_tar = zstd_frame(file_content(header).substr(0, 1024) + raw_tar(entries, {}));
  expect_found_in("archive",
                  "pkg-demo-1.0-h0_0.tar.zst: ././@PaxHeader has a header of the type 'g'");
}

TEST_F(HostileConda, CompressedTwice) {
  files_tar = zstd_frame(tar_of(entries));
  expect_found_in("archive", "pkg-demo-1.0-h0_0.tar.zst: what should be a header is none of a tar");
}

}  // namespace
}  // namespace torchpkg::test
