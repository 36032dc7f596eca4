// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

// Whether a GPU runs code for "90", "90a" or "100f", or compiles PTX for it: machine code is for
// one major version and no lower minor one, PTX for all later ones. "a" is for that GPU alone, "f"
// for its major version.
bool runs(const std::string& text, bool ptx, int capability) {
  char* end = nullptr;
  const auto arch = std::strtol(text.c_str(), &end, 10);
  if (*end == 'a') {
    return arch == capability;
  }
  return arch <= capability && ((ptx && *end != 'f') || arch / 10 == capability / 10);
}

}  // namespace

// Of "-gencode;arch=compute_80,code=sm_80;...", as PyTorch was compiled.
bool has_code_for(const std::string& flags, int capability) {
  for (auto at = flags.find("code="); at != std::string::npos; at = flags.find("code=", at + 1)) {
    const bool ptx = flags.compare(at + 5, 8, "compute_") == 0;
    if (runs(flags.substr(at + 5 + (ptx ? 8 : 3)), ptx, capability)) {
      return true;
    }
  }
  return false;
}

// Of {"8.6", "9.0+PTX"}, as a slice was cut afterwards; all, when it was not.
bool is_cut_to(const std::vector<std::string>& archs, int capability) {
  return archs.empty() || std::any_of(archs.begin(), archs.end(), [&](std::string arch) {
           arch.erase(std::remove(arch.begin(), arch.end(), '.'), arch.end());
           return runs(arch, arch.find("+PTX") != std::string::npos, capability);
         });
}
