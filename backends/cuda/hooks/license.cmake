# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_pip_license(<out-var> <library>): the licence text of the wheel that a file was installed from: the *.dist-info
# in a folder above it whose RECORD names the file.
function(z_tsb_pip_license out library)
  set(${out} "" PARENT_SCOPE)
  get_filename_component(name "${library}" NAME)
  string(REGEX REPLACE "([][+.*()^$?|\\])" "\\\\\\1" pattern "${name}")
  set(folder "${library}")
  foreach(level RANGE 4)
    get_filename_component(folder "${folder}" DIRECTORY)
    # dist-info/: where somebody has put the wheels of CUDA 13 into the layout of a toolkit.
    file(GLOB records "${folder}/nvidia*.dist-info/RECORD" "${folder}/dist-info/nvidia*.dist-info/RECORD")
    foreach(record IN LISTS records)
      file(STRINGS "${record}" lines REGEX "/${pattern},")
      get_filename_component(info "${record}" DIRECTORY)
      file(GLOB texts "${info}/[Ll][Ii][Cc][Ee][Nn][Ss][Ee]*.txt" "${info}/licenses/[Ll]*")
      if(lines AND texts)
        list(GET texts 0 text)
        set(${out} "${text}" PARENT_SCOPE)
        return()
      endif()
    endforeach()
  endforeach()
endfunction()

# z_tsb_distribution_license(<out-var> <library> <SONAME>): the text in share/doc of the distribution's packages, also
# of those that were unpacked below a folder. By policy a library's package is called after its SONAME.
function(z_tsb_distribution_license out library soname)
  set(${out} "" PARENT_SCOPE)
  if(NOT library MATCHES "^(.*)/usr/lib/")
    return()
  endif()
  set(doc "${CMAKE_MATCH_1}/usr/share/doc")
  if(NOT soname MATCHES "^(.*)\\.so\\.(.*)$")
    return()
  endif()
  string(TOLOWER "${CMAKE_MATCH_1}" package)
  set(version "${CMAKE_MATCH_2}")
  set(names "${package}${version}" "${package}-${version}")
  z_tsb_backend_library_of(facts cuda "${soname}")
  z_tsb_json_get(owner "${facts}" package)
  if(owner STREQUAL "cuda-toolkit")
    list(APPEND names nvidia-cuda-toolkit)
  endif()
  foreach(name IN LISTS names)
    if(EXISTS "${doc}/${name}/copyright")
      set(${out} "${doc}/${name}/copyright" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# The file with the licence text of one of NVIDIA's libraries, from where this machine has it: the wheel that it came
# in, the distribution's package, or the folder of the toolkit or library (EULA.txt, LICENSE). It ends with tsb_fail
# when there is none: nothing may be passed on without it.
function(z_tsb_cuda_license out package library soname)
  z_tsb_pip_license(text "${library}")
  if(NOT text)
    z_tsb_distribution_license(text "${library}" "${soname}")
  endif()
  z_tsb_machine_of_package(machine ${package})
  z_tsb_json_take(machine home)
  if(NOT text AND home)
    file(GLOB text "${home}/EULA.txt" "${home}/LICENSE*" "${home}/License.txt" "${home}/*cuDNN*.txt")
    # A distribution's folder has everybody's.
    if(home MATCHES "/usr$")
      set(text "")
    endif()
  endif()
  if(NOT text)
    tsb_fail(
      "the licence text of ${soname} (${library}) is not on this machine"
      "put it there: EULA.txt of the CUDA toolkit, LICENSE of the others, into ${home}; or install the library with pip"
    )
  endif()
  list(GET text 0 text)
  set(${out} "${text}" PARENT_SCOPE)
endfunction()
