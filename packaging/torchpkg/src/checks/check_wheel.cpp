// SPDX-License-Identifier: BSD-3-Clause
// What only wheels have: RECORD, tags, entry points; and folders that installers put elsewhere.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "checks/checks.h"
#include "checks/compare_list.h"
#include "common/text.h"
#include "package/elf_lookup.h"
#include "wheel/metadata.h"
#include "wheel/record.h"
#include "wheel/tags.h"

namespace torchpkg {

namespace {

using Problems = std::vector<std::string>;

/// A line of RECORD: the path, quoted where CSV wants it, and what it says about it.
std::pair<std::string, std::string> parts_of(const std::string& line) {
  const std::size_t comma = line.rfind(',', line.rfind(',') - 1);
  if (comma == std::string::npos) return {line, ""};
  return {line.substr(0, comma), line.substr(comma + 1)};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines = split(text, '\n');
  for (std::string& line : lines) {
    if (line.ends_with('\r')) line.pop_back();
  }
  std::erase(lines, "");
  return lines;
}

/// What installers would put elsewhere than it lies, and a second *.dist-info, with which they take
/// none or another one. Some file systems do not tell .DATA from .data.
/// https://packaging.python.org/en/latest/specifications/binary-distribution-format/
void look_at_tops(const WheelFacts& wheel, Problems& wrong) {
  std::vector<std::string> infos;
  for (const std::string& top : wheel.tops) {
    if (lower(top).ends_with(".dist-info")) infos.push_back(top);
    if (!lower(top).ends_with(".data")) continue;
    wrong.push_back(
        fmt::format("{} is inside, and pip would put its files over others, such as "
                    "torch/version.py or bin/pip; leave it out",
                    top));
  }
  if (infos.size() < 2) return;
  wrong.push_back(fmt::format("{} are inside, and pip takes no wheel with two; leave one out",
                              join(infos, " and ")));
}

/// RECORD against the files: each listed once, with its hash and size, and nothing else.
/// https://packaging.python.org/en/latest/specifications/recording-installed-packages/
void compare_record(const PackageFacts& facts, Problems& wrong) {
  const std::string* record = facts.dist_info_text("RECORD");
  if (record == nullptr) {
    wrong.emplace_back("RECORD is missing");
    return;
  }
  const std::string own = name_in_wheel(facts.wheel->dist_info + "/RECORD");
  std::map<std::string, std::string> inside;
  for (const PackageFile& file : facts.files) {
    const auto hash = facts.sha256.find(file.path);
    if (hash == facts.sha256.end()) continue;  // the row archive says why
    const std::string name = name_in_wheel(file.path);
    std::string line = wheel::record_line(name, name == own ? "" : hash->second, file.size);
    line.pop_back();
    inside.insert(parts_of(line));
  }
  std::vector<std::pair<std::string, std::string>> listed;
  for (const std::string& line : lines_of(*record)) listed.push_back(parts_of(line));
  compare_list("RECORD", listed, inside, wrong);
}

/// The values of a field that occurs several times.
std::vector<std::string> fields_of(const std::string& text, const std::string& field) {
  std::vector<std::string> values;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with(field + ": ")) values.push_back(line.substr(field.size() + 2));
  }
  std::sort(values.begin(), values.end());
  return values;
}

void compare_names(const PackageFacts& facts, const wheel::WheelName& name, Problems& wrong) {
  if (name.name.empty()) {
    wrong.push_back(fmt::format("'{}' is not a valid wheel file name", facts.name));
    return;
  }
  const std::string* metadata = facts.dist_info_text("METADATA");
  if (metadata == nullptr) {
    wrong.emplace_back("METADATA is missing");
    return;
  }
  const std::string project = wheel::file_name_of(wheel::metadata_field(*metadata, "Name"));
  const std::string version = wheel::metadata_field(*metadata, "Version");
  if (project != name.name || version != name.version) {
    wrong.push_back(
        fmt::format("METADATA is of {} {}, the file's name says otherwise", project, version));
  }
  if (version != facts.manifest.version) {
    wrong.push_back(fmt::format("METADATA has the version {}, the manifest says {}", version,
                                facts.manifest.version));
  }
  const std::string folder = fmt::format("{}-{}.dist-info", name.name, name.version);
  if (name_in_wheel(facts.wheel->dist_info) != folder) {
    wrong.push_back(fmt::format("{} should be {}", name_in_wheel(facts.wheel->dist_info), folder));
  }
}

