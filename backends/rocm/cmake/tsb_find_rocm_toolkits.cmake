# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_find_rocm_toolkits
----------------------

Finds every ROCm of the machine, however it is laid out. Works in scripts and before ``project()``. ::

  tsb_find_rocm_toolkits(<result> [ROOT <folder>])

``<result>``
  Set to a JSON array of toolkits in the order of preference: ``ROCM_PATH`` of the environment, ``/opt/rocm``,
  ``/opt/rocm-*`` (the highest version first), the distribution's (``/usr``). One that is reached in two ways counts
  once.
``ROOT``
  A folder that stands for ``/``, for tests. The environment counts as it is.

A toolkit is an object with these members:

``found_by``
  The first way: ``ROCM_PATH``, ``/opt`` or ``distribution``.
``layout``
  ``standard``: everything below one folder. ``distribution``: spread over the folders that it shares with others.
``home``
  The folder that it all lies below.
``version``
  That of ``include/rocm-core/rocm_version.h``, such as 6.2.4.
``hipcc``
  The compiler's driver.
``clang``, ``device_libraries``, ``configs``
  Folders: with the clang that hipcc starts, with the device libraries, and with the components' files for CMake.
``components``
  Versions of the components, ``{"rocblas": "4.2.4", ...}``, as their files for CMake say them; ``unknown`` without one.
``kernels``
  The folders, relative to the one of the libraries, with kernels that rocBLAS and hipBLASLt load. A distribution has a
  folder for each of the library's versions: ``rocblas/5/library``.
``fault``
  Why nothing can be compiled with it. Empty when it is complete.

A folder that ``ROCM_PATH`` names is in the result in any case, perhaps with a fault. A relative one has a fault, since
the doctor and the build would look for it from different folders.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/backend/z_tsb_backend_libraries.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/detail/z_tsb_json.cmake)

# z_tsb_rocm_components(<result> <folder with the components' files for CMake> <home>): a JSON object of their versions,
# without what others have in the same folders. A distribution has those that are headers alone in share/.
function(z_tsb_rocm_components result configs home)
  file(READ "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../versions.json" facts)
  z_tsb_json_get_list(required "${facts}" required)
  z_tsb_backend_library_names(known rocm)
  z_tsb_backend_libraries(libraries rocm)
  z_tsb_json_get_each(headers "${libraries}" headers name)
  list(APPEND known ${required} ${headers})
  set(components "{}")
  file(
    GLOB files "${configs}/*/*-config.cmake" "${configs}/*/*Config.cmake" "${home}/share/cmake/*/*-config.cmake"
    "${home}/share/cmake/*/*Config.cmake"
  )
  foreach(file IN LISTS files)
    get_filename_component(place "${file}" DIRECTORY)
    get_filename_component(folder "${place}" NAME)
    get_filename_component(name "${file}" NAME)
    string(REGEX REPLACE "(-config|Config)\\.cmake$" "" name "${name}")
    if(name STREQUAL folder AND name IN_LIST known)
      set(version unknown)
      foreach(of_version IN ITEMS "${name}-config-version" "${name}ConfigVersion")
        if(EXISTS "${place}/${of_version}.cmake")
          file(STRINGS "${place}/${of_version}.cmake" line REGEX "set *\\( *PACKAGE_VERSION +\"?[0-9]")
          string(REGEX MATCH "[0-9]+(\\.[0-9]+)*" version "${line}")
        endif()
      endforeach()
      z_tsb_json_set_string(components "${name}" "${version}")
    endif()
  endforeach()
  set(${result} "${components}" PARENT_SCOPE)
endfunction()

# z_tsb_rocm_version(<result> <home>): of its header; nothing when there is none.
function(z_tsb_rocm_version result home)
  set(numbers "")
  set(header "${home}/include/rocm-core/rocm_version.h")
  foreach(part IN ITEMS MAJOR MINOR PATCH)
    set(line "")
    if(EXISTS "${header}")
      file(STRINGS "${header}" line REGEX "^ *# *define +ROCM_VERSION_${part} +[0-9]+" LIMIT_COUNT 1)
    endif()
    string(REGEX MATCH "[0-9]+ *$" number "${line}")
    string(STRIP "${number}" number)
    list(APPEND numbers ${number})
  endforeach()
  list(JOIN numbers "." version)
  set(${result} "${version}" PARENT_SCOPE)
endfunction()

# z_tsb_rocm_clang_of_distribution(<home>): sets clangs and libraries, whose first ones are taken, and clang_name.
# hipcc starts the clang that it was made with: of several the newest that has device libraries beside it, or the newest
# where none has. HIP_CLANG_PATH names another.
function(z_tsb_rocm_clang_of_distribution home)
  set(clang_name "its clang")
  file(GLOB clangs "${home}/lib/llvm-*/bin/clang++" "${home}/lib64/rocm/llvm/bin/clang++")
  list(SORT clangs COMPARE NATURAL ORDER DESCENDING)
  if(NOT "$ENV{HIP_CLANG_PATH}" STREQUAL "")
    set(clang_name "clang++ in HIP_CLANG_PATH, which is $ENV{HIP_CLANG_PATH}")
    set(clangs "")
    if(IS_ABSOLUTE "$ENV{HIP_CLANG_PATH}")
      file(GLOB clangs "$ENV{HIP_CLANG_PATH}/clang++")
    endif()
  endif()
  set(libraries "")
  foreach(clang IN LISTS clangs)
    file(REAL_PATH "${clang}" real) # /usr/bin may have links
    get_filename_component(llvm "${real}/../.." ABSOLUTE)
    file(GLOB libraries "${llvm}/lib/clang/*/amdgcn/bitcode/ocml.bc" "${llvm}/lib/clang/*/lib/amdgcn/bitcode/ocml.bc")
    if(libraries)
      set(clangs "${clang}")
      break()
    endif()
  endforeach()
  if(NOT libraries)
    file(
      GLOB libraries "${home}/lib/*/amdgcn/bitcode/ocml.bc" "${home}/lib/clang/*/amdgcn/bitcode/ocml.bc"
      "${home}/lib/clang/*/lib/amdgcn/bitcode/ocml.bc"
    )
  endif()
  list(SORT libraries COMPARE NATURAL ORDER DESCENDING)
  foreach(variable IN ITEMS clangs libraries clang_name)
    set(${variable} "${${variable}}" PARENT_SCOPE)
  endforeach()
