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

What is not known is empty. Errors: those of :command:`tsb_read_data`, for the members that CUDA adds.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/detail/z_tsb_json.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/release/tsb_read_release.cmake)

# z_tsb_cuda_facts(<result>): the text of versions.json.
function(z_tsb_cuda_facts result)
  file(READ "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../versions.json" facts)
  set(${result} "${facts}" PARENT_SCOPE)
endfunction()

function(tsb_cuda_release prefix pytorch cuda)
  z_tsb_cuda_facts(facts)
  tsb_read_release(release "${pytorch}")
  set(file "releases/${pytorch}/release.json")
  set(general STRING cuda.heavy_sources? ARRAY cuda.arch_letters? cuda.additional_archs? OBJECT cuda?)
  z_tsb_check_members("${release}" "${file}" ${general})
  z_tsb_json_get(entry "${release}" backends cuda ${cuda})
  z_tsb_check_members("${entry}" "${file}: CUDA ${cuda}" STRING cudnn? cusparselt? ARRAY archs? BOOLEAN experimental?)
  z_tsb_json_get_list(archs "${entry}" archs)
  z_tsb_json_take(entry cudnn cusparselt experimental)
  z_tsb_json_get(driver "${facts}" cuda ${cuda} driver)
  z_tsb_json_get(lowest_driver "${facts}" cuda ${cuda} lowest_driver)
  foreach(variable IN ITEMS archs cudnn cusparselt experimental driver lowest_driver)
    string(TOUPPER ${variable} name)
    set(${prefix}_${name} "${${variable}}" PARENT_SCOPE)
  endforeach()
endfunction()
