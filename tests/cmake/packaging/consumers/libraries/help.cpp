// SPDX-License-Identifier: BSD-3-Clause
int help() { return 1; }
