// SPDX-License-Identifier: BSD-3-Clause
//
// plugin_host FILE...
//
// A program that knows nothing of libtorch loads shared libraries, as hosts of plug-ins do: in each
// way of dlopen(), in a process of its own, three times. Each that has plugin_sum() (numerics.cpp)
// computes, and throws what is caught here. Exit code: 0 all good, 1 if not.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <vector>

namespace {

bool works(void* library) {
  const auto sum = reinterpret_cast<double (*)(bool)>(dlsym(library, "plugin_sum"));
  if (sum == nullptr) return true;
  if (sum(false) != 5.4e7) return false;  // an exception here ends the process
  try {
    sum(true);
  } catch (const std::exception&) {
    return true;
  }
  return false;
}

bool all_work(int flags, char** files) {
  std::vector<void*> libraries;
  for (; *files != nullptr; ++files) {
    libraries.push_back(dlopen(*files, RTLD_NOW | flags));
    if (libraries.back() == nullptr) return std::fprintf(stderr, "%s\n", dlerror()) < 0;
  }
  for (void* library : libraries) {
    if (!works(library)) return false;
  }
  for (; !libraries.empty(); libraries.pop_back()) dlclose(libraries.back());
  return true;
}

}  // namespace

int main(int, char** argv) {
  const char* const names[] = {"LOCAL", "GLOBAL", "DEEPBIND"};
  const int flags[] = {RTLD_LOCAL, RTLD_GLOBAL, RTLD_LOCAL | RTLD_DEEPBIND};
  int failed = 0;
  for (int way = 0; way < 3; ++way) {
    int status = 0;
    if (fork() == 0) {
      for (int round = 0; round < 3; ++round) status |= !all_work(flags[way], argv + 1);
      return status;
    }
    wait(&status);
    std::printf("%s RTLD_%s: status %d\n", status == 0 ? "ok" : "FAIL", names[way], status);
    std::fflush(stdout);
    failed |= status;
  }
  return failed == 0 ? 0 : 1;
}
