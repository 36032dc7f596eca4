# SPDX-License-Identifier: BSD-3-Clause
# z_tsb_check_found on caches and build.ninja files written here: what is allowed, and what is an error with both lines.
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
set(box "${TSB_TEST_DIR}/with blank")
set(own "${box}/packages/p")
set(dependency "${box}/packages/d/install")
set(machine "${box}/machine")
foreach(
  file IN ITEMS libstray.so libstray.a libstray.so.1.2 libm.so libdl.a libstdc++.so.6 libgomp.so libexe.so stray.txt
                tool
)
  file(WRITE "${machine}/lib/${file}" "")
endforeach()
file(CHMOD "${machine}/lib/tool" "${machine}/lib/libexe.so" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
file(WRITE "${machine}/include/stray.h" "")
file(WRITE "${own}/build/libown.a" "")
file(WRITE "${own}/source/include/own.h" "")
file(WRITE "${dependency}/lib/libd.a" "")
file(MAKE_DIRECTORY "${box}/packages/d/install-more")
file(CREATE_LINK "${dependency}" "${box}/link" SYMBOLIC)

file(
  WRITE "${TSB_TEST_DIR}/check.cmake"
  "cmake_minimum_required(VERSION 3.25)
include(\"${TSB_SOURCE_DIR}/cmake/detail/tsb_fail.cmake\")
include(\"${TSB_SOURCE_DIR}/cmake/model/tsb_read_record.cmake\")
include(\"${TSB_SOURCE_DIR}/cmake/isolation/z_tsb_check_found.cmake\")
tsb_read_record(\"${own}/package.json\" package)
z_tsb_check_found(\"${own}\" \"${dependency}\")\n"
)

# Not a script of pyenv's, which takes as long as all the rest.
execute_process(COMMAND python3 -c "import sys; print(sys.executable, end='')" OUTPUT_VARIABLE python)

# check(<what> <lines of the cache> <lines of build.ninja> <expected errors> [<members of the package's JSON>])
function(check what cache ninja expected)
  file(WRITE "${own}/build/CMakeCache.txt" "# A cache\n\n//What it is\n${cache}\n")
  file(WRITE "${own}/build/build.ninja" "build x: LINK y\n  DESC = z\n${ninja}\n")
  if(ninja STREQUAL "none")
    file(REMOVE "${own}/build/build.ninja")
  endif()
  file(WRITE "${own}/package.json" "{${ARGN} \"name\": \"p\", \"declared_in\": \"superbuild/p.cmake\"}")
  tsb_run(
    code said "${python}" -I -S -B "${TSB_SOURCE_DIR}/engine" one_run.run "${CMAKE_COMMAND}" -P
    "${TSB_TEST_DIR}/check.cmake"
  )
  tsb_expect("${what}" EQUAL "${said}" "${expected}")
  if(expected STREQUAL "")
    tsb_expect("${what}, exit code" EQUAL ${code} 0)
  else()
    tsb_expect("${what}, exit code" EQUAL ${code} 1)
  endif()
endfunction()

function(found_error out value variable)
  set(
    ${out} "error: package p found ${value} of this machine for ${variable}, which it does not declare
       add 'SYSTEM ${variable}' to superbuild/p.cmake if it may use it, 'OPTIONS ${variable}=' if it must find none\n"
    PARENT_SCOPE
  )
endfunction()
function(link_error out word name)
  set(
    ${out} "error: package p links ${word} of this machine, which it does not declare
       add 'SYSTEM ${name}' to superbuild/p.cmake if it may use it, or switch off the option that asks for it\n"
    PARENT_SCOPE
  )
endfunction()

set(stray "STRAY_LIBRARY:FILEPATH=${machine}/lib/libstray.so")
found_error(stray_error "${machine}/lib/libstray.so" STRAY_LIBRARY)
check("nothing" "" "" "")
check("a library" "${stray}" "" "${stray_error}")
found_error(error "${machine}/include" stray_INCLUDE_DIR)
check("a folder of headers" "stray_INCLUDE_DIR:PATH=${machine}/include" "" "${error}")
found_error(error "${machine}/lib/stray.txt" STRAY_FILE)
check("a file" "STRAY_FILE:FILEPATH=${machine}/lib/stray.txt" "" "${error}")
found_error(error "${machine}/lib/libexe.so" EXE)
check("a library with the right to execute" "EXE:FILEPATH=${machine}/lib/libexe.so" "" "${error}")
found_error(error "${box}/packages/d/install-more" MORE)
check("a folder whose name begins as an allowed one's" "MORE:PATH=${box}/packages/d/install-more" "" "${error}")
found_error(error "${machine}/lib/libstray.a" OTHER)
check(
  "two" "${stray}\nOTHER:FILEPATH=${machine}/lib/libstray.a" "  LINK_LIBRARIES = \"${machine}/lib/libstray.so\""
  "${stray_error}${error}"
)

check("its own" "A:FILEPATH=${own}/build/libown.a\nB:PATH=${own}/source/include" "" "")
check("a dependency's" "D:FILEPATH=${dependency}/lib/libd.a" "  LINK_LIBRARIES = \"${dependency}/lib/libd.a\"" "")
check("a dependency's, through a link" "D:FILEPATH=${box}/link/lib/libd.a" "" "")
check("not found" "STRAY_LIBRARY:FILEPATH=STRAY_LIBRARY-NOTFOUND\nE:FILEPATH=\nF:PATH=${machine}/no" "" "")
check("a program" "TOOL:FILEPATH=${machine}/lib/tool" "" "")
check("no path" "STRAY:STRING=${machine}/lib/libstray.so\nCMAKE_X:PATH=${machine}/lib" "" "")
check(
  "C library and compiler"
  "LIBM:FILEPATH=${machine}/lib/libm.so\nDL:FILEPATH=${machine}/lib/libdl.a\nS:FILEPATH=${machine}/lib/libstdc++.so.6"
  "  LINK_LIBRARIES = -lm  -ldl  -lrt  -lpthread  -lstdc++  -latomic_asneeded  \"${machine}/lib/libdl.a\"" ""
)
check(
  "declared, by its variable" "${stray}" "  LINK_LIBRARIES = \"${machine}/lib/libstray.so\"" ""
  "\"system\": [\"STRAY_LIBRARY\"],"
)
check("declared, by its package" "${stray}" "" "" "\"system\": [\"Threads\", \"Stray\"],")
check("declared, another name" "${stray}" "" "${stray_error}" "\"system\": [\"ST\", \"LIBRARY\"],")
check("a module may run, but not find it" "${stray}" "" "${stray_error}" "\"modules\": [\"Stray\"],")
check("an option" "${stray}" "" "" "\"options\": [\"STRAY_LIBRARY=${machine}/lib/libstray.so\"],")

link_error(error -lstray stray)
check("linked by name" "" "  LINK_LIBRARIES = -Wl,-rpath,x  lib/libown.a  -lstray  -lm" "${error}")
check("linked by name, declared" "" "  LINK_LIBRARIES = -lstray" "" "\"system\": [\"stray\"],")
file(WRITE "${dependency}/lib/libnameless.so" "")
check("a dependency's, linked by name" "" "  LINK_LIBRARIES = -lnameless" "")
file(WRITE "${dependency}/lib64/libimplied_static.a" "")
check("a dependency's archive, linked by name" "" "  LINK_LIBRARIES = -limplied_static" "")
link_error(error "${machine}/lib/libstray.so.1.2" stray)
check("linked by path" "" "  LINK_LIBRARIES = -lm  \"${machine}/lib/libstray.so.1.2\"  -ldl" "${error}")
check(
  "no build.ninja" "" none "error: what package p links cannot be read from ${own}/build/build.ninja
       run the same command again\n"
)
