# SPDX-License-Identifier: BSD-3-Clause
# make_build(<folder>): a build folder with a package "pytorch" that is really compiled, with Ninja, and recorded:
#
#   own.c, own.h, copied.h (mentions another licence), third_party/placed (a placed source) and external/jit in it,
#   third_party/held (one that came along inside, with a choice of licences in LICENSES/), third_party/spare (a placed
#   source of which nothing goes in), third_party/nested (in none), third_party/nested/inner.h (a header only),
#   third_party/whole (linked as a whole archive), by_hand.c (compiled by a command that records nothing), and
#   third_party/unused, which is compiled and not linked; include/shipped.h is installed and in no object.
#
# PLATFORM_ONLY: without a header of the machine that the gate refuses. COPIES: own.c includes hip/kept.h and
# hip/inner/held.h, which a tool has made of those in cuda/, where the latter's folder has a licence file.
#
# declare([WITHOUT <component>] [EXTRA <json members>]): pins, components.json and advisories.json.
# make_bill(<folder>), then add_files(<folder>): set code, output.
cmake_minimum_required(VERSION 3.25)
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
find_program(python NAMES python3 NO_CACHE)
find_program(ninja NAMES ninja ninja-build NO_CACHE)
if(NOT python OR NOT ninja)
  message(FATAL_ERROR "python3 and ninja are needed")
endif()
set(ENV{PYTHONDONTWRITEBYTECODE} 1)
unset(ENV{SOURCE_DATE_EPOCH})
set(declarations "${TSB_TEST_DIR}/pins")
string(REPEAT "ab" 32 sha256)

function(run what)
  tsb_run(result text ${ARGN})
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${what}: ${text}")
  endif()
endfunction()

function(make_sources source)
  file(WRITE "${source}/LICENSE" "the licence of the whole\n")
  # NCCL's way to say two licences. errno.h leads to the kernel's headers, which are links on some machines.
  file(
    WRITE "${source}/own.c"
    "// SPDX-License-Identifier: BSD-3-Clause and BSD-3\n#include \"own.h\"\n#include \"copied.h\"\n#include <errno.h>\n#include <stdio.h>\nint own(void) { return 1; }\n"
  )
  file(WRITE "${source}/own.h" "int own(void);\n")
  if(COPIES)
    foreach(folder IN ITEMS cuda hip)
      file(WRITE "${source}/${folder}/kept.h" "// Copyright Keeper\n// SPDX-License-Identifier: ISC\n")
      file(WRITE "${source}/${folder}/inner/held.h" "int held_in_${folder};\n")
    endforeach()
    file(WRITE "${source}/cuda/inner/LICENSE" "the licence of inner\n")
    file(APPEND "${source}/own.h" "#include \"hip/kept.h\"\n#include \"hip/inner/held.h\"\n")
    file(
      WRITE "${source}/.tsb-copies.json"
      "{\"hip/kept.h\": \"cuda/kept.h\", \"hip/inner/held.h\": \"cuda/inner/held.h\", \"hip/other.h\": \"cuda/other.h\"}"
    )
  endif()
  file(WRITE "${source}/by_hand.c" "int by_hand(void) { return 3; }\n")
  file(
    WRITE "${source}/copied.h" "/* Copyright Somebody\n * Boost Software License, Version 1.0 */\n\nint unrelated;\n"
  )
  file(WRITE "${source}/include/shipped.h" "// Copyright Shipper\n// SPDX-License-Identifier: ISC\n")
  foreach(name IN ITEMS placed placed/external/jit held nested whole unused spare)
    set(folder "${source}/third_party/${name}")
    get_filename_component(name "${name}" NAME)
    file(WRITE "${folder}/LICENSE.txt" "the licence of ${name}\n")
    file(WRITE "${folder}/${name}.h" "int ${name}(void);\n")
    file(WRITE "${folder}/${name}.c" "#include \"${name}.h\"\nint ${name}(void) { return 2; }\n")
  endforeach()
  file(MAKE_DIRECTORY "${source}/third_party/held/LICENSES")
  file(RENAME "${source}/third_party/held/LICENSE.txt" "${source}/third_party/held/LICENSES/Zlib.txt")
  file(WRITE "${source}/third_party/held/LICENSES/GPL-2.0-only.txt" "what was not chosen\n")
  file(WRITE "${source}/third_party/nested/inner.h" "")
  if(NOT PLATFORM_ONLY)
    file(WRITE "${source}/third_party/nested/inner.h" "#include \"outer.h\"\n")
  endif()
  file(APPEND "${source}/third_party/nested/nested.c" "#include \"inner.h\"\n")
  file(
    WRITE "${source}/CMakeLists.txt"
    [[
cmake_minimum_required(VERSION 3.18)
project(p LANGUAGES C)
include_directories(${OUTER})
add_library(placed STATIC third_party/placed/placed.c third_party/placed/external/jit/jit.c third_party/held/held.c)
add_library(nested OBJECT third_party/nested/nested.c)
add_library(whole STATIC third_party/whole/whole.c)
add_library(unused STATIC third_party/unused/unused.c)
add_custom_command(
  OUTPUT by_hand.o
  COMMAND ${CMAKE_C_COMPILER} -fPIC -c ${CMAKE_CURRENT_SOURCE_DIR}/by_hand.c -o by_hand.o
  DEPENDS by_hand.c
)
add_library(torch SHARED own.c $<TARGET_OBJECTS:nested> by_hand.o)
set_property(TARGET placed nested whole PROPERTY POSITION_INDEPENDENT_CODE ON)
target_link_libraries(torch PRIVATE placed "-Wl,--whole-archive,\"$<TARGET_FILE:whole>\" -Wl,--no-whole-archive" m)
add_dependencies(torch whole)
install(TARGETS torch unused DESTINATION lib)
install(FILES include/shipped.h own.h DESTINATION include)
]]
  )
