# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# The file with the licence text of one of ROCm's libraries: AMD's packages put it into share/doc/<component>, or into
# that of another component (`documented` in libraries.json), comgr's until ROCm 6 one folder deeper; a distribution's
# into share/doc/<package>, which is called after the SONAME: librocblas5, libamdhip64-7, libamd-comgr3.
# What has headers alone comes without a SONAME, by its name in libraries.json: composable_kernel's folders are
# composablekernel and libcomposable-kernel-dev. It ends with tsb_fail when there is none: nothing may be passed on
# without it.
function(z_tsb_rocm_license out package library soname)
  z_tsb_machine_of_package(toolkit ${package})
  z_tsb_json_take(toolkit home)
  set(doc "${home}/share/doc")
  string(TOLOWER "${soname}" base)
  string(REPLACE "_" "-" base "${base}")
  if(base MATCHES "^(.*)\\.so\\.([0-9]+)")
    z_tsb_backend_library_of(facts rocm "${soname}")
    z_tsb_json_take(facts name)
    z_tsb_json_get_list(folders "${facts}" documented)
    set(packages "${CMAKE_MATCH_1}${CMAKE_MATCH_2}" "${CMAKE_MATCH_1}-${CMAKE_MATCH_2}")
  else()
    string(REPLACE "_" "" name "${soname}")
    set(folders "")
    set(packages "lib${base}-dev")
  endif()
  set(text "")
  foreach(folder IN LISTS folders ITEMS ${name} ${name}-* ${name}/*)
    file(GLOB found "${doc}/${folder}/LICENSE*")
    list(APPEND text ${found})
  endforeach()
  foreach(package IN LISTS packages)
    file(GLOB copyright "${doc}/${package}/copyright")
    list(APPEND text ${copyright})
  endforeach()
  if(NOT text)
    tsb_fail(
      "the licence text of ${soname} (${library}) is not on this machine"
      "install ROCm's packages with their documentation, or put it there: ${doc}/${name}/LICENSE"
    )
  endif()
  list(GET text 0 text)
  set(${out} "${text}" PARENT_SCOPE)
endfunction()
