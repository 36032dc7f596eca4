// SPDX-License-Identifier: BSD-3-Clause
int c10_number() { return 10; }
