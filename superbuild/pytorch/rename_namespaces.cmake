# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
rename_namespaces
-----------------

Compiles C++ namespaces of third-party libraries under names of PyTorch's own, as PyTorch does with ONNX's
(``onnx_torch``). That is for a library whose symbols must be exported, since several of PyTorch's libraries share it:
``libtorch_python`` calls the protobuf of ``libtorch_cpu``. A program may then have another protobuf of its own.

Runs inside the library's own project and PyTorch's, through ``INCLUDE``. The name is a macro: it may be no word that
the sources use for anything else.

``TSB_INPUTS``
  Has the path of the release's merged ``symbols.json``, whose member ``renamed`` counts here; optional::

    {"renamed": [{"library": "protobuf", "namespace": "google", "as": "google_torch"}]}
#]]
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/model/tsb_set_record.cmake")

function(z_tsb_rename_namespaces)
  set(file ${TSB_INPUTS})
  list(FILTER file INCLUDE REGEX "/symbols[.]json$")
  if(NOT file)
    return()
  endif()
  file(READ "${file}" json)
  tsb_set_record(symbols json)
  foreach(index IN LISTS symbols_renamed)
    add_compile_definitions("${symbols_renamed_${index}_namespace}=${symbols_renamed_${index}_as}")
  endforeach()
endfunction()

z_tsb_rename_namespaces()
