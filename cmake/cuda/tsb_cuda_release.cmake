# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_cuda_release
----------------

What upstream builds a release of PyTorch with for a version of CUDA, from its ``release.json``. ::

  tsb_cuda_release(<prefix> <PyTorch's version> <CUDA's version>)

Sets for the caller:

``<prefix>_ARCHS``
  The architectures of the official packages: ``5.0;6.0;...;9.0``, the last one perhaps with ``+PTX``.
``<prefix>_CUDNN``, ``<prefix>_CUSPARSELT``
  Their versions in the official packages; cuSPARSELt's is empty where it is not known.
``<prefix>_EXPERIMENTAL``
  True where upstream calls the combination experimental.
``<prefix>_DRIVER``, ``<prefix>_LOWEST_DRIVER``
  The driver that came with this CUDA, and the lowest one that runs programs made with it (minor-version compatibility).
``<prefix>_ERROR``
  Two lines when upstream does not support the combination, what is wrong and what to do; else empty. The others but the
  drivers are empty then.

``tsb_cuda_newest_release(<result> <CUDA's version>)`` gives the newest release here that supports it, or nothing.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_list_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../release/tsb_read_release.cmake)

# z_tsb_cuda_facts(<result>): the text of backends/cuda/versions.json.
function(z_tsb_cuda_facts result)
  file(READ "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../backends/cuda/versions.json" facts)
  set(${result} "${facts}" PARENT_SCOPE)
endfunction()

# z_tsb_cuda_supporting(<result> <CUDA's version>): the releases here that support it, newest first.
function(z_tsb_cuda_supporting result cuda)
  set(supporting "")
  tsb_list_data(versions releases)
  foreach(version IN LISTS versions)
    tsb_read_release(release ${version})
    z_tsb_json_get(entry "${release}" backends cuda ${cuda})
    if(NOT entry STREQUAL "")
      list(APPEND supporting ${version})
    endif()
  endforeach()
  set(${result} "${supporting}" PARENT_SCOPE)
endfunction()

# z_tsb_in_words(<result> <word>...): "a, b and c".
function(z_tsb_in_words result)
  set(words ${ARGN})
  list(POP_BACK words last)
  list(JOIN words ", " text)
  if(NOT text STREQUAL "")
    string(APPEND text " and ")
  endif()
  set(${result} "${text}${last}" PARENT_SCOPE)
endfunction()

function(tsb_cuda_newest_release result cuda)
  z_tsb_cuda_supporting(versions ${cuda})
  list(POP_FRONT versions newest)
  set(${result} "${newest}" PARENT_SCOPE)
endfunction()

function(tsb_cuda_release prefix pytorch cuda)
  z_tsb_cuda_facts(facts)
  tsb_read_release(release "${pytorch}")
  z_tsb_json_get_list(archs "${release}" backends cuda ${cuda} archs)
  foreach(member IN ITEMS cudnn cusparselt experimental)
    z_tsb_json_get(${member} "${release}" backends cuda ${cuda} ${member})
  endforeach()
  z_tsb_json_get(driver "${facts}" cuda ${cuda} driver)
  z_tsb_json_get(lowest_driver "${facts}" cuda ${cuda} lowest_driver)
  set(error "")
  if(archs STREQUAL "")
    z_tsb_json_members(supported "${release}" backends cuda)
    if(supported STREQUAL "")
      set(error "PyTorch ${pytorch} with CUDA ${cuda}: upstream does not build this release with CUDA")
    else()
      z_tsb_in_words(supported_text ${supported})
      set(error "PyTorch ${pytorch} with CUDA ${cuda}: upstream supports this release with CUDA ${supported_text} only")
    endif()
    z_tsb_cuda_supporting(versions ${cuda})
    if(versions STREQUAL "")
      string(APPEND error "\n  no release here goes with CUDA ${cuda}; take a preset of another CUDA")
    else()
      list(REVERSE versions)
      list(TRANSFORM versions PREPEND "PyTorch ")
      z_tsb_in_words(versions_text ${versions})
      string(APPEND error "\n  CUDA ${cuda} goes with ${versions_text}; take one of these, or a preset of another CUDA")
    endif()
  endif()
  foreach(variable IN ITEMS archs cudnn cusparselt experimental driver lowest_driver error)
    string(TOUPPER ${variable} name)
    set(${prefix}_${name} "${${variable}}" PARENT_SCOPE)
  endforeach()
endfunction()
