# SPDX-License-Identifier: BSD-3-Clause
# A tree that brings its submodules, as an archive or as a folder of the user's, gives what the tree gives that is
# completed from pins: features, patches of submodules, licences, manifest. What it does not have is still fetched.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
write_trees()
file(
  APPEND "${box}/trees/a/CMakeLists.txt"
  [[
file(READ third_party/repo/inner/inner.h inner)
file(READ a.h own)
file(READ side/side.h side)
file(WRITE "${CMAKE_BINARY_DIR}/seen.txt" "INNER=${USE_INNER} ${inner}${own}${side}")
]]
)
# A part of a repository, whose licence lies above it; in the pins first as in the tree, then another version.
file(WRITE "${box}/trees/inner/inner.h" "version 2\n")
file(WRITE "${box}/trees/inner/LICENSE" "licence of inner\n")
add_source(inner 2.0)
file(WRITE "${box}/trees/side/side.h" "side\n")
file(WRITE "${box}/trees/side/LICENSE" "licence of side\n")
add_source(side 1.0)
file(WRITE "${patches}/inner.patch" "--- a/inner.h\n+++ b/inner.h\n@@ -1 +1,2 @@\n version 1\n+patched\n")
file(WRITE "${patches}/inner-2.patch" "--- a/inner.h\n+++ b/inner.h\n@@ -1 +1,2 @@\n version 2\n+patched\n")
file(
  WRITE "${patches}/for-inner-2.patch"
  "--- a/a.h\n+++ b/a.h\n@@ -1,3 +1,4 @@\n+#define FOR_INNER_2\n #define A_NUMBER 1\n const char* a_text(void);\n const char* a_file(void);\n"
)
string(
  JSON pins SET "${pins}" inner patches
  "[{\"file\": \"inner.patch\", \"reason\": \"r\", \"only_where\": {\"file\": \"inner.h\", \"has\": \"version 1\"}},
  {\"file\": \"inner-2.patch\", \"reason\": \"r\", \"only_where\": {\"file\": \"inner.h\", \"has\": \"version 2\"}}]"
)
string(JSON second GET "${pins}" inner candidates 0)
string(JSON pins SET "${pins}" inner candidates 1 "${second}")
string(
  JSON
  pins
  SET
  "${pins}"
  inner
  candidates
  0
  "{\"version\": \"1.0\", \"commit\": \"beefbeefbeefbeefbeefbeefbeefbeefbeefbeef\", \"git\": \"file:///nowhere\", \"subdir\": \"inner\", \"license_file\": \"COPYING\"}"
)
set(
  members
  "\"submodules\": [
  {\"name\": \"inner\", \"path\": \"third_party/repo/inner\", \"required\": false, \"feature\": \"INNER\"}],
  \"patches\": [{\"file\": \"for-inner-2.patch\", \"reason\": \"r\",
  \"only_where\": {\"file\": \"third_party/repo/inner/inner.h\", \"has\": \"version 2\"}}],"
)
# A stray link in the place, to what has to stay.
file(WRITE "${box}/trees/a/kept/inner.h" "kept\n")
file(MAKE_DIRECTORY "${box}/trees/a/third_party/repo")
file(CREATE_LINK ../../kept "${box}/trees/a/third_party/repo/inner" SYMBOLIC)
add_source(a 1.0 "${members}")
declare(
  "${declaration_of_a})
tsb_declare_feature(a INNER OPTION USE_INNER SOURCES side)" a
)

# expect(<what> <what the package saw> <its patches> <member of inner in the manifest> <value> ...)
function(expect what seen patches)
  make(good a)
  tsb_expect("features, ${what}" LACKS "${output}" "is off")
  file(READ "${build}/packages/a/build/seen.txt" found)
  tsb_expect("what the package saw, ${what}" CONTAINS "${found}" "INNER=ON ${seen}")
  tsb_expect("what is in no tree, ${what}" CONTAINS "${found}" "side")
  tsb_expect("licence of inner, ${what}" EXISTS "${build}/packages/a/licenses/inner")
  file(READ "${build}/packages/a/manifest.json" manifest)
  set(applied "")
  string(JSON count LENGTH "${manifest}" patches)
  foreach(index RANGE 1 ${count})
    math(EXPR index "${index} - 1")
    string(JSON file GET "${manifest}" patches ${index} file)
    list(APPEND applied "${file}")
  endforeach()
  tsb_expect("the manifest's patches, ${what}" EQUAL "${applied}" "${patches}")
  foreach(index RANGE 2)
    string(JSON source GET "${manifest}" sources ${index})
    string(JSON name GET "${source}" name)
    if(name STREQUAL "inner")
      while(ARGN)
        list(POP_FRONT ARGN member value)
        string(JSON found ERROR_VARIABLE ignored GET "${source}" ${member})
        tsb_expect("${member} of inner, ${what}" EQUAL "${found}" "${value}")
      endwhile()
    endif()
  endforeach()
  tsb_expect("inner in the manifest, ${what}" EQUAL "${ARGN}" "")
endfunction()

configure()
expect(
  "from pins" "version 2 patched #define FOR_INNER_2 #define A_NUMBER 1" "for-inner-2.patch;inner-2.patch" version 2.0
  commit c0ffeec0ffeec0ffeec0ffeec0ffeec0ffeec0ff
)
tsb_expect_file("behind a link" EQUAL "${build}/packages/a/source/kept/inner.h" "kept\n")

file(REMOVE "${box}/trees/a/third_party/repo/inner")
file(WRITE "${box}/trees/a/third_party/repo/inner/inner.h" "version 1\n")
file(WRITE "${box}/trees/a/third_party/repo/COPYING" "licence of inner\n")
add_source(a 1.1 "${members}")
string(JSON pins SET "${pins}" a candidates 0 complete true)
file(WRITE "$ENV{TSB_PINS_FILE}" "{\"schema\": 1, \"sources\": ${pins}}")
configure()
set(inside "version 1 patched #define A_NUMBER 1")
expect(
  "from a complete archive" "${inside}" "inner.patch" version 1.0 commit beefbeefbeefbeefbeefbeefbeefbeefbeefbeef in a
)
tsb_expect("its licence" EXISTS "${build}/packages/a/licenses/inner/COPYING")

# A fork of the user's.
set(ENV{TSB_LOCAL_a} "${box}/trees/a")
configure()
expect("from a folder" "${inside}" "inner.patch" version "" commit "" in a)

# An archive that is not what its pin says.
unset(ENV{TSB_LOCAL_a})
file(REMOVE_RECURSE "${box}/trees/a/third_party")
add_source(a 1.2 "${members}")
string(JSON pins SET "${pins}" a candidates 0 complete true)
file(WRITE "$ENV{TSB_PINS_FILE}" "{\"schema\": 1, \"sources\": ${pins}}")
configure()
make(bad a)
tsb_expect("output" CONTAINS "${output}" "a.tar lacks submodules that its pin says are inside: third_party/repo/inner")
tsb_expect("what to do" CONTAINS "${output}" "take \"complete\" out of its pin")
