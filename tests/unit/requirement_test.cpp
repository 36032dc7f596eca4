// SPDX-License-Identifier: BSD-3-Clause
// Versions and requirements: what validators take, and what they refuse.
#include "wheel/requirement.h"

#include <gtest/gtest.h>

#include "wheel/version.h"

namespace torchpkg::test {
namespace {

using wheel::is_version;
using wheel::wrong_requirement;
using wheel::wrong_specifiers;

TEST(WheelVersion, Versions) {
  for (const char* good :
       {"1",         "1.0",        "v1.0",          "V2",      "1!2.0",
        "1.0a1",     "1.0-Beta.2", "1.0.preview_3", "1.0rc",   "1.0c1",
        "1.0.post1", "1.0-1",      "1.0r4",         "1.0.dev", "1.0a1.post2.dev3+Cpu.cxx11_abi-1",
        "2.6.0+cpu", " 1.0\t",     "01.02",         "1.0a-",   "1.0alpha.dev1"}) {
    EXPECT_TRUE(is_version(good)) << good;
  }
  for (const char* bad : {"",         " ",       "v",      "1.",        ".1",        "1..0",
                          "1.0.",     "a1",      "!1",     "1!",        "1.0x",      "1.0alph",
                          "1.0--1",   "1.0-1-2", "1.0 a1", "1.0+",      "1.0+a..b",  "1.0+a+b",
                          "1.0+cpu!", "1.0.*",   "1_0",    "2.6.0_cpu", "1.0dev1a1", "1.0\u00e4"}) {
    EXPECT_FALSE(is_version(bad)) << bad;
  }
}

TEST(WheelVersion, Specifiers) {
  for (const char* good : {"", " , ", ">=3.9", ">= 3.9 , <4", ">=3,", "==1.*", "!= 1!2.3.*",
                           "==2.6.0+cpu", "!=1.0+a.b", "~=1.4", "~=1.4.5a4", "~=1.0.post1",
                           "<2.0.dev0", ">1-1", "===anything_at+all", "===", "==v1.0"}) {
    EXPECT_EQ(wrong_specifiers(good), "") << good;
  }
  for (const char* bad : {"3.9", "=3.9", "=>3.9", ">=3.9 <4", ">=", ">=x", "==1.*.1", "==1.0a1.*",
                          "==1.0+cpu.*", "==*", "<>1", "~=1", "~=v1", ">=1;", "> =1"}) {
    EXPECT_NE(wrong_specifiers(bad), "") << bad;
  }
  for (const std::string operation : {">=", "<=", ">", "<", "~="}) {
    EXPECT_EQ(wrong_specifiers(operation + "1.2+cpu"),
              "'" + operation + "1.2+cpu' has a local version, which only == and != may have");
    EXPECT_EQ(wrong_specifiers(operation + "1.2.*"),
              "in '" + operation + "1.2.*' there is .*, which only == and != may have");
  }
  EXPECT_EQ(wrong_specifiers(">=1, 3.9"), "'3.9' does not begin with a comparison such as >=");
  EXPECT_EQ(wrong_specifiers("==1.0a1.*"), "in '==1.0a1.*' only a number may precede .*");
  EXPECT_EQ(wrong_specifiers("~=1"), "in '~=1' there is one number, and ~= needs two");
  EXPECT_EQ(wrong_specifiers(">=one"), "'one' is no version");
}

TEST(WheelRequirement, Good) {
  for (const char* good : {"filelock",
                           "Zope.Interface-x_1",
                           " a ",
                           "a[b]",
                           "a [ b , c-d ]>=1",
                           "a[]",
                           "a()",
                           "sympy==1.13.1",
                           "sympy (>=1,<2)",
                           "a ( >=1 , <2 )",
                           "a>=1,",
                           "a===x.y",
                           "a @ https://x/y.whl",
                           "a@file:///x ; os_name == 'posix'",
                           "a[b] @ git+https://x@1#egg=a",
                           "setuptools ; python_version >= \"3.12\"",
                           "a;extra=='x'",
                           "a>=1;\"3\"<python_version",
                           "a; 'linux' in sys_platform and(os.name=='posix'or extra == \"x\")",
                           "a; sys_platform not  in 'win32 cygwin'",
                           "a; ((python_implementation ~= 'C'))",
                           "a; platform_machine === \"it's\"",
                           "a; platform_release > '\u00e4'"}) {
    EXPECT_EQ(wrong_requirement(good), "") << good;
  }
}

TEST(WheelRequirement, Bad) {
  const std::vector<std::pair<const char*, const char*>> bad = {
      {"", "the name of a project is missing"},
      {"-a", "'-a' is no name of a project"},
      {"a_", "'a_' is no name of a project"},
      {">=1", "there is no name of a project before '>=1'"},
      {"a b", "'b' does not begin with a comparison such as >="},
      {"a 1.0", "'1.0' does not begin with a comparison such as >="},
      {"a[b", "the extras have no end: ] is missing"},
      {"a[b c]", "the extras have no end: ] is missing"},
      {"a[b,]", "there is no name of an extra before ']'"},
      {"a>=1.*", "in '>=1.*' there is .*, which only == and != may have"},
      {"a>=1+cpu", "'>=1+cpu' has a local version, which only == and != may have"},
      {"a>=1 <2", "'1 <2' is no version"},
      {"a>=1,,<2", "',<2' cannot stand there"},
      {"a (>=1", "the specifiers have no end: ) is missing"},
      {"a>=1)", "')' cannot stand there"},
      {"a===1,b", "'b' does not begin with a comparison such as >="},
      {"a @", "the URL is missing"},
      {"a @ https://x y", "'y' cannot stand there"},
      {"a;", "a variable or a text in quotes is missing at the end"},
      {"a; python", "'python' is no variable of conditions"},
      {"a; python_version", "a comparison such as == is missing at the end"},
      {"a; python_version = '3'", "a comparison such as == is missing before '= '3''"},
      {"a; os_name not 'x'", "a comparison such as == is missing before ''x''"},
      {"a; os_name == posix", "'posix' is no variable of conditions"},
      {"a; os_name == 'x", "the text 'x' has no end"},
      {"a; os_name == 'x\\n'", "'x\\n' has a backslash or a control character"},
      {"a; os_name == 'x' 'y'", "and or or is missing before ''y''"},
      {"a; os_name == 'x' and", "a variable or a text in quotes is missing at the end"},
      {"a; (os_name == 'x'", "a ) is missing at the end"},
      {"a; os_name == 'x')", "and or or is missing before ')'"},
      {"a; ()", "a variable or a text in quotes is missing before ')'"},
      {"a\n>=1", "'\\x0a>=1' cannot stand there"},
  };
  for (const auto& [text, wrong] : bad) EXPECT_EQ(wrong_requirement(text), wrong) << text;
}

TEST(WheelRequirement, NestedTooDeep) {
  const auto nested = [](std::size_t depth) {
    return "a;" + std::string(depth, '(') + "os_name=='x'" + std::string(depth, ')');
  };
  EXPECT_EQ(wrong_requirement(nested(100)), "");
  EXPECT_EQ(wrong_requirement(nested(101)), "its parentheses are nested too deep");
  EXPECT_EQ(wrong_requirement("a;" + std::string(5'000'000, '(')),
            "its parentheses are nested too deep");
}

}  // namespace
}  // namespace torchpkg::test
