// SPDX-License-Identifier: BSD-3-Clause
// The fields of METADATA: what validators take, and what they refuse.
#include <gtest/gtest.h>

#include "wheel/metadata_problems.h"

namespace torchpkg::test {
namespace {

using Names = std::vector<std::string>;

constexpr const char* kHead = "Metadata-Version: 2.4\nName: demo\nVersion: 1.0\n";

Names problems(const std::string& lines, const std::string& head = kHead) {
  return wheel::metadata_problems(head + lines, {"LICENSE", "deep/COPYING"});
}

std::string several(const std::string& text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

TEST(WheelMetadata, Good) {
  EXPECT_EQ(problems(""), Names{});
  EXPECT_EQ(problems("\nAny text: \xe2\x82\xac\n: more\r\n"), Names{});
  EXPECT_EQ(problems("\r\nText\r\n", "Metadata-Version: 2.1\r\nNAME:demo\r\nversion:\t1.0\r\n"),
            Names{});
  EXPECT_EQ(problems("Summary: in one line\nDescription: first\n  second\n\tthird\n"
                     "Keywords: a,b\nPlatform: any\nPlatform: linux\nRequires-Python: >=3.9.0\n"
                     "Description-Content-Type: text/markdown; charset=UTF-8; variant=\"GFM\"\n"
                     "Project-URL: Home, https://example.org\nProvides-Extra: test\n"
                     "Requires-Dist: a ; extra == 'undeclared'\nDynamic: requires-dist\n"
                     "License-Expression: MIT and (Apache-2.0+ WITH x-y OR LicenseRef-own)\n"
                     "License-File: deep/COPYING\nLicense-File: LICENSE\n"
                     "Classifier: Not :: Known\nAuthor-email: nobody\n"),
            Names{});
  EXPECT_EQ(problems("Import-Name: demo\nImport-Name: demo._x ; private\nImport-Namespace: n\n",
                     "Metadata-Version: 2.5\nName: demo\nVersion: 1.0\n"),
            Names{});
}

TEST(WheelMetadata, Form) {
  EXPECT_EQ(problems("", ""),
            (Names{"Metadata-Version is missing", "Name is missing", "Version is missing"}));
  EXPECT_EQ(problems("no field\nSummary: a\n"),
            Names{"line 4, 'no field', is no line of a header"});
  EXPECT_EQ(problems("Summary : a\n"), Names{"line 4, 'Summary : a', is no line of a header"});
  EXPECT_EQ(problems(": a\n"), Names{"line 4, ': a', is no line of a header"});
  EXPECT_EQ(problems("License: a\rSummary: b\n"),
            Names{"line 4, 'License: a\\x0dSummary: b', is no line of a header"});
  EXPECT_EQ(problems(kHead, " a\n").front(), "line 1, ' a', is no line of a header");
  EXPECT_EQ(problems("License: \xff\n"), Names{"line 4 is not UTF-8"});
  EXPECT_EQ(problems("\n\n\xed\xa0\x80"), Names{"line 6 is not UTF-8"});
  EXPECT_EQ(problems(kHead, "\xef\xbb\xbf"),
            Names{"there is a byte order mark before the first line"});
}

TEST(WheelMetadata, Fields) {
  EXPECT_EQ(problems("Licence: a\nLICENCE: b\n"), Names{"'Licence' is no field of METADATA"});
  EXPECT_EQ(problems("Summary: a\nSUMMARY: b\nSummary: c\n"),
            Names{"Summary is there 3 times and may be there once"});
  EXPECT_EQ(problems("Description: a\n\nb\n"),
            Names{"Description is a field, and below the header there is another"});
  EXPECT_EQ(problems("License-File: LICENSE\n", "Metadata-Version: 2.1\nName: a\nVersion: 1\n"),
            Names{"License-File 'LICENSE' needs Metadata-Version 2.4, and this is 2.1"});
  EXPECT_EQ(problems("Import-Name: a\n"),
            Names{"Import-Name 'a' needs Metadata-Version 2.5, and this is 2.4"});
  for (const char* version : {"2.0", "2.6", "3", "1", "02.1", "2.1 "}) {
    EXPECT_EQ(problems(std::string("Name: a\nVersion: 1\nMetadata-Version: ") + version, ""),
              Names{std::string("Metadata-Version '") + version +
                    "': there is no such version of the format"});
  }
  EXPECT_EQ(problems("License: BSD\nLicense-Expression: MIT\n"),
            Names{"License 'BSD' stands beside License-Expression 'MIT', which replaces it"});
}

/// One line more, and how the sentence about it goes on.
struct Bad {
  const char* line;
  const char* wrong;
};

void expect_refused(const std::vector<Bad>& table, const std::string& head = kHead) {
  for (const Bad& bad : table) {
    const Names found = problems(std::string(bad.line) + "\n", head);
    ASSERT_EQ(found.size(), 1U) << bad.line;
    EXPECT_EQ(found[0].substr(found[0].find("': ") + 3), bad.wrong) << bad.line;
  }
}

TEST(WheelMetadata, Values) {
  const char* name =
      "a name has letters, digits, '.', '-' and '_' of ASCII and begins and ends with a letter or "
      "digit";
  const char* path = "the path has an empty part or '.'";
  expect_refused({
      {"Summary: a\n b", "it has more than one line"},
      {"Summary: a\xe2\x80\xa8"
       "b",
       "it has more than one line"},
      {"Requires-Python: 3", "'3' does not begin with a comparison such as >="},
      {"Requires-Dist: a\n >=1", "'\\x0a >=1' cannot stand there"},
      {"Provides-Extra: a b", name},
      {"Provides-Extra:", name},
      {"Dynamic: Nothing", "there is no such field"},
      {"Dynamic: NAME", "that field cannot be dynamic"},
      {"License-File: ../LICENSE", "the path has '..'"},
      {"License-File: /LICENSE", "the path is not relative"},
      {"License-File: C:/LICENSE", "the path is not relative"},
      {"License-File: deep\\COPYING", "the path has a backslash"},
      {"License-File: ./LICENSE", path},
      {"License-File: deep//COPYING", path},
      {"License-File:", path},
      {"License-File: LICEN*", "it is a pattern, no path"},
      {"License-File: COPYING", "it is not in licenses/"},
      {"License-Expression:", "a licence is missing at the end"},
      {"License-Expression: MIT OR", "a licence is missing at the end"},
      {"License-Expression: MIT, BSD", "there is 'MIT,' instead of a licence"},
      {"License-Expression: MIT BSD", "there is 'BSD' instead of AND or OR"},
      {"License-Expression: (MIT", "a ) is missing at the end"},
      {"License-Expression: MIT WITH (a)", "there is '(' instead of an exception"},
      {"Project-URL: https://example.org", "there is no URL after a comma"},
      {"Project-URL: , https://example.org", "there is no label before the comma"},
      {"Project-URL: a label of more than 32 characters, b",
       "the label has more than 32 characters"},
      {"Project-URL: A, b\nProject-URL: A, c", "another one has that label"},
  });
  EXPECT_EQ(problems("Project-URL: " + several("\u00e4", 32) + ", b\n"), Names{});
  expect_refused({{"Name: a/b\nVersion: 1", name}, {"Name: a\nVersion: one", "it is no version"}},
                 "Metadata-Version: 2.4\n");
  expect_refused({{"Import-Name: 1a", "it is no name of a module"},
                  {"Import-Name: a.class", "'class' is a word of the language"},
                  {"Import-Name: a; secret", "after the name only ';private' may stand"},
                  {"Import-Name: a\nImport-Name:", "an empty one must be the only one"},
                  {"Import-Namespace:", "it is no name of a module"}},
                 "Metadata-Version: 2.5\nName: a\nVersion: 1\n");
}

TEST(WheelMetadata, DescriptionContentType) {
  for (const char* good :
       {"text/plain", "Text/X-RST ; charset = utf-8", "text/markdown;variant=GFM;",
        "text/markdown; variant=CommonMark; other=x", "text/plain; variant=x"}) {
    EXPECT_EQ(problems(std::string("Description-Content-Type: ") + good), Names{});
  }
  expect_refused({
      {"Description-Content-Type: text/html",
       "the type is none of text/plain, text/x-rst, text/markdown"},
      {"Description-Content-Type: text/plain, charset=UTF-8",
       "after the type there is ', charset=UTF-8', not ;"},
      {"Description-Content-Type: text/plain; charset", "'charset' is no parameter"},
      {"Description-Content-Type: text/plain;; charset=UTF-8", "'; charset=UTF-8' is no parameter"},
      {"Description-Content-Type: text/plain; charset=latin-1",
       "the charset is 'latin-1', not UTF-8"},
      {"Description-Content-Type: text/plain; charset=UTF-8; CHARSET=UTF-8",
       "charset is there twice"},
      {"Description-Content-Type: text/markdown; variant=gfm",
       "the variant is 'gfm', not GFM or CommonMark"},
  });
}

TEST(WheelMetadata, MuchOfIt) {
  EXPECT_EQ(problems(several(" more\n", 1'000'000), std::string(kHead) + "License: a\n"), Names{});
  EXPECT_EQ(problems(several("A: b\n", 500'000)), Names{"'A' is no field of METADATA"});
  EXPECT_EQ(problems("Requires-Dist: a; os_name == '" + several("x", 5'000'000) + "'\n"), Names{});
  EXPECT_EQ(problems("License-Expression: " + several("(", 5'000'000) + "\n").size(), 1U);
}

}  // namespace
}  // namespace torchpkg::test
