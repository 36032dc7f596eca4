// SPDX-License-Identifier: BSD-3-Clause
#include "wheel/metadata_fields.h"

#include <algorithm>
#include <array>

#include "common/text.h"
#include "wheel/metadata_values.h"
#include "wheel/requirement.h"
#include "wheel/version.h"

namespace torchpkg::wheel {

namespace {

// Provides-Dist and Obsoletes-Dist are not looked into: the specification's own examples (`name
// (3.4)`) are no requirements.
constexpr std::array<MetadataField, 32> kFields = {{
    {"Metadata-Version", "1.0", false, wrong_metadata_version},
    {"Name", "1.0", false, wrong_project_name},
    {"Version", "1.0", false, wrong_version},
    {"Dynamic", "2.2", true, wrong_dynamic},
    {"Platform", "1.0", true, nullptr},
    {"Supported-Platform", "1.1", true, nullptr},
    {"Summary", "1.0", false, wrong_summary},
    {"Description", "1.0", false, nullptr},
    {"Description-Content-Type", "2.1", false, wrong_content_type},
    {"Keywords", "1.0", false, nullptr},
    {"Author", "1.0", false, nullptr},
    {"Author-email", "1.0", false, nullptr},
    {"Maintainer", "1.2", false, nullptr},
    {"Maintainer-email", "1.2", false, nullptr},
    {"License", "1.0", false, nullptr},
    {"License-Expression", "2.4", false, wrong_license_expression},
    {"License-File", "2.4", true, wrong_license_file},
    {"Classifier", "1.1", true, nullptr},
    {"Requires-Dist", "1.2", true, wrong_requirement},
    {"Requires-Python", "1.2", false, wrong_specifiers},
    {"Requires-External", "1.2", true, nullptr},
    {"Project-URL", "1.2", true, wrong_project_url},
    {"Provides-Extra", "2.1", true, wrong_project_name},
    {"Import-Name", "2.5", true, wrong_import_name},
    {"Import-Namespace", "2.5", true, wrong_import_namespace},
    {"Provides-Dist", "1.2", true, nullptr},
    {"Obsoletes-Dist", "1.2", true, nullptr},
    {"Home-page", "1.0", false, nullptr},
    {"Download-URL", "1.1", false, nullptr},
    {"Requires", "1.1", true, nullptr},
    {"Provides", "1.1", true, nullptr},
    {"Obsoletes", "1.1", true, nullptr},
}};

}  // namespace

const MetadataField* find_metadata_field(std::string_view name) {
  const std::string wanted = lower(name);
  const auto* const found =
      std::find_if(kFields.begin(), kFields.end(),
                   [&wanted](const MetadataField& field) { return lower(field.name) == wanted; });
  return found == kFields.end() ? nullptr : found;
}

}  // namespace torchpkg::wheel
