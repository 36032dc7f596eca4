// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <string>
int length(const std::string& text);