endfunction()

function(make_build folder)
  set(package "${folder}/packages/pytorch")
  make_sources("${package}/source")
  # A header of the machine: of no package, and not of the platform.
  file(WRITE "${TSB_TEST_DIR}/machine/outer.h" "int outer(void);\n")
  run(
    "the fixture's configuration" "${CMAKE_COMMAND}" -S "${package}/source" -B "${package}/build" -G Ninja
    "-DCMAKE_MAKE_PROGRAM=${ninja}" "-DOUTER=${TSB_TEST_DIR}/machine" "-DCMAKE_INSTALL_PREFIX=${package}/install"
  )
  run("the fixture's build" "${CMAKE_COMMAND}" --build "${package}/build")
  run("the fixture's installation" "${CMAKE_COMMAND}" --install "${package}/build")
  file(WRITE "${folder}/settings.json" "{\"python\": \"${python}\", \"ninja\": \"${ninja}\"}")
  run(
    "the record" "${CMAKE_COMMAND}" "-DTSB_SOURCE_DIR=${package}/source" "-DTSB_BUILD_DIR=${package}/build"
    "-DTSB_INSTALL_DIR=${package}/install" -P "${TSB_SOURCE_DIR}/packaging/sbom/record_linked.cmake"
  )

  file(
    WRITE "${package}/package.json"
    "{\"name\": \"pytorch\", \"source\": \"pytorch\", \"build_system\": \"cmake\", \"pins\": \"${declarations}/sources.json\",
      \"depends\": [], \"license_files\": [\"LICENSE\"], \"place\": [\"placed=third_party/placed\", \"held=third_party/held\",
       \"gone=third_party/gone\", \"spare=third_party/spare\"]}"
  )
  file(
    WRITE "${package}/sources.json"
    "{\"pytorch\": {\"status\": \"ok\", \"version\": \"9.1\", \"commit\": \"\", \"sha256\": \"${sha256}\",
       \"license\": \"BSD-3-Clause\", \"provider\": \"upstream\"},
      \"placed\": {\"status\": \"ok\", \"version\": \"20200101\", \"commit\": \"c0ffee\", \"sha256\": \"\",
       \"license\": \"LicenseRef-Placed\", \"provider\": \"git\"},
      \"spare\": {\"status\": \"ok\", \"version\": \"1\", \"commit\": \"5a\", \"sha256\": \"\", \"license\": \"MIT\"},
      \"gone\": {\"status\": \"missing\"}, \"held\": {\"status\": \"included\", \"in\": \"pytorch\"}}"
  )
  file(WRITE "${folder}/package/lib/libtorch.so" "a library\n")
  file(WRITE "${folder}/package/lib/libgomp.so.1" "another\n")
  file(
    WRITE "${folder}/package/manifest.json"
    "{\"bundled\": [{\"name\": \"libgomp.so.1\", \"from\": \"libgomp.so.1.0.0\", \"file\": \"libgomp.so.1\"}],
      \"packages\": [{\"name\": \"pytorch\",
        \"patches\": [{\"file\": \"own.patch\", \"source\": \"pytorch\", \"reason\": \"why\"}]}]}"
  )
  file(CREATE_LINK libtorch.so "${folder}/package/lib/libtorch.so.9" SYMBOLIC)
  file(WRITE "${folder}/owners.json" "{\"libgomp.so.1.0.0\": {\"package\": \"libgomp1\", \"version\": \"12.2\"}}")
  file(
    WRITE "${folder}/artifacts/a.json"
    "{\"name\": \"a\", \"build_folder\": \"${folder}\", \"product\": \"libtorch\", \"package\": \"pytorch\", \"version\": \"9.1+cpu\", \"file\": \"libtorch-9.1+cpu.zip\",
      \"preset\": \"a-preset\", \"target\": {\"conda_subdir\": \"linux-here\"}, \"linkage\": \"shared\", \"deps\": \"with-deps\"}"
  )
