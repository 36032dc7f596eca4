# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../detail/z_tsb_json.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_cuda_library_versions.cmake)

# z_tsb_real_nvcc(<result> <nvcc>): the program that an nvcc really is, or nothing. nvcc looks for its parts by the
# profile beside it, so that is what the real one is known by; others are scripts or a compiler cache that start it.
function(z_tsb_real_nvcc result nvcc)
  set(${result} "" PARENT_SCOPE)
  if(NOT EXISTS "${nvcc}")
    return()
  endif()
  get_filename_component(real "${nvcc}" REALPATH)
  get_filename_component(given "${nvcc}" ABSOLUTE)
  get_filename_component(bin "${given}" DIRECTORY)
  get_filename_component(prefix "${bin}" DIRECTORY)
  set(candidates "${real}" "${prefix}/lib/nvidia-cuda-toolkit/bin/nvcc")
  foreach(candidate IN LISTS candidates)
    get_filename_component(folder "${candidate}" DIRECTORY)
    # In an unpacked package the profile is a link to a file of /etc, which need not be there.
    if(EXISTS "${candidate}" AND (EXISTS "${folder}/nvcc.profile" OR IS_SYMLINK "${folder}/nvcc.profile"))
      get_filename_component(real "${candidate}" REALPATH)
      set(${result} "${real}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  execute_process(
    COMMAND "${nvcc}" --dryrun -x cu /dev/null
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
  )
  if(output MATCHES "#\\$ TOP=([^\n]+)")
    get_filename_component(real "${CMAKE_MATCH_1}/bin/nvcc" REALPATH)
    if(EXISTS "${real}.profile")
      set(${result} "${real}" PARENT_SCOPE)
    endif()
  endif()
endfunction()

