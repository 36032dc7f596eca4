# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_conda_libtorch.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_conda_pytorch.cmake")

# z_tsb_stage_conda(<artifact json> <stage>): <stage>/prefix, what is to lie in a prefix, with info/.
#
# Two packages, as conda-forge has them: libtorch for C++, and pytorch for each Python, which needs exactly that libtorch.
# First a tree as that of a zip or a wheel is staged, with the same libraries byte for byte, and that is what is checked;
# then it is laid out as a prefix, by hard links.
function(z_tsb_stage_conda artifact stage)
  z_tsb_json_take(artifact python)
  if(python)
    z_tsb_conda_pytorch("${artifact}" "${stage}")
  else()
    z_tsb_conda_libtorch("${artifact}" "${stage}")
  endif()
endfunction()
