# SPDX-License-Identifier: BSD-3-Clause
# Compilers by what they say about themselves, and by CC and CXX.
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
tool(cc "echo '#define __GNUC__ 12'; echo '#define __GNUC_MINOR__ 2'; echo '#define __GNUC_PATCHLEVEL__ 0'")
tool(c++ "echo '#define __GNUC__ 9'; echo '#define __GNUC_MINOR__ 4'; echo '#define __GNUC_PATCHLEVEL__ 0'")
doctor(ARGUMENTS CHECKS compiler)
fails(1 "C++ compiler: ${bin}/c++ is gcc 9.4.0, 10 or newer is needed")

tool(old-clang "echo '#define __GNUC__ 4'; echo '#define __clang_major__ 11'; echo '#define __clang_minor__ 1'")
doctor("CXX=old-clang -stdlib=libc++" ARGUMENTS CHECKS compiler)
fails(
  1
  "C++ compiler: CXX is \"old-clang -stdlib=libc++\", but the packages would be built without what follows the program"
  "-> name the compiler alone (a compiler cache is found by itself), or a script"
)
doctor(CXX=old-clang ARGUMENTS CHECKS compiler)
fails(1 "C++ compiler: ${bin}/old-clang is clang 11.1, 12 or newer is needed" "-> set CXX to a newer one, or unset it")
doctor(CC=nothing CXX=cc ARGUMENTS CHECKS compiler)
fails(1 "C compiler: CC is \"nothing\", but there is no such program" "-- C++ compiler gcc 12.2.0 (${bin}/cc)")
tool(c++ "echo 'cannot execute cc1plus' >&2; exit 1")
doctor(ARGUMENTS CHECKS compiler)
fails(1 "${bin}/c++ is neither gcc nor clang, or does not work: cannot execute cc1plus")

# A build folder keeps the compilers that configured it; what CC and CXX say then has no effect: a line says so.
function(doctor_of_folder compiler)
  file(
    WRITE ${TSB_TEST_DIR}/folder.cmake
    "set(CMAKE_C_COMPILER [==[${compiler}]==])
set(CMAKE_CXX_COMPILER [==[${compiler}]==])
include(\"${TSB_SOURCE_DIR}/cmake/doctor/tsb_doctor.cmake\")
tsb_doctor(CHECKS compiler)\n"
  )
  tsb_run(
    status output ${CMAKE_COMMAND} -E env --unset=CC --unset=CXX "PATH=${bin}" CXX=c++ ${CMAKE_COMMAND} -P
    ${TSB_TEST_DIR}/folder.cmake
  )
  return(PROPAGATE status output)
endfunction()
doctor_of_folder("${bin}/cc")
passes(
  "-- C compiler gcc 12.2.0 (${bin}/cc)"
  "-- C++ compiler gcc 12.2.0 (${bin}/cc, which this build folder was configured with: CXX=c++ has no effect unless you remove the folder)"
)
doctor_of_folder("${bin}/gone")
tsb_expect_end(
  1 "C compiler: this build folder was configured with ${bin}/gone, which does not exist"
  "-> install it again, or remove the build folder"
)
