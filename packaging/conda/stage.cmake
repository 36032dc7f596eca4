# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/stage_libtorch.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/stage_package.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/stage_pytorch.cmake")

# z_tsb_hard_link_tree(<from> <to>): the same files in another layout, without a second copy of them.
function(z_tsb_hard_link_tree from to)
  get_filename_component(parent "${to}" DIRECTORY)
  file(MAKE_DIRECTORY "${parent}")
  execute_process(COMMAND cp -al -- "${from}" "${to}" RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    tsb_fail("cannot lay out ${to}" "see the message above")
  endif()
endfunction()

# z_tsb_stage_conda(<stage>): <stage>/prefix, what is to lie in a prefix, with info/.
#
# Two packages, as conda-forge has them: libtorch for C++, and pytorch for each Python, which needs exactly that
# libtorch. First a tree as that of a zip or a wheel is staged, with the same libraries byte for byte, and that is what
# is checked; then it is laid out as a prefix, by hard links. MAGMA is made of its own install tree.
function(z_tsb_stage_conda stage)
  if(artifact_tree STREQUAL "package")
    z_tsb_stage_conda_package("${stage}")
  elseif(artifact_python)
    z_tsb_stage_conda_pytorch("${stage}")
  else()
    z_tsb_stage_conda_libtorch("${stage}")
  endif()
endfunction()
