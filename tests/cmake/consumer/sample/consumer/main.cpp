// SPDX-License-Identifier: BSD-3-Clause
// Prints what it was given, so that a test sees it in the log. With SKIP it has a check that it
// skips.
#include <stdio.h>
#include <stdlib.h>
#include <torch.h>
#include <unistd.h>
extern char** environ;
int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) printf("[%s]", argv[i]);
  for (char** one = environ; *one != nullptr; ++one) printf("\nenvironment %s", *one);
#ifdef SKIP
  puts("\nskip cuda::attention: this machine has no NVIDIA driver");
#endif
  printf("\n1 checks, 0 failed\n");
  return length("four") == 4 ? 0 : 1;
}
