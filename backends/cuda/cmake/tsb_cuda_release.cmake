# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_cuda_release
----------------

What upstream builds the release (the record ``release``, :command:`tsb_load_model`) with for a version of CUDA. ::

  tsb_cuda_release(<prefix> <CUDA's version>)

Sets for the caller:

``<prefix>_ARCHS``
  The architectures of the official packages: ``5.0;6.0;...;9.0``, the last one perhaps with ``+PTX``.
``<prefix>_CUDNN``, ``<prefix>_CUSPARSELT``
  Their versions in the official packages; cuSPARSELt's is empty where it is not known.
``<prefix>_EXPERIMENTAL``
  True where upstream calls the combination experimental.
``<prefix>_DRIVER``, ``<prefix>_LOWEST_DRIVER``
  The driver that came with this CUDA, and the lowest one that runs programs made with it (minor-version compatibility).

What is not known is empty.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/detail/z_tsb_json.cmake)

# z_tsb_cuda_facts(<result>): the text of versions.json.
function(z_tsb_cuda_facts result)
  file(READ "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../versions.json" facts)
  set(${result} "${facts}" PARENT_SCOPE)
endfunction()

function(tsb_cuda_release prefix cuda)
  z_tsb_cuda_facts(facts)
  foreach(member IN ITEMS archs cudnn cusparselt experimental)
    set(${member} "${release_backends_cuda_${cuda}_${member}}")
  endforeach()
  z_tsb_json_get(driver "${facts}" cuda ${cuda} driver)
  z_tsb_json_get(lowest_driver "${facts}" cuda ${cuda} lowest_driver)
  foreach(variable IN ITEMS archs cudnn cusparselt experimental driver lowest_driver)
    string(TOUPPER ${variable} name)
    set(${prefix}_${name} "${${variable}}" PARENT_SCOPE)
  endforeach()
endfunction()
