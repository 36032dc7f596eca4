# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/tsb_cuda_archs.cmake)

# z_tsb_wanted_gpus(<out-var>): TSB_CUDA_SLICES with the architectures of this machine's GPUs, "8.6,9.0", in place of
# `native`, or without it where there is none.
function(z_tsb_wanted_gpus out)
  set(wanted ${TSB_CUDA_SLICES})
  if("native" IN_LIST wanted)
    execute_process(
      COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
      OUTPUT_VARIABLE lines
      ERROR_QUIET
      RESULT_VARIABLE result
    )
    set(gpus "")
    if(result EQUAL 0)
      string(REGEX MATCHALL "[0-9]+\\.[0-9]" gpus "${lines}")
      list(JOIN gpus "," gpus)
    endif()
    list(TRANSFORM wanted REPLACE "^native$" "${gpus}")
    list(REMOVE_ITEM wanted "")
  endif()
  set(${out} "${wanted}" PARENT_SCOPE)
endfunction()

# What TSB_CUDA_SLICES asks for: an entry for each artifact, a GPU's architecture, several with ',' between, or
# `native`; with +PTX also the code that newer GPUs compile for themselves.
function(z_tsb_cuda_slices out)
  set(slices "")
  set(names "")
  z_tsb_wanted_gpus(wanted)
  foreach(gpus IN LISTS wanted)
    string(REPLACE "," ";" gpus "${gpus}")
    tsb_cuda_archs(slice_ ${gpus})
    set(name "${slice_archs}")
    list(TRANSFORM name REPLACE "^([0-9]+)\\.([0-9])" "sm\\1\\2")
    list(TRANSFORM name REPLACE "\\+PTX$" "ptx")
    list(JOIN name "." slice_name)
    if(NOT slice_name IN_LIST names) # native may be named as well
      tsb_json_object(slice slice_ TEXTS name LISTS archs)
      string(APPEND slices ",\n${slice}")
      list(APPEND names ${slice_name})
    endif()
  endforeach()
  string(REGEX REPLACE "^," "" slices "${slices}")
  set(${out} "{\"slices\": [${slices}]}" PARENT_SCOPE)
endfunction()

# z_tsb_cuda_slices_fault(<out-var>): what is wrong with TSB_CUDA_SLICES for the backend's architectures, or nothing. A
# GPU runs code of its own major version and of no higher minor one, and compiles PTX of any lower one.
function(z_tsb_cuda_slices_fault out)
  set(fault "")
  set(elsewhere "")
  list(JOIN backend_configured_archs " " made)
  z_tsb_wanted_gpus(wanted)
  list(LENGTH wanted count)
  list(LENGTH TSB_CUDA_SLICES asked)
  if(count LESS asked)
    set(fault "has native, and nvidia-smi names no GPU of this machine: write its architecture, such as 8.6")
  endif()
  string(REPLACE "," ";" wanted "${wanted}")
  foreach(arch IN LISTS wanted)
    string(REGEX REPLACE "\\+PTX$" "" gpu "${arch}")
    string(REGEX MATCH "^[0-9]+" major "${gpu}")
    if(NOT backend_prebuilt)
      set(elsewhere ", or name ${arch} in TSB_CUDA_ARCHS as well")
    endif()
    set(served OFF)
    foreach(one IN LISTS backend_configured_archs)
      string(REGEX MATCH "^([0-9]+)\\.[0-9]" number "${one}")
      if(number VERSION_LESS_EQUAL gpu AND (CMAKE_MATCH_1 EQUAL major OR one MATCHES "\\+PTX$"))
        set(served ON)
      endif()
    endforeach()
    if(NOT served)
      set(fault "has ${gpu}, but none of the compiled architectures (${made}) run on it: remove it${elsewhere}")
    elseif(arch MATCHES "PTX$" AND NOT made MATCHES "PTX")
      set(fault "has ${arch}, but what is made is for ${made}, without PTX: write ${gpu}${elsewhere}")
    endif()
  endforeach()
  set(${out} "${fault}" PARENT_SCOPE)
endfunction()
