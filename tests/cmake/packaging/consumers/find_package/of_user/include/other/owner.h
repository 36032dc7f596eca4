// SPDX-License-Identifier: BSD-3-Clause
#define OWNER "the user's"