/// The tags of the file's name are those in WHEEL, and what they promise is true.
void compare_tags(const PackageFacts& facts, const wheel::WheelName& name, Problems& wrong) {
  const std::string* text = facts.dist_info_text("WHEEL");
  if (text == nullptr) {
    wrong.emplace_back("WHEEL is missing");
  } else if (fields_of(*text, "Tag") != wheel::tags_of(name)) {
    wrong.push_back(fmt::format("WHEEL has the tags {}, the file's name says otherwise",
                                join(fields_of(*text, "Tag"), ", ")));
  }
  std::vector<wheel::ElfNeeds> needs;
  std::set<std::string> inside;
  for (const ElfFacts& elf : facts.elves) {
    if (wheel::is_for_other_python(elf.path, name.python)) {
      wrong.push_back(fmt::format("{} is not for {}", name_in_wheel(elf.path), name.python));
    }
    needs.push_back({elf.path, elf.info.machine, elf.info.dynamic.needed, elf.needed_versions});
    for (const std::string& needed : elf.info.dynamic.needed) {
      // One that lies inside and is not reached comes from the host, if at all.
      if (!found_by_rpath(facts, elf, needed).empty() ||
          !required_wheel_of(facts, elf, needed).empty()) {
        inside.insert(needed);
      }
    }
  }
  if (needs.empty()) return;
  const wheel::PlatformTag found = wheel::platform_tag(needs, inside);
  for (const std::string& platform : split(name.platform, '.')) {
    std::string untrue = wheel::wrong_platform(platform, found);
    if (!untrue.empty()) wrong.push_back(std::move(untrue));
  }
}

}  // namespace

void check_wheel(const PackageFacts& facts, Row& row) {
  row.looked_at = fmt::format("{} files", facts.files.size());
  row.limit = "RECORD, tags and file name agree with what is inside, which pip puts where it lies";
  Problems wrong;
  for (const PackageFile& file : facts.files) {
    if (file.symlink) wrong.push_back(file.path + " is a symlink, and wheels have none");
  }
  look_at_tops(*facts.wheel, wrong);
  if (!facts.is_archive && wrong.empty()) {
    return row.not_applicable("a folder: RECORD and WHEEL are written when it is packed");
  }
  const wheel::WheelName name = wheel::parse_wheel_name(facts.name);
  compare_record(facts, wrong);
  compare_names(facts, name, wrong);
  if (!name.name.empty()) compare_tags(facts, name, wrong);
  row.decide(std::move(wrong),
             fmt::format("{} lines of RECORD, {}", facts.sha256.size(), name.platform));
}

void check_entry_points(const PackageFacts& facts, Row& row) {
  row.looked_at = "entry_points.txt";
  row.limit = "the modules of console scripts are inside";
  const std::string* text = facts.dist_info_text("entry_points.txt");
  if (text == nullptr) return row.not_applicable("there are none");
  Problems wrong;
  std::vector<std::string> good;
  for (const std::string& line : lines_of(*text)) {
    // name = package.module:function
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos || line.starts_with('[')) continue;
    const std::size_t begin = line.find_first_not_of(' ', equals + 1);
    if (begin == std::string::npos) continue;
    std::string module = line.substr(begin, line.find(':', begin) - begin);
    std::replace(module.begin(), module.end(), '.', '/');
    const bool found = facts.paths.count(relative_to_torch(module + ".py")) != 0 ||
                       facts.paths.count(relative_to_torch(module + "/__init__.py")) != 0;
    if (found) {
      good.push_back(line.substr(0, line.find(' ')));
    } else {
      wrong.push_back(fmt::format("'{}': {}.py is not inside", line, module));
    }
  }
  row.decide(std::move(wrong), join(good, ", "));
}

}  // namespace torchpkg
