# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_cuda_release
----------------

What upstream builds a release of PyTorch with for a version of CUDA, from ``presets/cuda.json``. ::

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

``tsb_cuda_newest_release(<result> <CUDA's version> <folder>)`` gives the release that a backend is for: the newest that
supports it and has pins below the folder (``pytorch-<version>/sources.json``), else the newest that supports it; empty
where none is known.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json.cmake)

# z_tsb_cuda_facts(<result>): the text of presets/cuda.json.
function(z_tsb_cuda_facts result)
  file(READ "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../presets/cuda.json" facts)
  set(${result} "${facts}" PARENT_SCOPE)
endfunction()

# z_tsb_cuda_supporting(<result> <facts> <CUDA's version>): newest versions of the releases that support it, newest
# first.
function(z_tsb_cuda_supporting result facts cuda)
  set(versions "")
  z_tsb_json_members(releases "${facts}" pytorch)
  foreach(release IN LISTS releases)
    z_tsb_json_get(entry "${facts}" pytorch ${release} cuda ${cuda})
    if(NOT entry STREQUAL "")
      string(JSON newest GET "${facts}" pytorch ${release} newest)
      list(APPEND versions ${newest})
    endif()
  endforeach()
  list(SORT versions COMPARE NATURAL ORDER DESCENDING)
  set(${result} "${versions}" PARENT_SCOPE)
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

function(tsb_cuda_newest_release result cuda folder)
  z_tsb_cuda_facts(facts)
  z_tsb_cuda_supporting(versions "${facts}" ${cuda})
  set(all ${versions})
  list(POP_FRONT all chosen)
  foreach(version IN LISTS versions)
    if(EXISTS "${folder}/pytorch-${version}/sources.json")
      set(chosen ${version})
      break()
    endif()
  endforeach()
  set(${result} "${chosen}" PARENT_SCOPE)
endfunction()

function(tsb_cuda_release prefix pytorch cuda)
  z_tsb_cuda_facts(facts)
  string(REGEX MATCH "^[0-9]+\\.[0-9]+" release "${pytorch}")
  z_tsb_json_get(archs "${facts}" pytorch "${release}" cuda ${cuda} archs)
  z_tsb_json_get(cudnn "${facts}" pytorch "${release}" cuda ${cuda} cudnn)
  z_tsb_json_get(cusparselt "${facts}" pytorch "${release}" cuda ${cuda} cusparselt)
  z_tsb_json_get(experimental "${facts}" pytorch "${release}" cuda ${cuda} experimental)
  z_tsb_json_get(driver "${facts}" cuda ${cuda} driver)
  z_tsb_json_get(lowest_driver "${facts}" cuda ${cuda} lowest_driver)
  set(error "")
  if(archs STREQUAL "")
    z_tsb_json_members(supported "${facts}" pytorch "${release}" cuda)
    z_tsb_cuda_supporting(versions "${facts}" ${cuda})
    list(REVERSE versions)
    list(TRANSFORM versions PREPEND "PyTorch ")
    z_tsb_in_words(versions_text ${versions})
    if(versions STREQUAL "")
      set(versions_text "no release that is known here")
    endif()
    if(supported STREQUAL "")
      set(error "PyTorch ${pytorch} with CUDA ${cuda}: what upstream supports with this release is not known here")
    else()
      z_tsb_in_words(supported_text ${supported})
      set(error "PyTorch ${pytorch} with CUDA ${cuda}: upstream supports this release with CUDA ${supported_text} only")
    endif()
    string(APPEND error "\n  CUDA ${cuda} goes with ${versions_text}; take one of these, or a preset of another CUDA")
  endif()
  foreach(variable IN ITEMS archs cudnn cusparselt experimental driver lowest_driver error)
    string(TOUPPER ${variable} name)
    set(${prefix}_${name} "${${variable}}" PARENT_SCOPE)
  endforeach()
endfunction()