# z_tsb_existing_folders(<result> <folder>...): those that exist, links resolved, each once.
function(z_tsb_existing_folders result)
  set(folders "")
  foreach(folder IN LISTS ARGN)
    if(IS_DIRECTORY "${folder}")
      get_filename_component(folder "${folder}" REALPATH)
      list(APPEND folders "${folder}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES folders)
  set(${result} "${folders}" PARENT_SCOPE)
endfunction()

# z_tsb_cuda_tool_faults(<result> <nvcc's version> <cicc> <include folders> <folders of programs>...): what is missing or
# belongs to another version. nvcc takes what it does not find beside itself from the PATH, of whatever version that is.
function(z_tsb_cuda_tool_faults result version cicc includes)
  set(faults "")
  string(REGEX MATCH "^[0-9]+\\.[0-9]+" release "${version}")
  # The last three are packages of their own, which may be missing; a compile needs none of them.
  foreach(
    tool
    IN
    ITEMS ptxas fatbinary cudafe++ nvlink bin2c cuobjdump nvdisasm nvprune
  )
    unset(tool_path)
    find_program(tool_path ${tool} PATHS ${ARGN} NO_DEFAULT_PATH NO_CACHE)
    if(NOT tool_path AND NOT tool MATCHES "^(cuobjdump|nvdisasm|nvprune)$")
      list(APPEND faults "it lacks ${tool}")
    elseif(tool_path)
      execute_process(COMMAND "${tool_path}" --version OUTPUT_VARIABLE output ERROR_VARIABLE output)
      string(REGEX MATCH "V[0-9]+\\.[0-9]+[0-9.]*" of_tool "${output}")
      if(of_tool STREQUAL "")
        list(APPEND faults "its ${tool} (${tool_path}) does not run")
      elseif(NOT of_tool MATCHES "^V${release}(\\.|$)")
        list(APPEND faults "its ${tool} (${tool_path}) is ${of_tool}")
      endif()
    endif()
  endforeach()
  # cicc does not tell its version, but has it inside.
  if(EXISTS "${cicc}")
    execute_process(
      COMMAND grep -a -o -m 1 "Cuda compilation tools, release [0-9.]*, V[0-9.]*" "${cicc}"
      OUTPUT_VARIABLE output
      OUTPUT_STRIP_TRAILING_WHITESPACE
      ERROR_QUIET
    )
    string(REGEX MATCH "V[0-9.]+$" of_tool "${output}")
    if(NOT of_tool STREQUAL "" AND NOT of_tool MATCHES "^V${release}(\\.|$)")
      list(APPEND faults "its cicc (${cicc}) is ${of_tool}")
    endif()
  endif()
  unset(header_path)
  find_file(header_path cuda_runtime_api.h PATHS ${includes} NO_DEFAULT_PATH NO_CACHE)
  if(header_path)
    file(STRINGS "${header_path}" line REGEX "^ *# *define +CUDART_VERSION +[0-9]+" LIMIT_COUNT 1)
    if(line MATCHES "([0-9]+)[^0-9]*$")
      math(EXPR major "${CMAKE_MATCH_1} / 1000")
      math(EXPR minor "${CMAKE_MATCH_1} % 1000 / 10")
      if(NOT release STREQUAL "${major}.${minor}")
        list(APPEND faults "its header ${header_path} is ${major}.${minor}")
      endif()
    endif()
  endif()
  set(${result} "${faults}" PARENT_SCOPE)
endfunction()

# z_tsb_describe_cuda_toolkit(<result> <real nvcc>): the toolkit that this nvcc belongs to, as the JSON object that
# tsb_find_cuda_toolkits() describes (without found_by). What it lacks to compile anything is its "fault".
function(z_tsb_describe_cuda_toolkit result nvcc)
  get_filename_component(bin "${nvcc}" DIRECTORY)
  get_filename_component(home "${bin}" DIRECTORY)
  set(targets "${home}/targets/x86_64-linux")
  set(programs "${bin}")
  set(cicc "${home}/nvvm/bin/cicc")
  set(libdevice "${home}/nvvm/libdevice")
  if(home MATCHES "^(.*)/lib/nvidia-cuda-toolkit$")
    set(layout distribution)
    set(home "${CMAKE_MATCH_1}")
    list(APPEND programs "${home}/bin")
    set(cicc "${bin}/cicc")
    set(libdevice "${home}/lib/nvidia-cuda-toolkit/libdevice")
    set(includes "${home}/include")
    file(GLOB libraries "${home}/lib/*/libcudart*")
    list(TRANSFORM libraries REPLACE "/[^/]*$" "")
    list(REMOVE_DUPLICATES libraries)
    foreach(folder IN LISTS libraries)
      list(APPEND libraries "${folder}/stubs")
    endforeach()
  elseif(EXISTS "${targets}/include/cuda_runtime.h" AND NOT EXISTS "${home}/include/cuda_runtime.h")
    set(layout conda)
    set(includes "${targets}/include")
    set(libraries "${targets}/lib" "${targets}/lib/stubs" "${home}/nvvm/lib64")
  else()
    set(layout standard)
    if(home MATCHES "/nvidia/cu[0-9]+$")
      set(layout pip)
    endif()
    set(includes "${home}/include" "${home}/extras/CUPTI/include" "${home}/nvvm/include")
    set(
      libraries
      "${home}/lib64"
      "${home}/lib"
      "${home}/lib64/stubs"
      "${home}/lib/stubs"
      "${home}/extras/CUPTI/lib64"
      "${home}/nvvm/lib64"
    )
  endif()
  z_tsb_existing_folders(programs ${programs})
  z_tsb_existing_folders(includes ${includes})
  z_tsb_existing_folders(libraries ${libraries})

  execute_process(COMMAND "${nvcc}" --version OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(version "")
  if(output MATCHES "release [0-9.]+, V([0-9]+\\.[0-9.]+)")
    set(version "${CMAKE_MATCH_1}")
  endif()

  set(faults "")
  if(version STREQUAL "")
    list(APPEND faults "its nvcc does not run")
  endif()
  foreach(file IN ITEMS "${cicc}" "${libdevice}/libdevice.10.bc")
    if(NOT EXISTS "${file}")
      list(APPEND faults "it lacks ${file}")
    endif()
  endforeach()
  if(NOT version STREQUAL "")
    z_tsb_cuda_tool_faults(more "${version}" "${cicc}" "${includes}" ${programs})
    list(APPEND faults ${more})
  endif()
  foreach(header IN ITEMS cuda_runtime.h crt/host_config.h)
    find_file(path_${header} ${header} PATHS ${includes} NO_DEFAULT_PATH NO_CACHE)
    if(NOT path_${header})
      list(APPEND faults "it lacks the header ${header}")
    endif()
  endforeach()
  find_file(cudart NAMES libcudart_static.a libcudart.so PATHS ${libraries} NO_DEFAULT_PATH NO_CACHE)
  if(NOT cudart)
    list(APPEND faults "it lacks the library cudart")
  endif()
  list(JOIN faults ", " fault)

  z_tsb_cuda_library_versions(versions "${home}" "${includes}" "${libraries}")
  set(toolkit "{\"nvvm\": {}, \"library_versions\": ${versions}}")
  foreach(
    member
    IN
    ITEMS layout home version nvcc fault
  )
    z_tsb_json_set_string(toolkit ${member} "${${member}}")
  endforeach()
  z_tsb_json_set_array(toolkit programs ${programs})
  z_tsb_json_set_array(toolkit include ${includes})
  z_tsb_json_set_array(toolkit libraries ${libraries})
  foreach(member IN ITEMS cicc libdevice)
    z_tsb_json_quote(value "${${member}}")
    string(JSON toolkit SET "${toolkit}" nvvm ${member} "${value}")
  endforeach()
  set(${result} "${toolkit}" PARENT_SCOPE)
endfunction()

# z_tsb_describe_pip_without_nvcc(<result> <site folder>): the same for the packages of CUDA 11 and 12 that pip lays
# out, one folder for each. None of them has nvcc, so this is never a toolkit to build with; it is described to be
# named.
function(z_tsb_describe_pip_without_nvcc result site)
  file(GLOB includes "${site}/nvidia/*/include")
  file(GLOB libraries "${site}/nvidia/*/lib")
  file(GLOB programs "${site}/nvidia/cuda_nvcc/bin")
  file(GLOB infos "${site}/nvidia_cuda_nvcc_cu1?-*.dist-info" "${site}/nvidia_cuda_runtime_cu1?-*.dist-info")
  set(version "")
  if(infos MATCHES "_cu1[0-9]-([0-9.]+)\\.dist-info")
    set(version "${CMAKE_MATCH_1}")
  endif()
  z_tsb_cuda_library_versions(versions "${site}/nvidia" "${includes}" "${libraries}")
  set(toolkit "{\"layout\": \"pip\", \"nvcc\": \"\", \"nvvm\": {\"cicc\": \"\"}, \"library_versions\": ${versions}}")
  z_tsb_json_set_string(toolkit home "${site}/nvidia")
  z_tsb_json_set_string(toolkit version "${version}")
  z_tsb_json_set_string(toolkit fault "the packages of CUDA 11 and 12 for pip have no nvcc")
  z_tsb_json_set_array(toolkit programs ${programs})
  z_tsb_json_set_array(toolkit include ${includes})
  z_tsb_json_set_array(toolkit libraries ${libraries})
  z_tsb_json_quote(value "${site}/nvidia/cuda_nvcc/nvvm/libdevice")
  string(JSON toolkit SET "${toolkit}" nvvm libdevice "${value}")
  set(${result} "${toolkit}" PARENT_SCOPE)
endfunction()
