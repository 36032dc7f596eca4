# SPDX-License-Identifier: BSD-3-Clause
# What a declaration says is in the package's JSON as it was written: also blanks, quotes, ';' and backslashes.
cmake_minimum_required(VERSION 3.25)
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
include("${TSB_SOURCE_DIR}/cmake/package/tsb_declare_package.cmake")
include("${TSB_SOURCE_DIR}/cmake/package/tsb_declare_feature.cmake")

tsb_declare_package(a DESCRIPTION "A \"quoted\"; text\n\tof two lines" SOURCE a-source)
tsb_declare_package(
  b-2
  DESCRIPTION "B"
  DEPENDS a
  PROVIDES B Bee
  OPTIONS "LIST=one;two;three" "TEXT=a \"b\" c" FLAGS=-O2 "EMPTY=" "PAIR=x=y" "BACK=c:\\d"
  ENVIRONMENT "PLACES=@PREFIX_a@/include;/b c"
  LICENSE_FILES "a licence.txt" LICENSE
  MEMORY_PER_JOB_MB 400
)
tsb_declare_feature(b-2 X OPTION USE_X SOURCES x y)
tsb_declare_feature(b-2 Y OPTION USE_Y OFF "not \"here\"; never")

function(expect_member package expected)
  get_property(json GLOBAL PROPERTY TSB_PACKAGE_${package})
  string(JSON value GET "${json}" ${ARGN})
  tsb_expect("${package} ${ARGN}" EQUAL "${value}" "${expected}")
endfunction()
function(expect_length package expected member)
  get_property(json GLOBAL PROPERTY TSB_PACKAGE_${package})
  string(JSON length LENGTH "${json}" ${member})
  tsb_expect("number of ${member}" EQUAL "${length}" "${expected}")
endfunction()

expect_member(a "A \"quoted\"; text\n\tof two lines" description)
expect_member(a a-source source)
expect_member(a cmake build_system)
expect_member(a 800 memory_per_job_mb)
expect_member(a 1000 link_memory_mb)
expect_length(a 0 options)
expect_member(b-2 400 memory_per_job_mb)
expect_length(b-2 6 options)
expect_member(b-2 "LIST=one;two;three" options 0)
expect_member(b-2 "TEXT=a \"b\" c" options 1)
expect_member(b-2 "FLAGS=-O2" options 2)
expect_member(b-2 "EMPTY=" options 3)
expect_member(b-2 "PAIR=x=y" options 4)
expect_member(b-2 "BACK=c:\\d" options 5)
expect_length(b-2 1 environment)
expect_member(b-2 "PLACES=@PREFIX_a@/include;/b c" environment 0)
expect_length(b-2 2 license_files)
expect_member(b-2 "a licence.txt" license_files 0)
expect_member(b-2 Bee provides 1)
expect_member(b-2 USE_X features X option)
expect_member(b-2 y features X sources 1)
expect_member(b-2 "not \"here\"; never" features Y off)
get_property(packages GLOBAL PROPERTY TSB_PACKAGES)
tsb_expect("packages" EQUAL "${packages}" "a;b-2")

# And back again: a list is a list, an entry that holds ';' is one entry.
get_property(json GLOBAL PROPERTY TSB_PACKAGE_b-2)
z_tsb_json_get_list(options "${json}" options)
list(LENGTH options length)
tsb_expect("options read back" EQUAL ${length} 6)
list(GET options 0 first)
tsb_expect("the first option" EQUAL "${first}" "LIST=one;two;three")
