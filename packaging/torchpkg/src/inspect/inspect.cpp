// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/inspect.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <vector>

#include "common/error.h"
#include "common/file.h"
#include "common/text.h"
#include "conda/known_packages.h"
#include "cuda/describe_device_code.h"
#include "elf/ar_archive.h"
#include "elf/host_elf.h"
#include "elf/inspect_elf.h"

namespace torchpkg {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

/// Adds what code for GPUs there is, if any; `line` is for people.
void add_device_code(const DeviceCode& code, Json& json) {
  if (code.none() && code.problem.empty()) return;
  json["device_code"] = device_code_as_json(code);
  json["device_code"]["line"] = device_code_as_line(code);
}

Json describe_elf(const ElfImage& image, Bytes bytes, const std::string& name) {
  const ElfInfo info = inspect_elf(image);
  Json json{{"file", name},
            {"kind", "elf"},
            {"size", bytes.size()},
            {"class", info.bits},
            {"machine", info.machine},
            {"type", info.program ? "program" : info.type},
            {"soname", info.dynamic.soname},
            {"needed", info.dynamic.needed}};
  if (info.dynamic.rpath) json["rpath"] = *info.dynamic.rpath;
  if (info.dynamic.runpath) json["runpath"] = *info.dynamic.runpath;
  json["highest_versions"] = {{"GLIBC", info.versions.glibc},
                              {"GLIBCXX", info.versions.glibcxx},
                              {"CXXABI", info.versions.cxxabi}};
  json["build_id"] = info.build_id;
  json["abi_symbols"] = {{"new", info.new_abi_symbols},
                         {"old", info.old_abi_symbols},
                         {"old_std", info.old_abi_std_symbols}};
  add_device_code(read_device_code(image), json);
  return json;
}

Json describe_archive(Bytes bytes, const std::string& name) {
  const ArArchive archive(bytes, name);
  Json json{{"file", name},
            {"kind", "static library"},
            {"size", bytes.size()},
            {"thin", archive.thin()},
            {"members", archive.members().size()}};
  add_device_code(read_device_code(archive), json);
  return json;
}

Json describe_folder(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  fs::recursive_directory_iterator walk(folder, error);
  for (const auto end = fs::end(walk); !error && walk != end; walk.increment(error)) {
    if (!walk->is_symlink() && walk->is_regular_file()) files.push_back(walk->path());
  }
  if (error) throw system_error(folder.string() + " cannot be listed", error.value());
  std::sort(files.begin(), files.end());
  Json elves = Json::array();
  std::set<std::string> symbol_versions;
  std::set<std::string> libraries;
  for (const fs::path& file : files) {
    const MappedFile mapped(file);
    if (!is_host_elf(file.string(), mapped.bytes())) continue;
    const std::string name = file.lexically_relative(folder).generic_string();
    const ElfImage image(mapped.bytes(), name);
    elves.push_back(describe_elf(image, mapped.bytes(), name));
    for (const NeededVersion& needed : image.needed_versions()) {
      symbol_versions.insert(needed.version);
    }
    for (const Json& needed : elves.back()["needed"]) libraries.insert(needed.get<std::string>());
  }
  return {{"file", folder.string()},
          {"kind", "folder"},
          {"elf_files", std::move(elves)},
          {"conda_host_packages", conda::host_packages(symbol_versions, libraries)}};
}

/// A text of somebody else's file, for a terminal.
std::string shown(const Json& text) { return printable(text.get<std::string>()); }

std::string or_none(const std::string& text) { return text.empty() ? "none" : text; }

std::string device_code_line(const Json& json) {
  if (!json.contains("device_code")) return {};
  return fmt::format("  {:<9} {}\n", "GPU code", shown(json["device_code"]["line"]));
}

std::string archive_as_text(const Json& json) {
  return fmt::format("{}: static library, {} members, {}\n", shown(json["file"]),
                     json["members"].get<std::size_t>(),
                     human_size(json["size"].get<std::uint64_t>())) +
         device_code_line(json);
}

std::string elf_as_text(const Json& json) {
  std::string text =
      fmt::format("{}: ELF {} bits, {}, {}, {}\n", shown(json["file"]), json["class"].get<int>(),
                  json["machine"].get<std::string>(), json["type"].get<std::string>(),
                  human_size(json["size"].get<std::uint64_t>()));
  const auto line = [&text](std::string_view label, const std::string& value) {
    text += fmt::format("  {:<9} {}\n", label, printable(value));
  };
  line("soname", or_none(json["soname"].get<std::string>()));
  line("needed", or_none(join(json["needed"].get<std::vector<std::string>>(), " ")));
  if (json.contains("rpath")) line("rpath", json["rpath"].get<std::string>());
  if (json.contains("runpath")) line("runpath", json["runpath"].get<std::string>());
  const Json& highest = json["highest_versions"];
  line("versions",
       fmt::format("GLIBC {}, GLIBCXX {}, CXXABI {}", or_none(highest["GLIBC"].get<std::string>()),
                   or_none(highest["GLIBCXX"].get<std::string>()),
                   or_none(highest["CXXABI"].get<std::string>())));
  line("build-id", or_none(json["build_id"].get<std::string>()));
  const Json& abi = json["abi_symbols"];
  line("abi", fmt::format("{} new, {} old symbols", abi["new"].get<std::size_t>(),
                          abi["old"].get<std::size_t>() + abi["old_std"].get<std::size_t>()));
  return text + device_code_line(json);
}

}  // namespace

std::string inspect(const fs::path& path, bool json) {
  Json found;
  if (fs::is_directory(path)) {
    found = describe_folder(path);
  } else {
    const MappedFile file(path);
    if (is_elf(file.bytes())) {
      found = describe_elf(ElfImage(file.bytes(), path.string()), file.bytes(), path.string());
    } else if (is_ar(file.bytes())) {
      found = describe_archive(file.bytes(), path.string());
    } else {
      throw Error(ExitCode::kBadInput,
                  path.string() + " is neither an ELF file nor a static library",
                  "give a library, a program or a folder");
    }
  }
  // Names are bytes to the file system; what is not UTF-8 must not stop the report.
  if (json) return found.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  if (found["kind"] == "elf") return elf_as_text(found);
  if (found["kind"] == "static library") return archive_as_text(found);
  std::string text;
  for (const Json& elf : found["elf_files"]) text += elf_as_text(elf);
  return text + fmt::format("{}: {} ELF files\n", shown(found["file"]), found["elf_files"].size());
}

}  // namespace torchpkg
