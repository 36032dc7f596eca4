# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../detail/z_tsb_json.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_python_site_folders.cmake)

#[[
z_tsb_find_nvidia_library(<result> <name> <variable> <CUDA's version> <toolkit> [ROOT <folder>])

Finds every cuDNN or cuSPARSELt (<name>: cudnn, cusparselt) of the machine: in the folder that <variable> of the
environment names, or where pip put it below that (then nowhere else), in the toolkit's folders, the distribution's, an active conda environment, and
where pip puts them. Gives a JSON array of

  {"found_by": ..., "home": ..., "version": "9.1.0", "headers": [files], "libraries": [files], "fault": ""}

The version is the header's; a library of another one, or one made for another major version of CUDA, is a fault.
ROOT stands for "/" in tests.
]]
function(
  z_tsb_find_nvidia_library
  result
  name
  variable
  cuda
  toolkit
)
  cmake_parse_arguments(PARSE_ARGV 5 arg "" "ROOT" "")
  # Ways: how, folder, folders of headers, folders of libraries.
  set(ways "")
  if(NOT "$ENV{${variable}}" STREQUAL "")
    get_filename_component(home "$ENV{${variable}}" ABSOLUTE)
    # Also a folder that pip was told to install into (--target).
    foreach(folder IN ITEMS "${home}" "${home}/nvidia/${name}" "${home}/${name}")
      list(APPEND ways "${variable}|${folder}|${folder}/include|${folder}/lib:${folder}/lib64")
    endforeach()
  else()
    z_tsb_json_get(home "${toolkit}" home)
    z_tsb_json_get_list(includes "${toolkit}" include)
    z_tsb_json_get_list(libraries "${toolkit}" libraries)
    list(FILTER libraries EXCLUDE REGEX "/stubs$")
    list(JOIN includes ":" includes)
    list(JOIN libraries ":" libraries)
    list(APPEND ways "toolkit|${home}|${includes}|${libraries}")
    set(usr "${arg_ROOT}/usr")
    list(
      APPEND ways
      "distribution|${usr}|${usr}/include:${usr}/include/x86_64-linux-gnu|${usr}/lib/x86_64-linux-gnu:${usr}/lib64"
      "distribution|${usr}/local|${usr}/local/include|${usr}/local/lib:${usr}/local/lib64"
    )
    if(NOT "$ENV{CONDA_PREFIX}" STREQUAL "")
      set(conda "$ENV{CONDA_PREFIX}")
      list(APPEND ways "conda|${conda}|${conda}/include|${conda}/lib")
    endif()
    z_tsb_python_site_folders(sites)
    foreach(site IN LISTS sites)
      foreach(home IN ITEMS "${site}/nvidia/${name}" "${site}/${name}")
        list(APPEND ways "pip|${home}|${home}/include|${home}/lib")
      endforeach()
    endforeach()
  endif()
  set(stem_cudnn cudnn)
  set(header_cudnn cudnn_version.h)
  set(macro_cudnn "CUDNN_(MAJOR|MINOR|PATCHLEVEL)")
  set(stem_cusparselt cusparseLt)
  set(header_cusparselt cusparseLt.h)
  set(macro_cusparselt "CUSPARSELT_VER_(MAJOR|MINOR|PATCH)")
  string(REGEX MATCH "^[0-9]+" cuda "${cuda}")

  set(found "[]")
  set(count 0)
  set(seen "")
  foreach(way IN LISTS ways)
    string(REPLACE "|" ";" way "${way}")
    list(POP_FRONT way how home includes libraries)
    string(REPLACE ":" ";" includes "${includes}")
    string(REPLACE ":" ";" libraries "${libraries}")
    find_file(header ${header_${name}} PATHS ${includes} NO_DEFAULT_PATH NO_CACHE)
    set(files "")
    foreach(folder IN LISTS libraries)
      if(NOT files)
        # By the names that programs ask for: libcudnn.so.9, not the linker's libcudnn.so nor libcudnn.so.9.1.0.
        file(GLOB files "${folder}/lib${stem_${name}}.so.*" "${folder}/lib${stem_${name}}_*.so.*")
        list(FILTER files INCLUDE REGEX "\\.so\\.[0-9]+$")
      endif()
    endforeach()
    get_filename_component(real "${header}" REALPATH)
    if((NOT header AND NOT files) OR (header AND real IN_LIST seen))
      unset(header)
      continue()
    endif()
    list(APPEND seen "${real}")

    set(fault "")
    set(version "")
    set(headers "")
    if(header)
      get_filename_component(folder "${header}" DIRECTORY)
      file(GLOB headers "${folder}/${stem_${name}}*.h")
      file(STRINGS "${header}" lines REGEX "define +${macro_${name}} +[0-9]+")
      list(TRANSFORM lines REPLACE "^.* ([0-9]+).*$" "\\1")
      list(JOIN lines "." version)
    else()
      set(fault "it lacks the header ${header_${name}}")
    endif()
    set(others ${files})
    list(POP_FRONT others library)
    get_filename_component(real "${library}" REALPATH)
    string(REGEX MATCH "[0-9][0-9.]*$" of_library "${real}")
    if(NOT files)
      set(fault "it lacks the library lib${stem_${name}}.so.<version>")
    elseif(header AND NOT "${version}." MATCHES "^${of_library}\\." AND NOT "${of_library}." MATCHES "^${version}\\.")
      set(fault "its header is of ${version} and its library of ${of_library}")
    endif()
    # cuDNN says for which CUDA it is by the library that it opens.
    set(adv "${files}")
    list(FILTER adv INCLUDE REGEX "/libcudnn_adv\\.so")
    if(adv AND cuda)
      execute_process(
        COMMAND grep -a -o -E "libcublasLt\\.so\\.[0-9]+" "${adv}"
        OUTPUT_VARIABLE text
        ERROR_QUIET
      )
      string(STRIP "${text}" text)
      string(REGEX REPLACE "^.*\\.so\\." "" of_library "${text}")
      if(NOT of_library STREQUAL "" AND NOT of_library EQUAL cuda)
        set(fault "it is for CUDA ${of_library}")
      endif()
    endif()
    if(how STREQUAL "pip" AND cuda)
      string(REGEX REPLACE "/(nvidia/)?${name}$" "" site "${home}")
      file(GLOB infos "${site}/nvidia_${name}_cu*-*.dist-info")
      if(infos MATCHES "_cu([0-9]+)-")
        set(of_package ${CMAKE_MATCH_1})
        if(NOT of_package EQUAL cuda)
          set(fault "it is for CUDA ${of_package}")
        endif()
      endif()
    endif()
    set(one "{}")
    z_tsb_json_set_string(one found_by "${how}")
    foreach(member IN ITEMS home version fault)
      z_tsb_json_set_string(one ${member} "${${member}}")
    endforeach()
    z_tsb_json_set_array(one headers ${headers})
    z_tsb_json_set_array(one libraries ${files})
    string(JSON found SET "${found}" ${count} "${one}")
    math(EXPR count "${count} + 1")
    unset(header)
  endforeach()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()
