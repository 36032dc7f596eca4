// SPDX-License-Identifier: BSD-3-Clause
#include "elf/third_party_symbols.h"

#include <gtest/gtest.h>

namespace torchpkg::test {
namespace {

TEST(SymbolRules, ANamespaceOrABeginning) {
  const std::vector<SymbolRule> rules{{"XNNPACK", {"xnn_", "xnnpack::"}}, {"fmt", {"fmt::"}}};
  const auto label = [&rules](const char* symbol) {
    const SymbolRule* rule = find_rule(rules, symbol);
    return rule == nullptr ? "" : rule->label;
  };
  EXPECT_EQ(label("xnn_initialize"), "XNNPACK");
  EXPECT_EQ(label("_ZN7xnnpack11integer_powIiEET_S1_S1_"), "XNNPACK");
  EXPECT_EQ(label("_ZTVN3fmt3v1112format_errorE"), "fmt");
  EXPECT_EQ(label("_ZGVZN3fmt1fEvE1x"), "fmt");
  EXPECT_EQ(label("_ZN2at3useEN3fmt3v114argsE"), "") << "a function of at that is given one";
  EXPECT_EQ(label("_ZTVSt23_Sp_counted_ptr_inplaceIN3fmt3bufESaIvELN9__gnu_cxx12_Lock_policyE2EE"),
            "fmt");
  EXPECT_EQ(label("_ZNKSt6vectorIN3fmt3bufESaIS1_EE4sizeEv"), "fmt");
  EXPECT_EQ(label("_ZN9__gnu_cxx13new_allocatorIN3fmt3bufEED2Ev"), "fmt");
  EXPECT_EQ(label("_ZTIPKN3fmt3bufE"), "fmt") << "the description of a pointer to one";
  EXPECT_EQ(label("_ZNSt6vectorIN2at6TensorESaIS1_EED2Ev"), "");
  EXPECT_EQ(label("_ZNSt6vectorIN4fmtx3bufESaIS1_EED2Ev"), "");
  EXPECT_EQ(label("_ZN4fmtx1fEv"), "");
  EXPECT_EQ(label("xn_"), "");
}

}  // namespace
}  // namespace torchpkg::test
