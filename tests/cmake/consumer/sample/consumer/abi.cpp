// SPDX-License-Identifier: BSD-3-Clause
#include <torch.h>
int main() { return length("four") == 4 ? 0 : 1; }
