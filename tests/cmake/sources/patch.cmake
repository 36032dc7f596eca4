# SPDX-License-Identifier: BSD-3-Clause
# Patches apply in order, once, and only to the versions they are for; all of them or none.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
find_program(patch patch)
if(NOT patch)
  message("SKIP: patch is not installed")
  return()
endif()
set(tree "${box}/tree")
set(patches "${box}/patches")
function(new_tree)
  file(REMOVE_RECURSE "${tree}")
  file(WRITE "${tree}/src/a.c" "one\ntwo\nthree\nfour\nfive\n")
  file(WRITE "${tree}/src/gone.c" "gone\n")
endfunction()
function(apply expected json)
  execute_process(
    COMMAND sh "${scripts}/../detail/run_script.sh" ${CMAKE_COMMAND} "-DTSB_PATCHES=${json}"
            "-DTSB_PATCH_DIR=${patches}" "-DTSB_TREE=${tree}" ${ARGN} -P "${scripts}/apply_patches.cmake"
    RESULT_VARIABLE code
    ERROR_VARIABLE text
    OUTPUT_VARIABLE text
  )
  tsb_expect("exit code of ${json}: ${text}" EQUAL ${code} ${expected})
  tsb_expect("the words" LACKS "${text}" "CMake Error")
  tsb_expect("the copies" ABSENT "${tree}/.tsb-patching")
  set(text "${text}" PARENT_SCOPE)
endfunction()
function(expect_content what file expected)
  file(READ "${tree}/${file}" content)
  tsb_expect("${what}" EQUAL "${content}" "${expected}")
endfunction()
file(WRITE "${patches}/first.patch" "--- a/src/a.c\n+++ b/src/a.c\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n")
# The second builds upon the first, makes a file and deletes one.
file(
  WRITE "${patches}/second.patch"
  "--- a/src/a.c\n+++ b/src/a.c\n@@ -1,3 +1,3 @@\n one\n-TWO\n+2\n three\n--- /dev/null\n+++ b/src/new/n.c\n@@ -0,0 +1 @@\n+new\n--- a/src/gone.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n"
)
file(WRITE "${patches}/bad.patch" "--- a/src/a.c\n+++ b/src/a.c\n@@ -3,3 +3,3 @@\n three\n-FOUR\n+4\n five\n")
file(WRITE "${patches}/nowhere.patch" "--- a/src/b.c\n+++ b/src/b.c\n@@ -1 +1 @@\n-x\n+y\n")
file(WRITE "${patches}/outside.patch" "--- a/../b.c\n+++ b/../b.c\n@@ -0,0 +1 @@\n+y\n")
set(first "{\"file\": \"first.patch\", \"reason\": \"r\"}")
set(second "{\"file\": \"second.patch\", \"reason\": \"r\"}")

new_tree()
apply(0 "[${first}, ${second}]")
expect_content("both applied" src/a.c "one\n2\nthree\nfour\nfive\n")
expect_content("the new file" src/new/n.c "new\n")
tsb_expect("the deleted file" ABSENT "${tree}/src/gone.c")
apply(0 "[${first}, ${second}]")
expect_content("a second run does nothing" src/a.c "one\n2\nthree\nfour\nfive\n")
apply(3 "[${first}]")
tsb_expect("other patches" CONTAINS "${text}" "has other patches in it already: unpack the source again")

new_tree()
apply(3 "[${first}, {\"file\": \"bad.patch\", \"reason\": \"r\"}]")
tsb_expect("the patch" CONTAINS "${text}" "${patches}/bad.patch does not apply to ${tree}")
tsb_expect("the file and hunk" CONTAINS "${text}" "src/a.c: Hunk #1 FAILED at 3")
tsb_expect("what became of the tree" CONTAINS "${text}" "The tree is as it was before.")
expect_content("as before" src/a.c "one\ntwo\nthree\nfour\nfive\n")
tsb_expect("no marker" ABSENT "${tree}/.tsb-patches")
file(GLOB_RECURSE files RELATIVE "${tree}" "${tree}/*")
tsb_expect("no reject files" EQUAL "${files}" "src/a.c;src/gone.c")
apply(3 "[{\"file\": \"nowhere.patch\", \"reason\": \"r\"}]")
tsb_expect("no such file in the tree" CONTAINS "${text}" "it is for src/b.c")
apply(3 "[{\"file\": \"outside.patch\", \"reason\": \"r\"}]")
tsb_expect("a way out of the tree" CONTAINS "${text}" "leaves the tree: ../b.c")
apply(3 "[{\"file\": \"first.patch\"}]")
tsb_expect("no reason" CONTAINS "${text}" "first.patch has no reason: write into the pins why the source needs it")
apply(3 "[{\"file\": \"first.patch\", \"reason\": \" \"}]")
tsb_expect("a blank reason" CONTAINS "${text}" "first.patch has no reason")
apply(3 "[{\"file\": \"none.patch\", \"reason\": \"r\"}]")
tsb_expect("no such patch" CONTAINS "${text}" "there is no patch ${patches}/none.patch")

