# SPDX-License-Identifier: BSD-3-Clause
# Patch scripts change the package's own copy of the sources, behind its patches, and no folder of the user's. Stage
# scripts complete what `cmake --install` put into the install tree, or fill it alone. Each keeps its log.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
write_trees()
file(WRITE "${patches}/a.patch" "--- a/LICENSE\n+++ b/LICENSE\n@@ -1 +1 @@\n-licence of a\n+its licence\n")
add_source(a 1.0 "\"patches\": [{\"file\": \"a.patch\", \"source\": \"us\", \"upstream\": null, \"reason\": \"r\"}],")
file(WRITE "${box}/trees/d/LICENSE" "licence of d\n")
add_source(d 1.0)
file(
  WRITE "${box}/double.cmake"
  [[
file(READ "${TSB_SOURCE_DIR}/LICENSE" text)
if(NOT text STREQUAL "its licence\n" OR NOT TSB_PYTHON)
  message(FATAL_ERROR "the tree is '${text}', the Python '${TSB_PYTHON}'")
endif()
file(APPEND "${TSB_SOURCE_DIR}/LICENSE" "${text}")
]]
)
file(
  WRITE "${box}/complete.cmake"
  [[
if(NOT EXISTS "${TSB_BUILD_DIR}/liba.a")
  message(FATAL_ERROR "it is not built")
endif()
file(COPY "${TSB_SOURCE_DIR}/LICENSE" DESTINATION "${TSB_INSTALL_DIR}/share")
]]
)
# The second one sees what the first one did.
file(
  WRITE "${box}/count.cmake"
  [[
file(GLOB files RELATIVE "${TSB_INSTALL_DIR}/share" "${TSB_INSTALL_DIR}/share/*")
message(STATUS "share has ${files}")
message("notice: share is all; nothing else")
]]
)
declare(
  "${declaration_of_a} PATCH_SCRIPTS \"${box}/double.cmake\" STAGE_SCRIPTS \"${box}/complete.cmake\" \"${box}/count.cmake\")
tsb_declare_package(d DESCRIPTION \"D\" SOURCE d BUILD_SYSTEM none STAGE_SCRIPTS \"${trees}/copy_source.cmake\" LICENSE_FILES LICENSE)"
  a
  d
)
configure()
set(folder "${build}/packages/a")
# expect_tree(<what>): what the patch script made, once.
function(expect_tree what)
  tsb_expect_file("the tree, ${what}" EQUAL "${folder}/source/LICENSE" "its licence\nits licence\n")
endfunction()

make(good a)
expect_ran("a package with scripts" a-patch a-configure a-build a-stage a-stage a-stage)
expect_tree("first")
foreach(file IN ITEMS install/lib/liba.a install/share/LICENSE log/patch-double.log log/stage-complete.log)
  tsb_expect("what it makes" EXISTS "${folder}/${file}")
endforeach()
tsb_expect_file("log of the installation" CONTAINS "${folder}/log/stage.log" "Installing: ${folder}/install/lib/liba.a")
tsb_expect_file("log of the second script" CONTAINS "${folder}/log/stage-count.log" "share has LICENSE")
tsb_expect("what is for the user" CONTAINS "${output}" "a: share is all; nothing else")
tsb_expect("what is not" LACKS "${output}" "share has LICENSE")
make(good d)
expect_ran("a package without a build system" d-stage)
tsb_expect("installed" EXISTS "${build}/packages/d/install/LICENSE")

# A patch script's content decides: it runs on a new copy.
file(APPEND "${box}/double.cmake" "# a change\n")
explain("a: would run from phase patch on: patch script double.cmake: was:" "patch script double.cmake: now:")
make(good a-patch)
expect_ran("the changed script" a-patch)
expect_tree("again")

# A folder of the user's stays as it is.
file(COPY "${box}/trees/a" DESTINATION "${box}/user")
set(ENV{TSB_LOCAL_a} "${box}/user/a")
make(good a-patch)
expect_tree("of a folder")
tsb_expect_file("the folder" EQUAL "${box}/user/a/LICENSE" "licence of a\n")

# One fails: so does the phase, which is not done.
foreach(row IN ITEMS "complete stage" "double patch")
  string(REPLACE " " ";" row "${row}")
  list(GET row 0 script)
  list(GET row 1 phase)
  file(APPEND "${box}/${script}.cmake" "message(FATAL_ERROR \"no room for it\")\n")
  foreach(time IN ITEMS first second)
    make(bad a)
    tsb_expect("${time} time" CONTAINS "${output}" "no room for it" "error: package a: the ${phase} phase failed")
  endforeach()
endforeach()
