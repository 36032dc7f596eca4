// SPDX-License-Identifier: BSD-3-Clause
#include "elf/third_party_symbols.h"

#include <gtest/gtest.h>

#include "check_fixture.h"

namespace torchpkg::test {
namespace {

constexpr const char* kRow = "third-party-symbols";

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

class CheckThirdPartySymbols : public SharedCheckTest {
 protected:
  void SetUp() override {
    SharedCheckTest::SetUp();
    change(
        {set("/symbols", {{"hidden",
                           {{{"library", "XNNPACK"}, {"names", {"xnn_"}}},
                            {{"library", "fmt"}, {"names", {"fmt::"}}}}},
                          {"exported", {{{"names", {"xnn_api"}}, {"why", "plugins call it"}}}}})});
  }
};

TEST_F(CheckThirdPartySymbols, FindsWhatIsExported) {
  const std::string source =
      "namespace fmt { int f() { return 1; } }\nextern \"C\" int xnn_a() { return 1; }\n"
      "extern \"C\" int xnn_b() { return 1; }\nextern \"C\" int xnn_api() { return 1; }\n";
  const Change more = put_library("lib/libtorch_more.so", source);
  EXPECT_EQ(failed(root()), Names{});
  EXPECT_EQ(verdict(kRow), "pass");
  broken("some", {more}, kRow,
         "lib/libtorch_more.so exports 2 symbols of XNNPACK (the first: xnn_a)");
  good("all may be", {more, set("/symbols/hidden", Json::array())});
  good("a bundled library exports its own",
       {put_library("lib/libxnn.so.1", source), list_bundled("libxnn.so.1")});
  change({more, unset("/symbols")});
  EXPECT_EQ(failed(root()), Names{});
  EXPECT_EQ(verdict(kRow), "not applicable") << "there is no list";
  change({set("/symbols", {{"hidden", {{{"names", {"xnn_"}}}}}, {"exported", Json::array()}})});
  const CommandResult result = torchpkg({"check", root().string()});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_TRUE(contains(result.output, "(/symbols/hidden/0) key 'library' not found"));
}

}  // namespace
}  // namespace torchpkg::test
