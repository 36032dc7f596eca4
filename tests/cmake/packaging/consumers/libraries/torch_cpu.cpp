// SPDX-License-Identifier: BSD-3-Clause
// Registers itself, and needs what libtorch_cpu needs: the C library's libm, and with static
// libraries libhelp, which is inside, and perhaps libhost, which is the machine's.
#include <math.h>
#include <stdio.h>
int c10_number();
#ifdef HELP
int help();
#else
static int help() { return 1; }
#endif
#ifdef HOST
int host();
#else
static int host() { return 1; }
#endif
static double registered =
    pow(printf("operators registered\n"), 0.5) + c10_number() + help() + host();
double torch_cpu_number() { return registered; }
