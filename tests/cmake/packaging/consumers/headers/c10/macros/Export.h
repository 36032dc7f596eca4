// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#define C10_EXPORT __attribute__((__visibility__("default")))
#define C10_API C10_EXPORT
