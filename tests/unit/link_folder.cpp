// SPDX-License-Identifier: BSD-3-Clause
#include "link_folder.h"

#include <gtest/gtest.h>

#include "common/text.h"

namespace torchpkg::test {

void LinkFolder::object(const std::string& name, const std::string& source,
                        const Names& flags) const {
  Names all = {"-c", "-fPIC"};
  all.insert(all.end(), flags.begin(), flags.end());
  compile("extern \"C\" {\n" + source + "\n}\n", folder_ / name, all);
}

void LinkFolder::function(const std::string& name, const Names& calls) const {
  std::string source;
  std::string sum = "1";
  for (const std::string& call : calls) {
    source += "int " + call + "();\n";
    sum += " + " + call + "()";
  }
  object(name + ".o", source + "int " + name + "() { return " + sum + "; }");
}

void LinkFolder::library(const std::string& name, const Names& members,
                         const std::string& flags) const {
  (void)shell("ar " + flags + " " + name + " " + join(members, " "));
}

std::string LinkFolder::shell(const std::string& command) const {
  const CommandResult result =
      run_command({"sh", "-c", "cd '" + path().string() + "' && " + command});
  EXPECT_EQ(result.exit_code, 0) << command << "\n" << result.output;
  return result.output;
}

CommandResult LinkFolder::archive(const std::string& words, const Names& options) const {
  write_file(folder_ / "link.txt",
             ": && /usr/bin/c++ -fPIC -O2 -shared -Wl,-soname,libx.so -o libx.so " + words +
                 " && cd \"" + path().string() + "\" && cmake -E true later.o && :\n");
  Names command = {
      "archive",       "--link-command", (folder_ / "link.txt").string(), "--directory",
      path().string(), "--output",       (folder_ / "x.a").string()};
  command.insert(command.end(), options.begin(), options.end());
  return torchpkg(command);
}

Names LinkFolder::archived(const std::string& words, const Names& options) const {
  const CommandResult result = archive(words, options);
  EXPECT_EQ(result.exit_code, 0) << result.output;
  return split(shell("ar t x.a"), '\n');
}

const Names& linkers() {
  static const Names found = [] {
    Names names;
    for (const std::string name : {"bfd", "gold", "lld", "mold"}) {
      if (run_command({TORCHPKG_CXX, "-fuse-ld=" + name, "-Wl,--version"}).exit_code == 0) {
        names.push_back(name);
      }
    }
    return names;
  }();
  return found;
}

}  // namespace torchpkg::test
