// SPDX-License-Identifier: BSD-3-Clause
//
// What the process looks like once libtorch is in it: which libraries are mapped, from where, and
// how many OpenMP runtimes.
#ifdef _OPENMP
#include <omp.h>
#endif

#include <fstream>
#include <set>

#include "report.h"

namespace {

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

bool begins_with_one_of(const std::string& name, const std::vector<std::string>& beginnings) {
  for (const std::string& beginning : beginnings) {
    if (name.rfind(beginning, 0) == 0) {
      return true;
    }
  }
  return false;
}

// Without the loader's list of all libraries, which newer versions of glibc leave mapped after a
// dlopen() that looked there.
std::set<std::string> mapped_libraries() {
  std::set<std::string> paths;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const auto slash = line.find('/');
    if (slash != std::string::npos && file_name(line).find(".so") != std::string::npos &&
        file_name(line) != "ld.so.cache") {
      paths.insert(line.substr(slash));
    }
  }
  return paths;
}

std::string joined(const std::set<std::string>& paths) {
  std::string out;
  for (const std::string& path : paths) {
    out += (out.empty() ? "" : ", ") + path;
  }
  return out.empty() ? "none" : out;
}

}  // namespace

void check_process(Report& report, const Expectations& expected) {
#ifdef _OPENMP
  // The program uses OpenMP as well: it and libtorch must share one runtime.
  int threads = 0;
#pragma omp parallel reduction(+ : threads)
  threads += 1;
  report.equal("process::own_openmp_threads", threads, omp_get_max_threads());
#endif
  const std::set<std::string> libraries = mapped_libraries();

  // A second copy, renamed say, has threads of its own and knows nothing of the first one's
  // settings.
  std::set<std::string> openmp;
  for (const std::string& path : libraries) {
    if (begins_with_one_of(file_name(path),
                           {"libgomp", "libomp.", "libomp-", "libomp5", "libiomp5"})) {
      openmp.insert(path);
    }
  }
  report.add("process::openmp_runtimes", openmp.size() == 1, joined(openmp), "exactly one");

  if (expected.prefix.empty()) {
    return;
  }
  // The last six are of drivers, which no package may contain: NVIDIA's, and those of network
  // adapters, which NCCL opens where a machine has them (libibverbs; its parts for an adapter and
  // libnl come with it).
  const std::vector<std::string> system = {
      "ld-linux",   "libc.so",       "libm.so",     "libdl.so",     "librt.so",
      "libpthread", "libutil.so",    "libgcc_s.so", "libstdc++.so", "libcuda.so.",
      "libnvidia-", "libibverbs.so", "libmlx",      "libefa",       "libnl-"};
  const std::string below = expected.prefix + (expected.prefix.back() == '/' ? "" : "/");
  std::set<std::string> inside;
  std::set<std::string> strangers;
  for (const std::string& path : libraries) {
    if (path.rfind(below, 0) == 0) {
      inside.insert(file_name(path));
    } else if (!begins_with_one_of(file_name(path), system) &&
               !begins_with_one_of(file_name(path), expected.allowed)) {
      strangers.insert(path);
    }
  }
  report.add("process::libraries", strangers.empty(),
             strangers.empty() ? "from the package: " + joined(inside)
                               : "outside the package: " + joined(strangers),
             "all below " + below + " or of the C and C++ runtime");
}
