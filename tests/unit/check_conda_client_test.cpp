// SPDX-License-Identifier: BSD-3-Clause
// `torchpkg check` of a conda package by which a client would change or run something.
#include <functional>

#include "check_conda_fixture.h"

namespace torchpkg::test {
namespace {

constexpr const char* kPlaceholder = "/opt/torch_placehold";

/// A good package with a script, as console scripts are.
class CheckCondaClient : public CondaPackageTest {
 protected:
  void SetUp() override {
    use_libtorch();
    entries.insert(entries.begin(), {file("bin/demo", ""), link("lib/b", "a")});
    use_script(std::string("#!") + kPlaceholder + "/bin/python\nimport torch\n");
  }

  void use_script(const std::string& text, const std::string& place = "bin/demo") {
    entries[0] = file(place, text);
    list_entries();
    paths[0]["prefix_placeholder"] = kPlaceholder;
    paths[0]["file_mode"] = "text";
  }
};

TEST_F(CheckCondaClient, MayGetThePrefix) {
  EXPECT_EQ(check().exit_code, 0) << check().output;
  const std::string placeholder = kPlaceholder;
  info["has_prefix"] = '"' + placeholder + "\" text \"bin/demo\"\n";
  EXPECT_EQ(check().exit_code, 0) << check().output;
  info["has_prefix"] = placeholder + " text bin/demo\n";  // conda-build's
  EXPECT_EQ(check().exit_code, 0) << check().output;
  for (const std::string& line :
       Words{"import text share/libtorch/manifest.json", placeholder + " binary bin/demo",
             placeholder + " text lib/b", "lib/b"}) {
    info["has_prefix"] = placeholder + " text bin/demo\n" + line + "\n";
    expect_found_in("conda", "info/has_prefix has the line '" + line +
                                 "', which does not follow from paths.json; leave it out");
  }
}

TEST_F(CheckCondaClient, ChangesThatAClientWouldMake) {
  const std::string first = std::string("#!") + kPlaceholder + "/bin/python\n";
  const std::vector<std::function<void()>> faults{
      [&] { paths[0]["prefix_placeholder"] = "import"; },
      [&] { paths[0]["prefix_placeholder"] = ""; },
      [&] { paths[0]["prefix_placeholder"] = Json(); },
      [&] { paths[0].erase("prefix_placeholder"); },
      [&] { paths[0].erase("file_mode"); },
      [&] { paths[0]["file_mode"] = "binary"; },
      [&] { use_script(first + kPlaceholder); },
      [&] { use_script("#!/bin/sh\n" + first); },
      [&] { use_script("#!" + first); },
      [&] { use_script(first, "lib/demo"); },
      [&] {
        use_script("#!/x\nraise\n/bin/python\n");
        paths[0]["prefix_placeholder"] = "/x\nraise\n";
      },
  };
  const std::vector<Entry> good = entries;
  for (const auto& spoil : faults) {
    entries = good;
    use_script(first);
    spoil();
    expect_found_in("conda", "paths.json has a prefix_placeholder or file_mode of " +
                                 entries[0].name + ", by which a client would change more than");
  }
  use_script(first);
  paths[0]["inode_paths"] = {"bin/demo"};
  EXPECT_EQ(check().exit_code, 0) << check().output;
  paths[1]["no_link"] = true;
  expect_found_in("conda",
                  "paths.json has the member no_link of lib/b, by which a client may "
                  "change it; leave it out");
}

TEST_F(CheckCondaClient, NamesThatAreOrders) {
  const std::vector<Entry> good = entries;
  const std::string said =
      ": our packages have nothing of that name, by which a client may run or change "
      "something; leave it out";
  for (const char* path :
       {"bin/.demo-post-link.sh", "bin/.demo-pre-link.sh", "bin/.demo-pre-unlink.sh",
        "Scripts/.demo-post-link.bat", "Menu/demo.json", "conda-meta/history",
        "etc/conda/activate.d/demo.sh", ".condarc"}) {
    entries = good;
    put(file(path, "x"));
    expect_found_in("conda", path + said);
  }
  entries = good;
  list_entries();
  for (const char* member : {"link.json", "package_metadata.json", "no_link", "no_softlink"}) {
    info[member] = "x";
    expect_found_in("conda", "info/" + std::string(member) + said);
    info.erase(member);
  }
  info["recipe/meta.yaml"] = "x";
  EXPECT_EQ(check().exit_code, 0) << check().output;
}

TEST_F(CheckCondaClient, Noarch) {
  Json index = Json::parse(info["index.json"]);
  index["noarch"] = "python";
  info["index.json"] = index.dump();
  expect_found("index.json has the member noarch: clients would put files elsewhere; leave it out");
}

/// What lies beside the manifest counts before what lies in the prefix.
TEST_F(CheckCondaClient, AnotherFileThatWouldBeLookedAt) {
  (void)check();
  put(file(home + "info/index.json", info["index.json"]));
  expect_found_in("conda", home + "info/index.json would be looked at instead of info/index.json");
  info["index.json"] = "";
  expect_found("info/index.json is missing");
}

}  // namespace
}  // namespace torchpkg::test
