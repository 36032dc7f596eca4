// SPDX-License-Identifier: BSD-3-Clause
int run(int, char**);
int main(int argc, char** argv) { return run(argc, argv); }
