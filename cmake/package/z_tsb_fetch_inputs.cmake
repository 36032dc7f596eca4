# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../model/tsb_read_record.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../step/tsb_step.cmake)

# z_tsb_fetch_inputs(<out-var> <build folder>): inputs of the step `sources fetch`, among them what lies in the source
# cache for sources that were missing: somebody may put a file there.
function(z_tsb_fetch_inputs out build_folder)
  tsb_read_record("${build_folder}/fetch/request.json" request)
  if(TSB_OFFLINE) # as the fetch that would run now
    set(request_offline ON)
  endif()
  unset(request_mirrors) # request_mirrors_shown has them
  set(inputs "")
  z_tsb_step_record(inputs request)
  z_tsb_step_file(inputs "pinned sources" "${request_pins}")
  if(request_pins_hook)
    z_tsb_step_file(inputs "hook for pins" "${request_pins_hook}")
  endif()
  if(EXISTS "${build_folder}/fetch/result.json")
    tsb_read_record("${build_folder}/fetch/result.json" result)
    foreach(name IN LISTS result_sources)
      if("${result_sources_${name}_status}" STREQUAL "missing")
        file(GLOB files RELATIVE "${request_cache}/${name}" "${request_cache}/${name}/*/*")
        z_tsb_step_value(inputs "missing ${name}: files in the cache" "${files}")
      endif()
    endforeach()
  endif()
  set(${out} "${inputs}" PARENT_SCOPE)
endfunction()
