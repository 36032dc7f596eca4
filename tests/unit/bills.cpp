// SPDX-License-Identifier: BSD-3-Clause
#include "bills.h"

#include <nlohmann/json.hpp>

#include "common/sha256.h"
#include "package/package_facts.h"
#include "support.h"

namespace torchpkg::test {

using Json = nlohmann::json;

std::string spdx_bill(const std::vector<BilledFile>& files) {
  const Json patch{{"SPDXID", "SPDXRef-Patch-0"}, {"fileName", "./patches/not-inside.patch"}};
  Json list{patch};
  for (const BilledFile& file : files) {
    if (file.symlink) continue;
    list.push_back(
        {{"SPDXID", "SPDXRef-File-" + std::to_string(list.size())},
         {"fileName", "./" + file.name},
         {"checksums",
          {{{"algorithm", "SHA1"}, {"checksumValue", "00"}},
           {{"algorithm", "SHA256"}, {"checksumValue", sha256_of_text(file.content)}}}}});
  }
  return Json{{"files", list}}.dump();
}

std::string cyclonedx_bill(const std::vector<BilledFile>& files) {
  Json list = Json::array();
  for (const BilledFile& file : files) {
    Json item{{"type", "file"}, {"name", file.name}};
    if (file.symlink) {
      item["properties"] = {{{"name", "torch-superbuild:symlink"}, {"value", file.content}}};
    } else {
      item["hashes"] = {{{"alg", "SHA-256"}, {"content", sha256_of_text(file.content)}}};
    }
    list.push_back(item);
  }
  return Json{{"metadata", {{"component", {{"components", list}}}}}}.dump();
}

void write_bills(const fs::path& root) {
  fs::path bills = root / "sbom";
  for (const auto& entry : fs::directory_iterator(root)) {
    if (entry.path().extension() == ".dist-info") bills = entry.path() / "sboms/torch";
  }
  std::vector<BilledFile> files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string name = entry.path().lexically_relative(root).generic_string();
    if (is_bill(name) || name == "info/index.json" || name == "info/files") continue;
    if (entry.is_symlink()) {
      files.push_back({name, fs::read_symlink(entry.path()).string(), true});
    } else if (entry.is_regular_file()) {
      files.push_back({name, file_content(entry.path())});
    }
  }
  write_file(bills.string() + ".spdx.json", spdx_bill(files));
  write_file(bills.string() + ".cdx.json", cyclonedx_bill(files));
}

}  // namespace torchpkg::test
