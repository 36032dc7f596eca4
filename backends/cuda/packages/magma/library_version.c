// SPDX-License-Identifier: BSD-3-Clause
// Prints what the shared library that is named on the command line says its MAGMA version is.
#include <dlfcn.h>
#include <stdio.h>

// magma_int_t is int or, in a build with 64-bit integers, int64_t: the low bytes are the number in both.
typedef void (*version_function)(long long*, long long*, long long*);

int main(int argc, char** argv) {
  long long version[3] = {0, 0, 0};
  void* library = argc > 1 ? dlopen(argv[1], RTLD_LAZY) : NULL;
  version_function magma_version = library ? (version_function)dlsym(library, "magma_version") : NULL;
  if (!magma_version) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  magma_version(&version[0], &version[1], &version[2]);
  printf("%lld.%lld.%lld", version[0], version[1], version[2]);
  return 0;
}
