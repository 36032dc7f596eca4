# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_check_cuda_layout(<error> <folder> <host compiler>): what nvcc in this folder would run (nvcc --dryrun) and does
# not lie in it: "ptxas of /usr/local/bin". Only the host compiler and rm may. Empty when everything is in order.
function(z_tsb_check_cuda_layout error folder host_compiler)
  # No NVCC_APPEND_FLAGS of the caller's: packages get none of it either.
  execute_process(
    COMMAND env -i "PATH=$ENV{PATH}" "${folder}/bin/nvcc" --dryrun -ccbin "${host_compiler}" -x cu /dev/null -o
            /dev/null
    RESULT_VARIABLE status
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
  )
  if(NOT status EQUAL 0)
    string(STRIP "${output}" output)
    string(REGEX REPLACE "^.*\n" "" last "${output}")
    set(${error} "nvcc --dryrun fails: ${last}" PARENT_SCOPE)
    return()
  endif()
  set(path "")
  if(output MATCHES "#\\$ PATH=([^\n]*)")
    string(REPLACE ":" ";" path "${CMAKE_MATCH_1}")
  endif()
  set(cicc_path "")
  if(output MATCHES "#\\$ CICC_PATH=([^\n]*)")
    set(cicc_path "${CMAKE_MATCH_1}")
  endif()
  file(REAL_PATH "${folder}" real_folder)
  set(foreign "")
  # Lines with a program, the parts of whose name may be in quotation marks.
  string(REGEX MATCHALL "#\\$ (\"[^\"\n]*\"|[^\" \n=])+ " commands "${output}")
  foreach(command IN LISTS commands)
    string(REGEX REPLACE "^#\\$ (.*) $" "\\1" program "${command}")
    string(REPLACE "\"" "" program "${program}")
    string(REPLACE "$CICC_PATH" "${cicc_path}" program "${program}")
    get_filename_component(name "${program}" NAME)
    if(program STREQUAL "rm" OR program STREQUAL host_compiler)
      continue()
    elseif(program STREQUAL name)
      set(program "")
      foreach(one IN LISTS path)
        if(program STREQUAL "" AND EXISTS "${one}/${name}")
          set(program "${one}/${name}")
        endif()
      endforeach()
    endif()
    get_filename_component(from "${program}" DIRECTORY)
    get_filename_component(from "${from}" REALPATH)
    if(NOT EXISTS "${program}")
      list(APPEND foreign "${name}, which does not exist")
    elseif(NOT from STREQUAL "${real_folder}/bin" AND NOT from STREQUAL "${real_folder}/nvvm/bin")
      list(APPEND foreign "${name} of ${from}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES foreign)
  list(JOIN foreign "; " foreign)
  if(NOT foreign STREQUAL "")
    set(foreign "nvcc would run ${foreign}")
  endif()
  set(${error} "${foreign}" PARENT_SCOPE)
endfunction()
