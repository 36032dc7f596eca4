// SPDX-License-Identifier: BSD-3-Clause
//
// How the checks of the consumer report: one line each, on standard output.
#pragma once

#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

enum class Verdict { ok, fail, skip };

struct Row {
  std::string name;
  Verdict verdict;
  std::string found;
  std::string expected;
};

// What the command line asks for. Empty means that nothing is expected.
struct Expectations {
  std::string version;
  std::string blas;
  std::map<std::string, bool> features;         // name as PyTorch has it, without USE_; true: on
  std::map<std::string, std::string> versions;  // of the backend's libraries, by package
  std::vector<std::string> architectures;       // of a package that is cut to some GPUs: theirs
  int gpus = 0;                                 // so many the machine has at least
  std::string prefix;                // every library of the process lies below it, or is one of:
  std::vector<std::string> allowed;  // file names begin with one of these
  std::string extension;             // stable_extension.cpp, compiled
};

class Report {
 public:
  void add(const std::string& name, bool good, const std::string& found,
           const std::string& expected);
  void skip(const std::string& name, const std::string& why);

  template <typename T>
  void equal(const std::string& name, const T& found, const T& expected) {
    add(name, found == expected, text(found), text(expected));
  }
  void at_most(const std::string& name, double found, double limit) {
    add(name, found <= limit, text(found), "at most " + text(limit));
  }

  // An exception that leaves `checks` is a failure of its own: it does not keep the other topics
  // from running.
  void topic(const std::string& name, const std::function<void()>& checks);

  const std::vector<Row>& rows() const { return rows_; }
  int failures() const;

  template <typename T>
  static std::string text(const T& value) {
    std::ostringstream out;
    out << value;
    return out.str();
  }

 private:
  void print(const Row& row);
  std::vector<Row> rows_;
};

// The whole program: what main() does, in a function that can also be called from a shared library.
// Returns the exit code.
int run_checks(int argc, char** argv);

// The topics, one per file.
void check_process(Report& report, const Expectations& expected);
void check_numerics(Report& report);
void check_script(Report& report, const Expectations& expected);
void check_features(Report& report, const Expectations& expected);
void check_distributed(Report& report);  // part of the features

// A package for GPUs has these as well (backends/<kind>/consumer).
void check_gpu(Report& report, const Expectations& expected);
// Does in a process of its own what leaves the GPU unusable in it. Returns the exit code.
int run_gpu_child(const std::string& what);
