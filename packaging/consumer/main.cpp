// SPDX-License-Identifier: BSD-3-Clause
#include "report.h"

int main(int argc, char** argv) { return run_checks(argc, argv); }
