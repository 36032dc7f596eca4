// SPDX-License-Identifier: BSD-3-Clause
#include "parity/parity_rows.h"

#include <fmt/core.h>

#include <array>
#include <nlohmann/json.hpp>

#include "common/text.h"
#include "elf/symbol_names.h"

namespace torchpkg {

namespace {

constexpr std::size_t kNamesInNote = 5;

Row begin_row(const Comparison& comparison, const char* name, const std::string& limit) {
  return Row{15, name, "against " + comparison.reference, "",
             limit.empty() ? "reported only" : limit};
}

bool fails(FileKind kind, const ParityLimits& limits) {
  switch (kind) {
    case FileKind::kLibrary:
    case FileKind::kStaticLibrary:
    case FileKind::kModule:
      return limits.missing_files || limits.missing_libraries;
    case FileKind::kHeader:
      return limits.missing_files || limits.missing_headers;
    case FileKind::kCMake:
    case FileKind::kPython:
      return limits.missing_files;
    case FileKind::kProgram:
    case FileKind::kLicence:
    case FileKind::kOther:
      break;
  }
  return false;
}

Row files_row(const Comparison& comparison, const ParityLimits& limits) {
  std::string limit;
  if (limits.missing_files) {
    limit = "no library, header, CMake or Python file missing";
  } else if (limits.missing_libraries || limits.missing_headers) {
    limit = limits.missing_libraries && limits.missing_headers ? "no library or header missing"
            : limits.missing_libraries                         ? "no library missing"
                                                               : "no header missing";
  }
  Row row = begin_row(comparison, "parity-files", limit);
  std::vector<std::string> wrong;
  std::size_t both = 0;
  std::size_t here = 0;
  std::size_t there = 0;
  std::size_t different = 0;
  for (const auto& [kind, files] : comparison.files) {
    both += files.both;
    here += files.only_here.size();
    there += files.only_there.size();
    different += files.different.size();
    if (!files.only_here.empty() || !files.only_there.empty()) {
      std::string note = fmt::format("{}: {} in both, {} only here, {} only there", name_of(kind),
                                     files.both, files.only_here.size(), files.only_there.size());
      if (!files.only_there.empty()) note += ": " + join_some(files.only_there, kNamesInNote);
      row.notes.push_back(std::move(note));
    }
    if (!files.different.empty()) {
      row.notes.push_back(fmt::format("{}: {} with other content: {}", name_of(kind),
                                      files.different.size(),
                                      join_some(files.different, kNamesInNote)));
    }
    if (!fails(kind, limits)) continue;
    for (const std::string& role : files.only_there) {
      wrong.push_back(fmt::format("the {} {} is missing", name_of(kind), role));
    }
  }
  if (comparison.left_out > 0) {
    row.notes.push_back(fmt::format("{} files of the reference are not PyTorch's and left out",
                                    comparison.left_out));
  }
  row.decide(std::move(wrong),
             fmt::format("{} in both ({} with other content), {} only here, {} only there", both,
                         different, here, there));
  return row;
}

Row symbols_row(const Comparison& comparison, const ParityLimits& limits) {
  Row row = begin_row(comparison, "parity-symbols",
                      limits.missing_symbols ? "none of at, c10, caffe2, torch missing" : "");
  std::vector<std::string> wrong;
  std::size_t both = 0;
  std::size_t added = 0;
  std::size_t missing = 0;
  for (const auto& [role, library] : comparison.libraries) {
    both += library.symbols_both;
    added += library.added.size();
    missing += library.missing.size();
    if (library.added.empty() && library.missing.empty() && library.moved.empty()) continue;
    row.notes.push_back(fmt::format(
        "{}: {} in both, {} added, {} in another library, {} missing, {} of them of at, c10, "
        "caffe2, torch",
        role, library.symbols_both, library.added.size(), library.moved.size(),
        library.missing.size(), library.missing_api()));
    if (!limits.missing_symbols) continue;
    for (const std::string& symbol : library.missing) {
      if (is_torch_api(symbol)) wrong.push_back(fmt::format("{} lacks {}", role, symbol));
    }
  }
  row.decide(std::move(wrong),
             fmt::format("{} in both, {} added, {} missing", both, added, missing));
  return row;
}

Row soname_row(const Comparison& comparison, const ParityLimits& limits) {
  Row row = begin_row(comparison, "parity-sonames", limits.soname ? "all the same" : "");
  std::vector<std::string> wrong;
  std::size_t same = 0;
  for (const auto& [role, library] : comparison.libraries) {
    if (library.soname_here == library.soname_there) {
      ++same;
      continue;
    }
    std::string text = fmt::format("{} has the SONAME {}, there {}", library.path_here,
                                   library.soname_here, library.soname_there);
    (limits.soname ? wrong : row.notes).push_back(std::move(text));
  }
  row.decide(std::move(wrong),
             fmt::format("{} the same, {} different", same, comparison.libraries.size() - same));
  return row;
}

/// How much larger, in percent; below zero when smaller.
double growth(std::uint64_t here, std::uint64_t there) {
  if (there == 0) return here == 0 ? 0 : 100;
  return 100.0 * (static_cast<double>(here) - static_cast<double>(there)) /
         static_cast<double>(there);
}

Row sizes_row(const Comparison& comparison, const ParityLimits& limits) {
  const bool limited = limits.larger_percent.has_value();
  Row row = begin_row(
      comparison, "parity-sizes",
      limited ? fmt::format("no library more than {} % larger", *limits.larger_percent) : "");
  std::vector<std::string> wrong;
  std::uint64_t here = 0;
  std::uint64_t there = 0;
  for (const auto& [role, library] : comparison.libraries) {
    here += library.size_here;
    there += library.size_there;
    const double percent = growth(library.size_here, library.size_there);
    std::string text =
        fmt::format("{}: {} against {} ({:+.1f} %)", role, human_size(library.size_here),
                    human_size(library.size_there), percent);
    if (limited && percent > *limits.larger_percent) wrong.push_back(text);
    constexpr std::array<const char*, 4> kSections = {".text", ".rodata", ".data", ".dynstr"};
    for (const char* name : kSections) {
      const auto found = library.sections.find(name);
      if (found == library.sections.end()) continue;
      text += fmt::format(", {} {} against {}", name, human_size(found->second.first),
                          human_size(found->second.second));
    }
    row.notes.push_back(std::move(text));
  }
  row.decide(std::move(wrong), fmt::format("{} libraries of both: {} against {} ({:+.1f} %)",
                                           comparison.libraries.size(), human_size(here),
                                           human_size(there), growth(here, there)));
  return row;
}

/// What wheels say of themselves. No limit: another version is meant to differ.
Row metadata_row(const Comparison& comparison) {
  Row row = begin_row(comparison, "parity-metadata", "");
  std::size_t both = 0;
  std::size_t here = 0;
  std::size_t there = 0;
  for (const auto& [field, values] : *comparison.fields) {
    both += values.both;
    here += values.only_here.size();
    there += values.only_there.size();
    if (values.only_here.empty() && values.only_there.empty()) continue;
    std::string note = field + ":";
    if (values.both > 0) note += fmt::format(" {} in both;", values.both);
    if (!values.only_here.empty()) {
      note += " only here " + join_some(values.only_here, kNamesInNote);
    }
    if (!values.only_there.empty()) {
      note += values.only_here.empty() ? "" : ";";
      note += " only there " + join_some(values.only_there, kNamesInNote);
    }
    row.notes.push_back(std::move(note));
  }
  row.decide({}, fmt::format("{} values in both, {} only here, {} only there", both, here, there));
  return row;
}

}  // namespace

std::vector<Row> parity_rows(const Comparison& comparison, const ParityLimits& limits) {
  std::vector<Row> rows = {files_row(comparison, limits), symbols_row(comparison, limits),
                           soname_row(comparison, limits), sizes_row(comparison, limits)};
  if (comparison.fields) rows.push_back(metadata_row(comparison));
  return rows;
}

Row no_parity_row(const std::string& reason) {
  Row row{15, "parity", "files, symbols, SONAMEs, sizes", reason, "a reference package"};
  row.verdict = Verdict::kNotApplicable;
  return row;
}

nlohmann::ordered_json parity_as_json(const Comparison& comparison) {
  using Json = nlohmann::ordered_json;
  Json files = Json::object();
  for (const auto& [kind, item] : comparison.files) {
    files[name_of(kind)] = {{"both", item.both},
                            {"only_here", item.only_here},
                            {"only_there", item.only_there},
                            {"different", item.different}};
  }
  Json libraries = Json::object();
  for (const auto& [role, item] : comparison.libraries) {
    Json sections = Json::object();
    for (const auto& [name, sizes] : item.sections) {
      if (!name.empty()) sections[name] = {{"here", sizes.first}, {"there", sizes.second}};
    }
    libraries[role] = {{"path", {{"here", item.path_here}, {"there", item.path_there}}},
                       {"soname", {{"here", item.soname_here}, {"there", item.soname_there}}},
                       {"size", {{"here", item.size_here}, {"there", item.size_there}}},
                       {"sections", std::move(sections)},
                       {"symbols",
                        {{"both", item.symbols_both},
                         {"missing_api", item.missing_api()},
                         {"added", item.added},
                         {"moved", item.moved},
                         {"missing", item.missing}}}};
  }
  Json json = {{"reference", comparison.reference},
               {"distribution", comparison.distribution},
               {"left_out", comparison.left_out},
               {"files", std::move(files)},
               {"libraries", std::move(libraries)}};
  if (comparison.fields) {
    json["metadata"] = Json::object();
    for (const auto& [field, item] : *comparison.fields) {
      json["metadata"][field] = {
          {"both", item.both}, {"only_here", item.only_here}, {"only_there", item.only_there}};
    }
  }
  return json;
}

}  // namespace torchpkg