endfunction()

# advisory(<out-var> <id> <its last event> <further members>)
function(advisory out id end more)
  set(package "{\"ecosystem\": \"PyPI\", \"name\": \"torch\"}")
  set(range "{\"type\": \"ECOSYSTEM\", \"events\": [{\"introduced\": \"0\"}, ${end}]}")
  set(
    ${out}
    "{\"id\": \"${id}\", \"modified\": \"2026-01-01T00:00:00Z\", \"aliases\": [\"CVE-1-${id}\", \"GHSA-${id}\", \"B-${id}\"], ${more}
      \"affected\": [{\"package\": ${package}, \"ranges\": [${range}]}],
      \"references\": [{\"type\": \"ADVISORY\", \"url\": \"https://osv.dev/vulnerability/${id}\"}]}"
    PARENT_SCOPE
  )
endfunction()

function(declare)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "WITHOUT;EXTRA" "")
  file(WRITE "${declarations}/patches/own.patch" "--- a/own.c\n+++ b/own.c\n")
  file(
    WRITE "${declarations}/sources.json"
    "{\"sources\": {
      \"pytorch\": {\"license\": \"BSD-3-Clause\", \"homepage\": \"https://pytorch.org\",
        \"candidates\": [{\"version\": \"9.1\", \"sha256\": \"${sha256}\", \"git\": \"https://github.com/PyTorch/pytorch.git\"}]},
      \"placed\": {\"license\": \"LicenseRef-Placed\", \"candidates\": [{\"version\": \"20200101\", \"commit\": \"c0ffee\",
        \"git\": \"https://example.org/placed.git\"}]},
      \"gone\": {\"license\": \"MIT\", \"candidates\": [{\"version\": \"1\", \"sha256\": \"00\"}]},
      \"spare\": {\"license\": \"MIT\", \"candidates\": [{\"version\": \"1\", \"commit\": \"5a\"}]},
      \"held\": {\"license\": \"Zlib OR GPL-2.0-only\", \"candidates\": [{\"version\": \"4.5\", \"commit\": \"beef\",
        \"git\": \"https://github.com/h/held.git\"}]}}}"
  )
  advisory(fixed A-1 "{\"fixed\": \"9.2\"}" "\"summary\": \"It is wrong.\",")
  advisory(open A-2 "{\"last_affected\": \"9.1\"}" "")
  set(status "{\"status\": \"not_affected\", \"impact_statement\": \"Not compiled.\"}")
  advisory(not_affected A-3 "{\"fixed\": \"9.2\"}" "\"database_specific\": ${status},")
  file(
    WRITE "${declarations}/advisories.json"
    "{\"schema\": 1, \"release\": \"9.1\", \"advisories\": [${open}, ${fixed}, ${not_affected}],
      \"source\": {\"date\": \"2026-01-02\", \"license\": \"CC-BY-4.0\", \"statement\": \"By hand.\"}}"
  )
  set(members "")
  foreach(
    entry IN
    ITEMS
      "\"copied\": {\"in\": \"pytorch\", \"files\": [\"copied.h\"], \"license\": \"BSL-1.0\", \"texts\": [\"BSL-1.0\"]}"
      "\"shipped\": {\"in\": \"pytorch\", \"files\": [\"include/*.h\"], \"license\": \"ISC\"}"
      "\"nested\": {\"in\": \"pytorch\", \"files\": [\"third_party/nested/\"], \"version\": \"3.1\", \"license\": \"MIT OR Zlib\",
        \"license_files\": [\"third_party/nested/LICENSE.txt\"], \"homepage\": \"https://github.com/a/nested\"}"
      "\"jit\": {\"in\": \"placed\", \"versions\": [\"20200101\"], \"files\": [\"external/jit/\"], \"license\": \"Zlib\",
        \"license_files\": [\"external/jit/LICENSE.txt\"]}"
      "\"whole\": {\"in\": \"pytorch\", \"files\": [\"third_party/whole/\"], \"license\": \"MIT\",
        \"license_files\": [\"third_party/whole/LICENSE.txt\"]}"
      "\"unused\": {\"in\": \"pytorch\", \"files\": [\"third_party/unused/\"], \"license\": \"MIT\", \"texts\": [\"BSL-1.0\"]}"
  )
    string(REGEX MATCH "^\"([a-z]+)\"" name "${entry}")
    if(NOT CMAKE_MATCH_1 STREQUAL arg_WITHOUT)
      string(APPEND members "${entry},")
    endif()
  endforeach()
  string(REGEX REPLACE ",$" "" members "${members}")
  if(arg_EXTRA)
    string(APPEND members ",${arg_EXTRA}")
  endif()
  file(WRITE "${declarations}/components.json" "{\"schema\": 1, \"components\": {${members}}}")
