# SPDX-License-Identifier: BSD-3-Clause
# MACHINE: what is on the machine is laid out, never stored, and laid out again when it has moved; who depends on it is
# built again only when what it is has changed.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
write_trees()
file(APPEND "${box}/trees/a/CMakeLists.txt" "file(COPY \"\$ENV{M}\" DESTINATION \"\${CMAKE_BINARY_DIR}\")\n")
add_source(a 1.0)
file(WRITE "${box}/here/m.txt" "first")
file(WRITE "${box}/there/m.txt" "second")
string(
  CONFIGURE
    [[
include("@TSB_SOURCE_DIR@/cmake/model/tsb_read_record.cmake")
tsb_read_record("${TSB_MACHINE}" machine)
file(MAKE_DIRECTORY "${TSB_INSTALL_DIR}")
file(CREATE_LINK "${machine_folder}/m.txt" "${TSB_INSTALL_DIR}/m.txt" SYMBOLIC)
]]
    script
  @ONLY
)
file(WRITE "${box}/lay_out.cmake" "${script}")

# declare_m(<folder> <version> [<home>])
function(declare_m folder version)
  set(home "${box}/${folder}" ${ARGN})
  list(GET home -1 home)
  file(WRITE "${box}/${folder}.json" "{\"folder\": \"${box}/${folder}\", \"home\": \"${home}\"}")
  declare(
    "tsb_declare_package(m DESCRIPTION \"M\" BUILD_SYSTEM none OPTIONS VERSION=${version}
  MACHINE \"${box}/${folder}.json\" STAGE_SCRIPTS \"${box}/lay_out.cmake\")
${declaration_of_a} DEPENDS m ENVIRONMENT M=@PREFIX_m@/m.txt)" a
  )
  configure()
endfunction()
function(expect_content what expected)
  tsb_expect_file("what is laid out, ${what}" EQUAL "${build}/packages/m/install/m.txt" "${expected}")
endfunction()

declare_m(here 1)
make(good a)
expect_ran("the first time" m-stage a-configure a-build a-stage)
expect_content("the first time" first)
file(READ "${build}/packages/a/isolation.cmake" isolation)
file(REAL_PATH "${box}/here" home)
set(option "-ffile-prefix-map=${home}=/usr/src/torch-superbuild/m/install")
tsb_expect("how its headers are called in debug information" CONTAINS "${isolation}" "${option}")
tsb_expect("what the store has" ABSENT "${box}/store/m")
make(good a)
expect_ran("again")

# The same at another place: nothing of a changes.
declare_m(there 1)
make(good a)
expect_ran("when it has moved" m-stage)
expect_content("when it has moved" second)

# Another one, where a system has such things.
declare_m(there 2 /usr/local/m-2)
make(good a)
expect_ran("with another version" m-stage a-configure a-build a-stage)
file(READ "${build}/packages/a/isolation.cmake" isolation)
tsb_expect("how its headers are called in debug information" LACKS "${isolation}" "/m/install")

# A fresh build folder with the same store: it is laid out for whoever else has to be built.
file(REMOVE_RECURSE "${build}")
declare_m(here 2)
make(good a)
expect_ran("in another folder" m-stage)
expect_content("in another folder" first)
