// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#define C10_CUDA_EXPORT __attribute__((__visibility__("default")))
