# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
fetch_worker.cmake
------------------

Script: ``cmake -D TSB_RUN=<folder> -P fetch_worker.cmake``

One of the processes that fetch_sources.cmake starts. Each takes the next name in ``names`` that no other has taken,
fetches it and writes ``results/<name>.json``, until no name is left.
#]]
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/../detail/tsb_progress.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_fetch_source.cmake")
z_tsb_transfer_trust()

file(READ "${TSB_RUN}/request.json" request)
file(READ "${TSB_RUN}/pins.json" pins) # without what the request rules out
z_tsb_json_get_or(TSB_CACHE "${request}" "" cache)
z_tsb_json_get_or(TSB_WORK "${request}" "" work)
z_tsb_json_get_or(TSB_OFFLINE "${request}" OFF offline)
z_tsb_json_get_or(TSB_PYTHON "${request}" python3 python)
z_tsb_json_get_or(TSB_APT_ETC "${request}" /etc/apt apt_etc)
z_tsb_json_get_or(TSB_OS_RELEASE "${request}" /etc/os-release os_release)
z_tsb_json_get_list(TSB_MIRRORS "${request}" mirrors)
z_tsb_json_get_list(TSB_PROVIDERS "${request}" providers)

# Says which sources the workers are at.
function(z_tsb_fetch_say_progress)
  file(GLOB claimed RELATIVE "${TSB_RUN}/claims" "${TSB_RUN}/claims/*")
  file(GLOB done RELATIVE "${TSB_RUN}/results" "${TSB_RUN}/results/*.json")
  list(TRANSFORM done REPLACE "\\.json$" "")
  list(REMOVE_ITEM claimed ${done})
  list(JOIN claimed ", " text)
  if(text)
    string(PREPEND text "fetch: ")
  endif()
  tsb_progress("${text}")
endfunction()

file(READ "${TSB_RUN}/names" names)
foreach(name IN LISTS names)
  # The lock is held until this process ends; who comes after that finds the result.
  file(
    LOCK "${TSB_RUN}/claims/${name}"
    GUARD PROCESS
    TIMEOUT 0
    RESULT_VARIABLE taken
  )
  if(NOT taken EQUAL 0 OR EXISTS "${TSB_RUN}/results/${name}.json")
    continue()
  endif()
  z_tsb_fetch_say_progress()
  string(JSON pin GET "${pins}" sources "${name}")
  z_tsb_json_get_or(local "${request}" "" local "${name}")
  z_tsb_fetch_source(entry "${name}" "${pin}" "${local}")
  file(WRITE "${TSB_RUN}/results/${name}.new" "${entry}")
  file(RENAME "${TSB_RUN}/results/${name}.new" "${TSB_RUN}/results/${name}.json")
  z_tsb_fetch_say_progress()
endforeach()
