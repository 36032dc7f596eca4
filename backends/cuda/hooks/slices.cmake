# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/detail/z_tsb_json.cmake)

# z_tsb_native_gpus(<out-var>): the architectures of this machine's GPUs, "8.6,9.0"; empty without one.
function(z_tsb_native_gpus out)
  execute_process(
    COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
    OUTPUT_VARIABLE lines
    ERROR_QUIET
    RESULT_VARIABLE result
  )
  string(REGEX MATCHALL "[0-9]+\\.[0-9]" gpus "${lines}")
  if(NOT result EQUAL 0)
    set(gpus "")
  endif()
  list(REMOVE_DUPLICATES gpus)
  list(SORT gpus COMPARE NATURAL)
  list(JOIN gpus "," gpus)
  set(${out} "${gpus}" PARENT_SCOPE)
endfunction()

# What TSB_CUDA_SLICES asks for. The setting has an entry for each artifact, with ';' or blanks between: a GPU's
# architecture, several with ',' between, or `native`; with +PTX also the code that newer GPUs compile for themselves.
# Errors: an entry that is none, or that is there twice; `native` on a machine without a GPU.
function(z_tsb_cuda_slices out)
  string(REGEX REPLACE "[ ;\t]+" ";" entries "${TSB_CUDA_SLICES}")
  list(REMOVE_ITEM entries "")
  set(answer [[{"error": "", "slices": []}]])
  set(names "")
  foreach(entry IN LISTS entries)
    set(gpus "${entry}")
    if(entry STREQUAL "native")
      z_tsb_native_gpus(gpus)
    endif()
    string(REPLACE "," ";" archs "${gpus}")
    set(name "${archs}")
    list(TRANSFORM name REPLACE "^([0-9]+)\\.([0-9])" "sm\\1\\2")
    list(TRANSFORM name REPLACE "\\+PTX$" "ptx")
    list(JOIN name "." name)
    set(error "")
    if(gpus STREQUAL "")
      set(error "has native, and nvidia-smi names no GPU of this machine\n  write its architecture, such as 8.6")
    elseif(NOT gpus MATCHES "^[0-9]+\\.[0-9](\\+PTX)?(,[0-9]+\\.[0-9](\\+PTX)?)*$")
      set(error "has '${entry}', which is not an architecture of a GPU\n")
      string(APPEND error "  write native, or major.minor such as 8.6, 9.0+PTX, or 8.6,9.0 for both in one")
    elseif(name IN_LIST names)
      set(error "has ${entry} twice\n  take one out")
    endif()
    if(error)
      z_tsb_json_set_string(answer error "  TSB_CUDA_SLICES ${error}")
      break()
    endif()
    set(slice "{}")
    z_tsb_json_set_string(slice name ${name})
    z_tsb_json_set_array(slice archs ${archs})
    list(LENGTH names index)
    string(JSON answer SET "${answer}" slices ${index} "${slice}")
    list(APPEND names ${name})
  endforeach()
  set(${out} "${answer}" PARENT_SCOPE)
endfunction()
