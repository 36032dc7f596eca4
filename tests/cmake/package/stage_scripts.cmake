# SPDX-License-Identifier: BSD-3-Clause
# Stage scripts complete what `cmake --install` put into the install tree, or fill it alone; each keeps its log.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
write_trees()
add_source(a 1.0)
file(WRITE "${box}/trees/d/LICENSE" "licence of d\n")
file(WRITE "${box}/trees/d/data.txt" "data\n")
add_source(d 1.0)
file(
  WRITE "${box}/complete.cmake"
  [[
message(STATUS "the script mentions ${TSB_BUILD_DIR}")
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
file(WRITE "${box}/fill.cmake" [[file(COPY "${TSB_SOURCE_DIR}/data.txt" DESTINATION "${TSB_INSTALL_DIR}")]])
declare(
  "${declaration_of_a} STAGE_SCRIPTS \"${box}/complete.cmake\" \"${box}/count.cmake\")
tsb_declare_package(d DESCRIPTION \"D\" SOURCE d BUILD_SYSTEM none STAGE_SCRIPTS \"${box}/fill.cmake\" LICENSE_FILES LICENSE)"
  a
  d
)
configure()
make(good a)
expect_ran("a package with a stage script" a-configure a-build a-stage a-stage a-stage)
set(folder "${build}/packages/a")
foreach(file IN ITEMS lib/liba.a share/LICENSE)
  tsb_expect("installed" EXISTS "${folder}/install/${file}")
endforeach()
tsb_expect_file("log of the installation" CONTAINS "${folder}/log/stage.log" "Installing: ${folder}/install/lib/liba.a")
file(READ "${folder}/log/stage-complete.log" log)
tsb_expect("log of the script" CONTAINS "${log}" "the script mentions ${folder}/build")
tsb_expect("log of the script" LACKS "${log}" "Installing:")
tsb_expect_file("log of the second script" CONTAINS "${folder}/log/stage-count.log" "share has LICENSE")
tsb_expect("what is for the user" CONTAINS "${output}" "a: share is all; nothing else")
tsb_expect("what is not" LACKS "${output}" "share has LICENSE")

make(good d)
expect_ran("a package without a build system" d-stage)
tsb_expect("installed" EXISTS "${build}/packages/d/install/data.txt")
tsb_expect("its log" EXISTS "${build}/packages/d/log/stage-fill.log")

# It fails: which phase, and the error in its own log.
file(APPEND "${box}/complete.cmake" "message(FATAL_ERROR \"no room for it\")\n")
make(bad a)
tsb_expect("output" CONTAINS "${output}" "no room for it" "error: package a: the stage phase failed")
