# SPDX-License-Identifier: BSD-3-Clause
# Whether what is true of this machine's processor is known.
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_list_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../target/tsb_read_target.cmake)

function(tsb_doctor_check_target)
  tsb_read_target(target)
  if(target)
    z_tsb_json_take(target title)
    z_tsb_doctor_good("processor: ${title}")
    return()
  endif()
  z_tsb_processor(processor)
  tsb_list_data(known targets)
  list(TRANSFORM known REPLACE "\\.json$" "")
  list(JOIN known ", " known)
  z_tsb_doctor_problem(
    "processor: this machine's is '${processor}', and only these are known: ${known}"
    "build on one of those, or describe this one in targets/${processor}.json"
  )
endfunction()
