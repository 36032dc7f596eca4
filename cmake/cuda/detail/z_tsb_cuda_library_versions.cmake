# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../detail/z_tsb_json.cmake)

# z_tsb_cuda_library_versions(<result> <home> <include folders> <library folders>): a JSON object of the versions of a
# toolkit's libraries, each read off the first of these that has it: version.json of NVIDIA's installers; the name of
# the shared library's file (libcublas.so.12.4.5.8); for nvrtc its own text; the header. What none of them says is left
# out.
function(z_tsb_cuda_library_versions result home includes libraries)
  # Name here, member of version.json, library, header, prefix of the header's macros MAJOR, MINOR, PATCH, BUILD.
  set(
    table
    "cudart|cuda_cudart|cudart|cuda_runtime_api.h|CUDART_VERSION"
    "nvrtc|cuda_nvrtc|nvrtc||"
    "cublas|libcublas|cublas|cublas_api.h|CUBLAS_VER_"
    "cufft|libcufft|cufft|cufft.h|CUFFT_VER_"
    "curand|libcurand|curand|curand.h|CURAND_VER_"
    "cusolver|libcusolver|cusolver|cusolver_common.h|CUSOLVER_VER_"
    "cusparse|libcusparse|cusparse|cusparse.h|CUSPARSE_VER_"
    "nvjitlink|libnvjitlink|nvJitLink||"
    "cupti|cuda_cupti|cupti||"
  )
  set(versions "{}")
  set(stated "{}")
  if(EXISTS "${home}/version.json")
    file(READ "${home}/version.json" stated)
  endif()
  foreach(row IN LISTS table)
    string(REPLACE "|" ";" row "${row}")
    list(POP_FRONT row name member library header macros)
    z_tsb_json_get(version "${stated}" ${member} version)
    foreach(folder IN LISTS libraries)
      get_filename_component(real "${folder}/lib${library}.so" REALPATH)
      if(NOT EXISTS "${real}")
        file(GLOB found LIST_DIRECTORIES false "${folder}/lib${library}.so.*")
        list(POP_FRONT found real)
        get_filename_component(real "${real}" REALPATH)
      endif()
      # cuPTI's file is named by its year.
      if(version STREQUAL "" AND real MATCHES "\\.so\\.([0-9]+(\\.[0-9]+)+)$" AND NOT name STREQUAL "cupti")
        set(version "${CMAKE_MATCH_1}")
      elseif(version STREQUAL "" AND name STREQUAL "nvrtc" AND EXISTS "${real}")
        execute_process(
          COMMAND grep -a -o -m 1 "Cuda compilation tools, release [0-9.]*, V[0-9.]*" "${real}" OUTPUT_VARIABLE text
          ERROR_QUIET
        )
        if(text MATCHES "V([0-9.]+)")
          set(version "${CMAKE_MATCH_1}")
        endif()
      endif()
    endforeach()
    foreach(folder IN LISTS includes)
      if(version STREQUAL "" AND header AND EXISTS "${folder}/${header}")
        file(STRINGS "${folder}/${header}" lines REGEX "^ *# *define +${macros}")
        if(lines MATCHES "CUDART_VERSION +([0-9]+)")
          math(EXPR major "${CMAKE_MATCH_1} / 1000")
          math(EXPR minor "${CMAKE_MATCH_1} % 1000 / 10")
          set(version "${major}.${minor}")
        elseif(lines MATCHES "MAJOR +([0-9]+)")
          set(version "${CMAKE_MATCH_1}")
          foreach(part IN ITEMS MINOR PATCH BUILD)
            if(lines MATCHES "${part} +([0-9]+)")
              string(APPEND version ".${CMAKE_MATCH_1}")
            endif()
          endforeach()
        endif()
      endif()
    endforeach()
    if(NOT version STREQUAL "")
      z_tsb_json_set_string(versions ${name} "${version}")
    endif()
  endforeach()
  set(${result} "${versions}" PARENT_SCOPE)
endfunction()
