# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_step
--------

Decides whether a step is up to date, in the one way for all steps (docs/architecture.md). When it succeeds, it leaves a
stamp, ``<build folder>/steps/<owner>/<step>.json``:

.. code-block:: json

  {
    "inputs": {"options\tUSE_MKLDNN": "ON", "patch\tgloo.patch": "<SHA256>", "...": "..."},
    "outputs": {"/.../dist/torch.whl": "<SHA256>", "/.../install": "present"}
  }

.. code-block:: cmake

  tsb_step(<out-var> <owner> <step> INPUTS <inputs> [OUTPUTS <path>...] COMMAND <function>)

Runs the function if the step is not up to date, and sets the variable to ``ON``, else to ``OFF``. The function takes no
arguments and sees the caller's variables; if its outputs are known only at the end, it sets ``outputs`` in its parent
scope. ``TSB_STEPS`` must be set to the folder of the stamps.

Inputs are collected in a variable, each under its name, or its kind, a tab and its name. A kind is what programs ask
for, such as the statement; ``explain`` shows both as words:

.. code-block:: cmake

  z_tsb_step_value(<inputs-var> <name> <text>)
  z_tsb_step_file(<inputs-var> <name> <file>)
  z_tsb_step_files(<inputs-var> <kind> <base> <file or folder>...)  # the names are paths below <base>
  z_tsb_step_after(<inputs-var> <owner> <step>)                     # what an earlier step made
  z_tsb_step_record(<inputs-var> <prefix> [<member>])               # all of a record, or of one member, as the kind

Files count by the SHA256 of their content, and folders by that of each file in them. There are two exceptions, for
trees of several GB that only our own steps write: what an earlier step made counts by that step's stamp and its time,
and an output that is a folder only has to exist. Packed files are hashed, since people replace them. Hashing one takes
seconds, so the hash of a file above 16 MB is kept in ``steps/hashes/``, by what makes it the same file: size, times and
inode. Nobody sets the time of the last change of an inode, as ``touch`` sets the file's own time.

The stamp is removed before the step begins and written after everything else, so a killed step runs again. A damaged
stamp counts as none.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_write_file.cmake)

# z_tsb_step_hash(<out-var> <file>)
function(z_tsb_step_hash out file)
  set(${out} "missing" PARENT_SCOPE)
  if(NOT EXISTS "${file}")
    return()
  endif()
  file(SIZE "${file}" size)
  if(size GREATER 16000000)
    execute_process(
      COMMAND stat -L -c "%s, %y, %z, %d, %i" "${file}" OUTPUT_VARIABLE same OUTPUT_STRIP_TRAILING_WHITESPACE
    )
    string(SHA256 key "${same}")
    set(memory "${TSB_STEPS}/hashes/${key}")
    if(same AND EXISTS "${memory}")
      file(READ "${memory}" known)
      if(known MATCHES "^([0-9a-f]+) ")
        set(${out} "${CMAKE_MATCH_1}" PARENT_SCOPE)
        return()
      endif()
    endif()
  endif()
  file(SHA256 "${file}" hash)
  if(size GREATER 16000000)
    z_tsb_write_file("${memory}" "${hash} ${file}\n")
  endif()
  set(${out} "${hash}" PARENT_SCOPE)
endfunction()

function(z_tsb_step_value z_tsb_variable name text)
  z_tsb_json_quote(z_tsb_name "${name}")
  z_tsb_json_quote(z_tsb_text "${text}")
  set(z_tsb_inputs "${${z_tsb_variable}}")
  if(NOT z_tsb_inputs STREQUAL "")
    string(APPEND z_tsb_inputs ",\n")
  endif()
  set(${z_tsb_variable} "${z_tsb_inputs}${z_tsb_name}: ${z_tsb_text}" PARENT_SCOPE)
endfunction()

