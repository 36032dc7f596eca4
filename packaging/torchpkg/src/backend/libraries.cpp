// SPDX-License-Identifier: BSD-3-Clause
#include "backend/libraries.h"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "backend/embedded.h"

namespace torchpkg::backend {

namespace {

using Json = nlohmann::json;

/// What follows the name of a library's file; NVIDIA's static ones have a name of their own.
constexpr std::array kEnds = {".so*", ".a", "_static.a"};

struct Facts {
  std::vector<Library> libraries;
  std::vector<std::string> driver;
};

Facts read_all() {
  Facts all;
  for (const auto& [kind, text] : kLibraryFiles) {
    const Json facts = Json::parse(text);
    for (const Json& name : facts.value("driver", Json::array())) all.driver.push_back(name);
    for (const Json& entry : facts.at("libraries")) {
      // What lies beside PyTorch's own in an official wheel, such as libgomp, is of no toolkit.
      if (entry.value("package", "") == "pytorch") continue;
      const Json wheel = entry.value("wheel", Json::object());
      Library library;
      library.backend = kind;
      library.feature = entry.value("feature", "");
      library.name = entry.at("name").get<std::string>();
      library.files = entry.at("files").get<std::vector<std::string>>();
      if (wheel.contains("folder")) library.wheel_folders.push_back(wheel.at("folder"));
      const Json moved = wheel.value("moved", Json::object());
      library.wheel_folders.insert(library.wheel_folders.end(), moved.begin(), moved.end());
      const Json package = facts.at("packages").value(entry.value("package", ""), Json::object());
      if (package.contains("wheels_moved_in")) {
        library.wheel_folders.push_back("nvidia/cu" +
                                        package.at("wheels_moved_in").get<std::string>() + "/lib");
      }
      all.libraries.push_back(std::move(library));
    }
  }
  return all;
}

const Facts& facts() {
  static const Facts kAll = read_all();
  return kAll;
}

}  // namespace

bool Library::has(std::string_view file) const {
  const std::string name_of_file(file);
  return std::any_of(files.begin(), files.end(), [&name_of_file](const std::string& pattern) {
    return std::any_of(kEnds.begin(), kEnds.end(), [&](const char* end) {
      return ::fnmatch((pattern + end).c_str(), name_of_file.c_str(), 0) == 0;
    });
  });
}

const Library* library_of(std::string_view file) {
  const std::vector<Library>& all = facts().libraries;
  const auto found = std::find_if(all.begin(), all.end(),
                                  [file](const Library& library) { return library.has(file); });
  return found == all.end() ? nullptr : &*found;
}

const std::vector<std::string>& driver_libraries() { return facts().driver; }

}  // namespace torchpkg::backend
