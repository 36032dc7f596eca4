# SPDX-License-Identifier: BSD-3-Clause
# tsb_step: when a step runs, and what its stamp says.
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
include("${TSB_SOURCE_DIR}/cmake/step/tsb_step.cmake")
set(TSB_STEPS "${TSB_TEST_DIR}/steps")
set(made "${TSB_TEST_DIR}/made.txt")
set(folder "${TSB_TEST_DIR}/folder")
file(WRITE "${folder}/one.txt" "one\n")
file(WRITE "${TSB_TEST_DIR}/file.txt" "file\n")
set(value "first; \"quoted\"")
set(order value file)

function(make_it)
  file(WRITE "${made}" "${value}\n")
  set(outputs "${made}" "${folder}" PARENT_SCOPE)
endfunction()

# runs(<what> <ON|OFF>): the step runs, or does not.
function(runs what expected)
  set(inputs "")
  foreach(kind IN LISTS order)
    if(kind STREQUAL "value")
      z_tsb_step_value(inputs "a value" "${value}")
    else()
      z_tsb_step_file(inputs "a file" "${TSB_TEST_DIR}/file.txt")
    endif()
  endforeach()
  z_tsb_step_files(inputs "below" "${TSB_TEST_DIR}" "${folder}")
  z_tsb_step_after(inputs someone earlier)
  tsb_step(ran me it INPUTS "${inputs}" COMMAND make_it)
  tsb_expect("runs: ${what}" EQUAL "${ran}" ${expected})
  set(inputs "${inputs}" PARENT_SCOPE)
endfunction()

# due(<words>): why the step is due.
function(due words)
  z_tsb_step_due(why me it "${inputs}")
  tsb_expect("why it is due" EQUAL "${why}" "${words}")
endfunction()

runs("the first time" ON)
runs("again" OFF)
due("")
file(READ "${TSB_STEPS}/me/it.json" stamp)
foreach(
  expected IN ITEMS "a value=first; \"quoted\"" "someone earlier=not finished"
                    "below\tfolder/one.txt=2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806"
)
  string(REGEX MATCH "^([^=]+)=(.*)$" ignored "${expected}")
  string(JSON found GET "${stamp}" inputs "${CMAKE_MATCH_1}")
  tsb_expect("${CMAKE_MATCH_1} in the stamp" EQUAL "${found}" "${CMAKE_MATCH_2}")
endforeach()
string(JSON found GET "${stamp}" outputs "${folder}")
tsb_expect("an output that is a folder" EQUAL "${found}" present)
set(order file value)
runs("the same inputs in another order" OFF)

# A power cut leaves a stamp without its content, or with a part of it.
foreach(damage IN ITEMS "" "{\"inputs\": {}" "{\"inputs\": {}}")
  file(WRITE "${TSB_STEPS}/me/it.json" "${damage}")
  due("it has not finished yet")
  z_tsb_step_lost(lost me it)
  tsb_expect("what is lost" EQUAL "${lost}" "${TSB_STEPS}/me/it.json is damaged")
  runs("the stamp is '${damage}'" ON)
endforeach()

# Inputs.
set(value second)
runs("another value" ON)
file(WRITE "${TSB_TEST_DIR}/file.txt" "another\n")
runs("another file" ON)
execute_process(COMMAND touch -d 2001-01-01 "${TSB_TEST_DIR}/file.txt" "${made}")
runs("files of another time" OFF)
file(WRITE "${folder}/two.txt" "two\n")
runs("one file more in a folder" ON)
file(REMOVE "${TSB_TEST_DIR}/file.txt")
runs("a file that is gone" ON)
z_tsb_step_done(someone earlier "")
runs("an earlier step that has finished" ON)
z_tsb_step_begin(someone earlier)
z_tsb_step_done(someone earlier "")
runs("an earlier step that has made the same again" ON)
runs("nothing more" OFF)

# Outputs.
file(APPEND "${made}" "by another hand\n")
due("${made} has changed since it was made")
runs("another output" ON)
file(REMOVE "${made}")
due("${made} does not exist")
runs("no output" ON)
file(RENAME "${folder}" "${folder} elsewhere")
file(MAKE_DIRECTORY "${folder}")
runs("an empty folder, which was an input too" ON)

# The content of large files is looked at once, as long as it is the same file.
set(large "${TSB_TEST_DIR}/large")
execute_process(COMMAND truncate -s 20M "${large}" COMMAND_ERROR_IS_FATAL ANY)
z_tsb_step_hash(first "${large}")
file(GLOB memory "${TSB_STEPS}/hashes/*")
file(READ "${memory}" text)
string(REPLACE "${first}" "0123" text "${text}")
file(WRITE "${memory}" "${text}")
z_tsb_step_hash(second "${large}")
tsb_expect("the hash that was remembered" EQUAL "${second}" 0123)
execute_process(COMMAND sh -c "printf x >>\"$0\"" "${large}" COMMAND_ERROR_IS_FATAL ANY)
z_tsb_step_hash(third "${large}")
file(SHA256 "${large}" expected)
tsb_expect("the hash of a changed file" EQUAL "${third}" "${expected}")
# Written over, or another file in its place, of the same size and with the same time.
foreach(
  command IN ITEMS "printf y | dd of=\"$1\" conv=notrunc 2>&1"
                   "cp \"$1\" \"$1.new\" && printf z | dd of=\"$1.new\" conv=notrunc 2>&1 && mv \"$1.new\" \"$1\""
)
  execute_process(
    COMMAND sh -c "touch -r \"$1\" \"$1.time\" && ${command} && touch -r \"$1.time\" \"$1\"" sh "${large}"
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY
  )
  z_tsb_step_hash(swapped "${large}")
  file(SHA256 "${large}" expected)
  tsb_expect("the hash of a swapped file" EQUAL "${swapped}" "${expected}")
endforeach()

# A step that ends in between leaves no stamp.
file(
  WRITE "${TSB_TEST_DIR}/fails.cmake"
  "include(\"${TSB_SOURCE_DIR}/cmake/step/tsb_step.cmake\")
set(TSB_STEPS \"${TSB_STEPS}\")
function(fail)
  message(FATAL_ERROR \"no\")
endfunction()
tsb_step(ran me it INPUTS \"\" COMMAND fail)\n"
)
execute_process(COMMAND "${CMAKE_COMMAND}" -P "${TSB_TEST_DIR}/fails.cmake" RESULT_VARIABLE code ERROR_QUIET)
tsb_expect("end of the step" EQUAL "${code}" 1)
tsb_expect("its stamp" ABSENT "${TSB_STEPS}/me/it.json")
due("it has not finished yet")
