// SPDX-License-Identifier: BSD-3-Clause
#include "scan/scan.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "common/error.h"
#include "common/file.h"
#include "common/parallel.h"
#include "common/tree.h"
#include "cuda/device_code.h"
#include "elf/ar_archive.h"
#include "elf/elf_image.h"
#include "rocm/hip_code.h"

namespace torchpkg {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

Json group(std::vector<std::string> targets, std::size_t count, const std::string& first) {
  return {{"targets", std::move(targets)}, {"count", count}, {"first", first}};
}

/// Adds what code for NVIDIA's GPUs there is, if any.
void add_device_code(const DeviceCode& code, Json& json) {
  if (code.groups.empty() && code.problem.empty()) return;
  Json groups = Json::array();
  for (const auto& [targets, one] : code.groups) {
    std::vector<std::string> names;
    for (const CodeTarget& target : targets) names.push_back(target.name());
    groups.push_back(group(std::move(names), one.count, one.first));
  }
  Json sizes = Json::object();
  for (const auto& [target, size] : code.sizes) sizes[target.name()] = size;
  json["device_code"] = {{"bytes", code.bytes},
                         {"sizes", std::move(sizes)},
                         {"groups", std::move(groups)},
                         {"problem", code.problem}};
}

/// The same for AMD's.
void add_device_code(const HipCode& code, Json& json) {
  if (code.groups.empty() && code.problem.empty()) return;
  Json groups = Json::array();
  for (const auto& [targets, one] : code.groups) {
    groups.push_back(group(targets, one.count, one.first));
  }
  json["device_code"] = {{"groups", std::move(groups)}, {"problem", code.problem}};
}

Json needed_versions(const DynamicInfo& dynamic) {
  std::map<std::string, std::set<std::string>> versions;
  for (const NeededVersion& needed : dynamic.needed_versions) {
    versions[needed.library].insert(needed.version);
  }
  return versions.empty() ? Json::object() : Json(versions);
}

Json describe_elf(Bytes bytes, const std::string& path, const ScanOptions& options) {
  const ElfImage image(bytes, path);
  const DynamicInfo& dynamic = image.dynamic();
  Json json{{"path", path},
            {"kind", "elf"},
            {"size", bytes.size()},
            {"class", image.bits()},
            {"machine", image.machine()},
            {"type", image.type()},
            {"interpreter", image.has_interpreter()},
            {"dynamic", dynamic.present},
            {"soname", dynamic.soname},
            {"needed", dynamic.needed},
            {"rpath", dynamic.rpath ? Json(*dynamic.rpath) : Json()},
            {"runpath", dynamic.runpath ? Json(*dynamic.runpath) : Json()},
            {"needed_versions", needed_versions(dynamic)},
            {"defined_versions", dynamic.defined_versions},
            {"build_id", image.build_id()},
            {"executable_stack", image.executable_stack()}};
  const auto at = image.executable_stack_at();
  json["executable_stack_at"] = at ? Json(*at) : Json();
  json["text_relocations"] = dynamic.text_relocations;
  if (options.device_code) {
    add_device_code(read_device_code(image), json);
    add_device_code(read_hip_code(image), json);
  }
  return json;
}

Json describe_archive(Bytes bytes, const std::string& path, const ScanOptions& options) {
  const ArArchive archive(bytes, path);
  Json json{{"path", path},
            {"kind", "archive"},
            {"size", bytes.size()},
            {"thin", archive.thin()},
            {"members", archive.members().size()}};
  if (options.device_code) add_device_code(read_device_code(archive), json);
  return json;
}

/// Null for a file of another kind.
Json describe(const fs::path& file, const ScanOptions& options) {
  const MappedFile mapped(file);
  const std::string path = file.generic_string();
  if (is_host_elf(path, mapped.bytes())) return describe_elf(mapped.bytes(), path, options);
  if (is_ar(mapped.bytes())) return describe_archive(mapped.bytes(), path, options);
  return {};
}

}  // namespace

std::string scan(const ScanOptions& options) {
  const std::set<fs::path> named(options.paths.begin(), options.paths.end());
  const std::vector<fs::path> files = list_files(options.paths);
  std::vector<Json> found(files.size());
  for_each_parallel(files.size(), options.jobs, [&](std::size_t index) {
    const fs::path& file = files[index];
    found[index] = describe(file, options);
    if (found[index].is_null() && named.count(file) != 0) {
      throw Error(ExitCode::kBadInput,
                  file.string() + " is neither an ELF file nor a static library",
                  "give a library, a program, a static library or a folder");
    }
  });
  Json list = Json::array();
  for (Json& json : found) {
    if (!json.is_null()) list.push_back(std::move(json));
  }
  // Names are bytes to the file system; what is not UTF-8 must not stop the report.
  return Json{{"schema", 1}, {"files", std::move(list)}}.dump(2, ' ', false,
                                                              Json::error_handler_t::replace) +
         "\n";
}

}  // namespace torchpkg
