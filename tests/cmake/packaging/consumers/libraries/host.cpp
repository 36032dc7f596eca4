// SPDX-License-Identifier: BSD-3-Clause
int host() { return 1; }
