// SPDX-License-Identifier: BSD-3-Clause
#include "elf/symbol_names.h"

#include <gtest/gtest.h>

namespace torchpkg::test {
namespace {

TEST(SymbolNames, TheOutermostNamespace) {
  EXPECT_EQ(namespace_of("_ZN2at3addERKNS_6TensorE"), "at");
  EXPECT_EQ(namespace_of("_ZNK3c1010TensorImpl5sizesEv"), "c10");
  EXPECT_EQ(namespace_of("_ZNKR5torch3jit5valueEv"), "torch");
  EXPECT_EQ(namespace_of("_ZTVN5torch8autograd4NodeE"), "torch");
  EXPECT_EQ(namespace_of("_ZGVZN2at7ContextEvE1x"), "at");
  EXPECT_EQ(namespace_of("_ZThn16_N5torch8autograd4NodeD1Ev"), "torch");
  EXPECT_EQ(namespace_of("_ZTv0_n24_N6caffe21XD1Ev"), "caffe2");
  EXPECT_EQ(namespace_of("_ZNSt6vectorIN2at6TensorESaIS1_EE9push_backERKS1_"), "std");
  EXPECT_EQ(namespace_of("_ZSt4cout"), "std");
  EXPECT_EQ(namespace_of("_ZNSs6appendEPKc"), "std");
  EXPECT_EQ(namespace_of("_Z4freev"), "");
  EXPECT_EQ(namespace_of("malloc"), "");
  EXPECT_EQ(namespace_of("_Z"), "");
  EXPECT_EQ(namespace_of("_ZN"), "");
  EXPECT_EQ(namespace_of("_ZN99x"), "");
  EXPECT_EQ(namespace_of("_ZN99999999999999999999999999x"), "");
}

TEST(SymbolNames, WhatTheStandardLibraryHas) {
  for (const char* name :
       {"_ZSt4cout", "_ZNSt6threadD1Ev", "_ZTVN10__cxxabiv117__class_type_infoE", "_Znwm", "_ZdlPv",
        "_ZnamSt11align_val_t", "_ZTIi", "_ZTIPKc", "_ZN9__gnu_cxx18stdio_filebufIcE4openEv"}) {
    EXPECT_TRUE(is_standard_cxx(name)) << name;
  }
  for (const char* name : {"_ZN4onnx4goneEv", "_Z3foov", "malloc", "_ZTIN2at6TensorE"}) {
    EXPECT_FALSE(is_standard_cxx(name)) << name;
  }
}

TEST(SymbolNames, WhatTheLinkerMakes) {
  for (const char* name : {"__bss_start", "_edata", "_end"}) {
    EXPECT_TRUE(is_made_by_linker(name)) << name;
  }
  for (const char* name : {"_init", "end", "_ends", ""}) {
    EXPECT_FALSE(is_made_by_linker(name)) << name;
  }
}

}  // namespace
}  // namespace torchpkg::test
