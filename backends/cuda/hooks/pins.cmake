# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/z_tsb_pins_for_archs.cmake)

function(z_tsb_cuda_pins out backend pins)
  z_tsb_json_get_list(archs "${backend}" configured archs)
  z_tsb_pins_for_archs(pins "${pins}" ${archs})
  set(${out} "${pins}" PARENT_SCOPE)
endfunction()
