// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Two inline functions that GCC exports, with this C10_API, although it is to hide them.
#include <c10/macros/Export.h>
int c10_number();
struct C10_API Number {
  int get() const;
};
inline int Number::get() const { return c10_number(); }
C10_API inline int get_number() { return Number().get(); }
