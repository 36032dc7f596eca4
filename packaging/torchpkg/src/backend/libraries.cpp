// SPDX-License-Identifier: BSD-3-Clause
#include "backend/libraries.h"

#include <fnmatch.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "backend/embedded.h"

namespace torchpkg::backend {

namespace {

using Json = nlohmann::json;

struct Facts {
  std::vector<Library> libraries;
  std::vector<std::string> driver;
};

Facts read_all() {
  Facts all;
  for (const std::string_view text : kLibraryFiles) {
    const Json facts = Json::parse(text);
    for (const Json& name : facts.at("driver")) all.driver.push_back(name.get<std::string>());
    for (const Json& entry : facts.at("libraries")) {
      const Json package =
          facts.at("packages").value(entry.at("package").get<std::string>(), Json::object());
      const Json wheel = entry.value("wheel", Json::object());
      Library library;
      library.name = entry.at("name").get<std::string>();
      library.files = entry.at("files").get<std::vector<std::string>>();
      library.wheel_project = wheel.value("project", "");
      library.wheel_folder = wheel.value("folder", "");
      library.wheels_moved_in = package.value("wheels_moved_in", "");
      library.conda = entry.value("conda", std::vector<std::string>{});
      library.conda_until_11 = package.value("conda_until_11", "");
      library.opened_as = entry.value("opened_as", "");
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
    return ::fnmatch((pattern + ".so*").c_str(), name_of_file.c_str(), 0) == 0;
  });
}

const std::vector<Library>& libraries() { return facts().libraries; }

const Library* library_of(std::string_view file) {
  const auto found = std::find_if(libraries().begin(), libraries().end(),
                                  [file](const Library& library) { return library.has(file); });
  return found == libraries().end() ? nullptr : &*found;
}

const std::vector<std::string>& driver_libraries() { return facts().driver; }

}  // namespace torchpkg::backend