function(z_tsb_step_file z_tsb_variable name file)
  z_tsb_step_hash(z_tsb_hash "${file}")
  z_tsb_step_value(${z_tsb_variable} "${name}" "${z_tsb_hash}")
  set(${z_tsb_variable} "${${z_tsb_variable}}" PARENT_SCOPE)
endfunction()

function(z_tsb_step_files z_tsb_variable kind base)
  foreach(z_tsb_path IN LISTS ARGN)
    set(z_tsb_files "${z_tsb_path}")
    if(IS_DIRECTORY "${z_tsb_path}")
      file(GLOB_RECURSE z_tsb_files LIST_DIRECTORIES OFF "${z_tsb_path}/*")
    endif()
    foreach(z_tsb_file IN LISTS z_tsb_files)
      file(RELATIVE_PATH z_tsb_name "${base}" "${z_tsb_file}")
      z_tsb_step_file(${z_tsb_variable} "${kind}\t${z_tsb_name}" "${z_tsb_file}")
    endforeach()
  endforeach()
  set(${z_tsb_variable} "${${z_tsb_variable}}" PARENT_SCOPE)
endfunction()

function(z_tsb_step_after z_tsb_variable owner step)
  set(z_tsb_text "not finished")
  set(z_tsb_stamp "${TSB_STEPS}/${owner}/${step}.json")
  if(EXISTS "${z_tsb_stamp}")
    file(SHA256 "${z_tsb_stamp}" z_tsb_text)
    file(TIMESTAMP "${z_tsb_stamp}" z_tsb_time "%Y-%m-%d %H:%M:%S.%f" UTC)
    string(APPEND z_tsb_text ", made ${z_tsb_time}")
  endif()
  z_tsb_step_value(${z_tsb_variable} "${owner} ${step}" "${z_tsb_text}")
  set(${z_tsb_variable} "${${z_tsb_variable}}" PARENT_SCOPE)
endfunction()

function(z_tsb_step_record z_tsb_variable prefix)
  set(z_tsb_label "")
  if(ARGN)
    set(z_tsb_label "${ARGN}\t")
    string(APPEND prefix "_${ARGN}")
  endif()
  get_cmake_property(z_tsb_names VARIABLES)
  list(FILTER z_tsb_names INCLUDE REGEX "^${prefix}_")
  list(REMOVE_ITEM z_tsb_names ${prefix}_members) # each has a value of its own
  foreach(z_tsb_name IN LISTS z_tsb_names)
    string(REGEX REPLACE "^${prefix}_" "${z_tsb_label}" z_tsb_part "${z_tsb_name}")
    z_tsb_step_value(${z_tsb_variable} "${z_tsb_part}" "${${z_tsb_name}}")
  endforeach()
  set(${z_tsb_variable} "${${z_tsb_variable}}" PARENT_SCOPE)
endfunction()

# z_tsb_step_json(<out-var> <inputs>): the inputs as a JSON object, the same in whatever order they were gathered.
function(z_tsb_step_json out inputs)
  string(JSON json SET "{}" inputs "{${inputs}}")
  string(JSON json GET "${json}" inputs)
  set(${out} "${json}" PARENT_SCOPE)
endfunction()

# z_tsb_step_stamp(<out-var> <owner> <step>): its stamp; empty when there is none, or when a power cut has left it
# without its content.
function(z_tsb_step_stamp out owner step)
  set(${out} "" PARENT_SCOPE)
  if(EXISTS "${TSB_STEPS}/${owner}/${step}.json")
    file(READ "${TSB_STEPS}/${owner}/${step}.json" stamp)
    string(JSON inputs ERROR_VARIABLE no_inputs TYPE "${stamp}" inputs)
    string(JSON outputs ERROR_VARIABLE no_outputs TYPE "${stamp}" outputs)
    if("${inputs} ${outputs}" STREQUAL "OBJECT OBJECT")
      set(${out} "${stamp}" PARENT_SCOPE)
    endif()
  endif()
endfunction()

