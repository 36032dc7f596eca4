// SPDX-License-Identifier: BSD-3-Clause
//
// torch_consumer [--expect-version V] [--expect-blas NAME] [--expect-feature NAME]
// [--expect-no-feature NAME]
//                [--expect-prefix FOLDER [--allow-library NAME]...]
//                [--expect-library NAME=VERSION]... [--expect-gpus N] [--expect-arch ARCH]...
//                [--extension FILE]
//
// Runs all checks and prints one line each. Exit code: 0 all good, 1 a check failed, 2 wrong use.
// --expect-library: of cuda-toolkit, cudnn, magma, nccl, that the package was built with. Without
// --expect-gpus a machine without a GPU is good: what needs one is skipped, as with --expect-arch
// on another GPU than those that the package was cut to. --extension: a compiled
// stable_extension.cpp, of this or an earlier release. Files are only written to the current
// folder.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>

#include "report.h"

namespace {

const char* word(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      return "ok";
    case Verdict::fail:
      return "FAIL";
    default:
      return "skip";
  }
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// USE_MKLDNN, MKLDNN and mkldnn are one feature.
std::string feature_name(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return std::toupper(c); });
  return name.rfind("USE_", 0) == 0 ? name.substr(4) : name;
}

int wrong_use(const std::string& message) {
  std::cerr << "torch_consumer: " << message << "\n";
  return 2;
}

}  // namespace

void Report::print(const Row& row) {
  std::cout << word(row.verdict) << " " << row.name << ": ";
  if (row.verdict == Verdict::fail) {
    std::cout << "found " << row.found << ", expected " << row.expected;
  } else {
    std::cout << row.found;
  }
  std::cout << std::endl;
}

void Report::add(const std::string& name, bool good, const std::string& found,
                 const std::string& expected) {
  rows_.push_back({name, good ? Verdict::ok : Verdict::fail, one_line(found), one_line(expected)});
  print(rows_.back());
}

void Report::skip(const std::string& name, const std::string& why) {
  rows_.push_back({name, Verdict::skip, one_line(why), ""});
  print(rows_.back());
}

void Report::topic(const std::string& name, const std::function<void()>& checks) {
  try {
    checks();
  } catch (const std::exception& error) {
    // c10::Error adds from where it was thrown.
    const std::string text = error.what();
    add(name, false, "the exception: " + text.substr(0, text.find("\nException raised from")),
        "no exception");
  } catch (...) {
    add(name, false, "an exception that is not a std::exception", "no exception");
  }
}

int Report::failures() const {
  return static_cast<int>(std::count_if(
      rows_.begin(), rows_.end(), [](const Row& row) { return row.verdict == Verdict::fail; }));
}

int run_checks(int argc, char** argv) {
  Expectations expected;
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 == argc) {
      return wrong_use("the option " + option + " needs a value");
    }
    const std::string value = argv[i + 1];
    if (option == "--expect-version") {
      expected.version = value;
    } else if (option == "--expect-blas") {
      expected.blas = value;
    } else if (option == "--expect-feature" || option == "--expect-no-feature") {
      expected.features[feature_name(value)] = option == "--expect-feature";
    } else if (option == "--expect-prefix") {
      expected.prefix = value;
    } else if (option == "--allow-library") {
      expected.allowed.push_back(value);
    } else if (option == "--expect-library") {
      const auto equals = value.find('=');
      if (equals == std::string::npos) {
        return wrong_use("--expect-library takes NAME=VERSION, not " + value);
      }
      expected.versions[value.substr(0, equals)] = value.substr(equals + 1);
    } else if (option == "--expect-arch") {
      expected.architectures.push_back(value);
    } else if (option == "--extension") {
      expected.extension = value;
    } else if (option == "--expect-gpus") {
      expected.gpus = std::atoi(value.c_str());
#ifdef CONSUMER_GPU
    } else if (option == "--child") {
      return run_gpu_child(value);
#endif
    } else {
      return wrong_use("unknown option " + option);
    }
  }

  Report report;
  report.topic("numerics", [&] { check_numerics(report); });
  report.topic("script", [&] { check_script(report, expected); });
  report.topic("features", [&] { check_features(report, expected); });
#ifdef CONSUMER_GPU
  report.topic("gpu", [&] { check_gpu(report, expected); });
#else
  if (expected.gpus > 0 || !expected.versions.empty()) {
    report.add("gpu", false, "a package for the CPU", "one for GPUs");
  }
#endif
  report.topic("process", [&] { check_process(report, expected); });

  std::cout << report.rows().size() << " checks, " << report.failures() << " failed" << std::endl;
  return report.failures() == 0 ? 0 : 1;
}
