# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_hard_link_tree(<from> <to>): the same files in another layout, without a second copy of them.
function(z_tsb_hard_link_tree from to)
  get_filename_component(parent "${to}" DIRECTORY)
  file(MAKE_DIRECTORY "${parent}")
  execute_process(COMMAND cp -al -- "${from}" "${to}" RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    tsb_fail("cannot lay out ${to}" "see the message above")
  endif()
endfunction()