# z_tsb_step_outputs(<out-var> <owner> <step>): the paths in its stamp.
function(z_tsb_step_outputs out owner step)
  set(paths "")
  z_tsb_step_stamp(stamp "${owner}" "${step}")
  if(stamp)
    z_tsb_json_members(paths "${stamp}" outputs)
  endif()
  set(${out} "${paths}" PARENT_SCOPE)
endfunction()
# z_tsb_step_lost(<out-var> <owner> <step>): which output is gone or is another one, in words; empty when all is there.
function(z_tsb_step_lost out owner step)
  set(${out} "" PARENT_SCOPE)
  z_tsb_step_outputs(paths "${owner}" "${step}")
  z_tsb_step_stamp(stamp "${owner}" "${step}")
  if(NOT stamp AND EXISTS "${TSB_STEPS}/${owner}/${step}.json")
    set(${out} "${TSB_STEPS}/${owner}/${step}.json is damaged" PARENT_SCOPE)
    return()
  endif()
  foreach(path IN LISTS paths)
    string(JSON recorded GET "${stamp}" outputs "${path}")
    if(NOT EXISTS "${path}")
      set(${out} "${path} does not exist" PARENT_SCOPE)
      return()
    elseif(NOT recorded STREQUAL "present")
      z_tsb_step_hash(hash "${path}")
      if(NOT hash STREQUAL recorded)
        set(${out} "${path} has changed since it was made" PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
endfunction()

# z_tsb_step_due(<out-var> <owner> <step> <inputs>): why the step has to run, in words; empty when it is up to date.
function(z_tsb_step_due out owner step inputs)
  z_tsb_step_stamp(stamp "${owner}" "${step}")
  if(NOT stamp)
    set(${out} "it has not finished yet" PARENT_SCOPE)
    return()
  endif()
  z_tsb_json_get(recorded "${stamp}" inputs)
  z_tsb_step_json(now "${inputs}")
  if(NOT recorded STREQUAL now)
    set(${out} "its inputs have changed" PARENT_SCOPE)
    return()
  endif()
  z_tsb_step_lost(lost "${owner}" "${step}")
  set(${out} "${lost}" PARENT_SCOPE)
endfunction()

# z_tsb_step_begin(<owner> <step>...)
function(z_tsb_step_begin owner)
  foreach(step IN LISTS ARGN)
    file(REMOVE "${TSB_STEPS}/${owner}/${step}.json")
  endforeach()
endfunction()

# z_tsb_step_done(<owner> <step> <inputs> [PRESENT <path>...] [<path>...]): writes the stamp, with these outputs.
# PRESENT: files that others may write as well.
function(z_tsb_step_done owner step inputs)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "" "PRESENT")
  set(outputs "")
  foreach(path IN LISTS arg_UNPARSED_ARGUMENTS arg_PRESENT)
    set(state present)
    if(NOT IS_DIRECTORY "${path}" AND NOT path IN_LIST arg_PRESENT)
      z_tsb_step_hash(state "${path}")
    endif()
    if(EXISTS "${path}")
      z_tsb_step_value(outputs "${path}" "${state}")
    endif()
  endforeach()
  string(JSON stamp SET "{}" inputs "{${inputs}}")
  string(JSON stamp SET "${stamp}" outputs "{${outputs}}")
  z_tsb_write_file("${TSB_STEPS}/${owner}/${step}.json" "${stamp}\n")
endfunction()

function(tsb_step out owner step)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "INPUTS;COMMAND" "OUTPUTS")
  z_tsb_step_due(why "${owner}" "${step}" "${arg_INPUTS}")
  if(why STREQUAL "")
    set(${out} OFF PARENT_SCOPE)
    return()
  endif()
  message(STATUS "${owner} ${step}")
  z_tsb_step_begin("${owner}" "${step}")
  set(outputs "${arg_OUTPUTS}")
  cmake_language(CALL ${arg_COMMAND})
  z_tsb_step_done("${owner}" "${step}" "${arg_INPUTS}" ${outputs})
  set(${out} ON PARENT_SCOPE)
endfunction()