string(JSON bounded SET "${second}" applies_to "\">=3.8,<4\"")
apply(0 "[${first}, ${bounded}]" -DTSB_VERSION=4.0)
expect_content("not for this version" src/a.c "one\nTWO\nthree\nfour\nfive\n")
new_tree()
apply(0 "[${first}, ${bounded}]" -DTSB_VERSION=3.10)
expect_content("for this version" src/a.c "one\n2\nthree\nfour\nfive\n")
new_tree()
apply(3 "[${bounded}]")
tsb_expect("no version" CONTAINS "${text}" "applies_to is '>=3.8,<4', but TSB_VERSION is not set")
string(JSON bounded SET "${second}" applies_to "\"~3\"")
apply(3 "[${bounded}]" -DTSB_VERSION=3)
tsb_expect("a bad constraint" CONTAINS "${text}" "applies_to '~3' is not of the form '>=1.2,<2'")

# Only where the tree has what the patch is for.
string(JSON where SET "${second}" only_where "{\"file\": \"below/version.h\", \"has\": \"MINOR 5\"}")
new_tree()
apply(0 "[${first}, ${where}]")
expect_content("no such file" src/a.c "one\nTWO\nthree\nfour\nfive\n")
new_tree()
file(WRITE "${tree}/below/version.h" "#define MINOR 3\n")
apply(0 "[${first}, ${where}]")
expect_content("another text" src/a.c "one\nTWO\nthree\nfour\nfive\n")
new_tree()
file(WRITE "${tree}/below/version.h" "#define MINOR 5\n")
apply(0 "[${first}, ${where}]")
expect_content("the text" src/a.c "one\n2\nthree\nfour\nfive\n")
file(REMOVE_RECURSE "${tree}/below")

# What is in the tree already counts as applied, the next one is applied on top of it.
new_tree()
file(WRITE "${tree}/src/a.c" "one\nTWO\nthree\nfour\nfive\n")
apply(0 "[${first}, ${second}]" "-DTSB_FOLDER=/my/folder")
tsb_expect("what is said" CONTAINS "${text}" "patch: first.patch is in /my/folder already")
tsb_expect("of the other" LACKS "${text}" "second.patch")
expect_content("the rest" src/a.c "one\n2\nthree\nfour\nfive\n")
file(READ "${tree}/.tsb-patches" applied)
tsb_expect("what is recorded" CONTAINS "${applied}" "first.patch")
# Half of it is not all of it.
new_tree()
file(WRITE "${tree}/src/a.c" "one\n2\nthree\nfour\nfive\n")
apply(3 "[${second}]" "-DTSB_FOLDER=/my/folder")
tsb_expect(
  "the patch, the folder" CONTAINS "${text}" "second.patch does not apply to /my/folder: src/a.c: Hunk #1 FAILED at 1"
)
tsb_expect(
  "what to do" CONTAINS "${text}" "Make its change there by hand (a patch that is in already counts as applied)"
)
expect_content("as before" src/a.c "one\n2\nthree\nfour\nfive\n")

new_tree()
# Killed while the new files went into the tree: the copies are complete, so the next run finishes.
file(WRITE "${tree}/.tsb-patching/tree/src/a.c" "patched\n")
file(WRITE "${tree}/.tsb-patching/paths" "src/a.c\nsrc/gone.c\n")
file(SHA256 "${patches}/first.patch" hash)
file(WRITE "${tree}/.tsb-patching/applied" "${hash}  first.patch\n")
file(WRITE "${tree}/.tsb-patching/ready" "")
apply(0 "[${first}]")
expect_content("finished" src/a.c "patched\n")
tsb_expect("finished" ABSENT "${tree}/src/gone.c")
# Killed before: the copies are not complete and are made again.
new_tree()
file(WRITE "${tree}/.tsb-patching/tree/src/a.c" "half")
apply(0 "[${first}]")
expect_content("begun again" src/a.c "one\nTWO\nthree\nfour\nfive\n")