endfunction()

# The texts of the sources, as the package's phases collect them. What is found then is tested in sources.cmake.
function(collect folder)
  set(package "${folder}/packages/pytorch")
  execute_process(
    COMMAND "${python}" "${TSB_SOURCE_DIR}/packaging/sbom/check_sources.py" --package "${package}" --third-party
            "${TSB_SOURCE_DIR}/third_party" --collect "${package}/licenses" OUTPUT_QUIET
  )
endfunction()

# The gate's list of the platform, with the fixture's own header of the machine added unless STRICT is set.
function(make_bill folder)
  set(code_folder "${TSB_TEST_DIR}/sbom")
  if(NOT EXISTS "${code_folder}")
    file(COPY "${TSB_SOURCE_DIR}/packaging/sbom/" DESTINATION "${code_folder}")
    file(APPEND "${code_folder}/platform_headers.txt" "*/machine/outer.h\n")
  endif()
  if(STRICT)
    set(code_folder "${TSB_SOURCE_DIR}/packaging/sbom")
  endif()
  if(NOT third_party)
    set(third_party "${TSB_SOURCE_DIR}/third_party")
  endif()
  collect("${folder}")
  tsb_run(
    code output "${python}" "${code_folder}/make_sbom.py" --artifact "${folder}/artifacts/a.json" --root
    "${folder}/package" --packages pytorch --third-party "${third_party}" --owners "${folder}/owners.json" --advisories
    "${declarations}/advisories.json" ${ARGN}
  )
  return(PROPAGATE code output)
endfunction()

function(add_files folder)
  tsb_run(
    code output "${python}" "${TSB_SOURCE_DIR}/packaging/sbom/add_files.py" --root "${folder}/package" --bills
    "${folder}/package/sbom"
  )
  return(PROPAGATE code output)
endfunction()
