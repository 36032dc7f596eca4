# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_cuda_release
----------------

What upstream builds the release with for a version of CUDA: reads the records ``release`` and ``versions``
(:command:`tsb_load_model`). ::

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

function(tsb_cuda_release prefix cuda)
  foreach(member IN ITEMS archs cudnn cusparselt experimental)
    set(${member} "${release_backends_cuda_${cuda}_${member}}")
  endforeach()
  set(driver "${versions_cuda_${cuda}_driver}")
  set(lowest_driver "${versions_cuda_${cuda}_lowest_driver}")
  foreach(variable IN ITEMS archs cudnn cusparselt experimental driver lowest_driver)
    string(TOUPPER ${variable} name)
    set(${prefix}_${name} "${${variable}}" PARENT_SCOPE)
  endforeach()
endfunction()