endfunction()

# z_tsb_describe_rocm_toolkit(<result> <home> <layout>): the object, without found_by.
function(z_tsb_describe_rocm_toolkit result home layout)
  z_tsb_rocm_version(version "${home}")
  set(hipcc "${home}/bin/hipcc")
  set(clang_name "its clang")
  if(layout STREQUAL "standard")
    file(GLOB clangs "${home}/llvm/bin/clang++" "${home}/lib/llvm/bin/clang++")
    file(GLOB libraries "${home}/amdgcn/bitcode/ocml.bc" "${home}/lib/llvm/lib/clang/*/lib/amdgcn/bitcode/ocml.bc")
    file(GLOB configs "${home}/lib/cmake/hip")
  else()
    z_tsb_rocm_clang_of_distribution("${home}")
    file(GLOB configs "${home}/lib/*/cmake/hip" "${home}/lib64/cmake/hip" "${home}/lib/cmake/hip")
  endif()
  set(faults "")
  foreach(
    pair IN ITEMS "version=include/rocm-core/rocm_version.h" "clangs=${clang_name}"
                  "libraries=the device libraries (ocml.bc)" "configs=the folder cmake/hip"
  )
    string(REGEX MATCH "^([a-z]+)=(.*)$" ignored "${pair}")
    if("${${CMAKE_MATCH_1}}" STREQUAL "")
      list(APPEND faults "${CMAKE_MATCH_2}")
    else()
      list(GET ${CMAKE_MATCH_1} 0 ${CMAKE_MATCH_1})
    endif()
  endforeach()
  if(NOT EXISTS "${hipcc}")
    list(APPEND faults "bin/hipcc")
  endif()
  list(JOIN faults ", " fault)
  if(faults)
    string(PREPEND fault "it lacks ")
  endif()
  get_filename_component(clang "${clangs}" DIRECTORY)
  get_filename_component(device_libraries "${libraries}" DIRECTORY)
  get_filename_component(configs "${configs}" DIRECTORY)
  z_tsb_rocm_components(components "${configs}" "${home}")
  set(toolkit "{\"components\": ${components}}")
  get_filename_component(lib "${configs}" DIRECTORY)
  file(
    GLOB kernels RELATIVE "${lib}" "${lib}/rocblas/library" "${lib}/rocblas/[0-9]*/library" "${lib}/hipblaslt/library"
  )
  z_tsb_json_set_array(toolkit kernels ${kernels})
  foreach(member IN ITEMS layout home version hipcc clang device_libraries configs fault)
    z_tsb_json_set_string(toolkit ${member} "${${member}}")
  endforeach()
  set(${result} "${toolkit}" PARENT_SCOPE)
endfunction()

function(tsb_find_rocm_toolkits result)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ROOT" "")
  file(GLOB folders "${arg_ROOT}/opt/rocm-*")
  list(SORT folders COMPARE NATURAL ORDER DESCENDING)
  list(TRANSFORM folders PREPEND "/opt=")
  file(REAL_PATH "${arg_ROOT}/usr" distribution)

  set(toolkits "[]")
  set(count 0)
  set(seen "")
  foreach(
    pair IN ITEMS "ROCM_PATH=$ENV{ROCM_PATH}" "/opt=${arg_ROOT}/opt/rocm" ${folders} "distribution=${arg_ROOT}/usr"
  )
    string(REGEX MATCH "^([^=]*)=(.*)$" ignored "${pair}")
    set(way "${CMAKE_MATCH_1}")
    set(folder "${CMAKE_MATCH_2}")
    set(fault "")
    set(real "${way}")
    if(folder STREQUAL "")
      continue() # no ROCM_PATH
    elseif(NOT IS_ABSOLUTE "${folder}" OR folder MATCHES ";")
      set(fault "it is not the absolute path of one folder")
    elseif(EXISTS "${folder}/bin/hipcc" OR EXISTS "${folder}/include/rocm-core")
      get_filename_component(folder "${folder}" ABSOLUTE)
      file(REAL_PATH "${folder}" real)
    elseif(NOT way STREQUAL "ROCM_PATH")
      continue()
    endif()
    if(real IN_LIST seen)
      continue()
    endif()
    list(APPEND seen "${real}")
    set(layout standard)
    if(real STREQUAL distribution)
      set(layout distribution)
    endif()
    z_tsb_describe_rocm_toolkit(toolkit "${folder}" ${layout})
    z_tsb_json_set_string(toolkit found_by "${way}")
    if(fault)
      z_tsb_json_set_string(toolkit fault "${fault}")
    endif()
    string(JSON toolkits SET "${toolkits}" ${count} "${toolkit}")
    math(EXPR count "${count} + 1")
  endforeach()
  set(${result} "${toolkits}" PARENT_SCOPE)
endfunction()
