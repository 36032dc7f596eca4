# SPDX-License-Identifier: BSD-3-Clause
get_filename_component(prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
add_library(torch UNKNOWN IMPORTED)
file(GLOB library "${prefix}/lib/libtorch.so" "${prefix}/lib/libtorch.a")
set_target_properties(torch PROPERTIES IMPORTED_LOCATION "${library}" INTERFACE_INCLUDE_DIRECTORIES "${prefix}/include")
set(TORCH_LIBRARIES torch)
