# SPDX-License-Identifier: BSD-3-Clause
include_guard()
include("${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_host.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json_get_or.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_transfer.cmake")
#[[.rst:
z_tsb_provider_python_index
---------------------------

Lets pip download one wheel from the Python package index that the machine is configured for. pip gets the pinned hash
too, so that it takes no other file of that version. Any Python's pip can download a wheel for one CPython: it is asked
for by the tags in the file's name.
#]]

# z_tsb_wheel_target(<out-var> <file name>): pip's options for a wheel that is tied to one CPython; else empty.
function(z_tsb_wheel_target out file)
  set(options "")
  if(file MATCHES "-cp([0-9])([0-9]+)-([a-z0-9]+)-([^-]+)\\.whl$")
    list(APPEND options --implementation cp --python-version ${CMAKE_MATCH_1}.${CMAKE_MATCH_2} --abi ${CMAKE_MATCH_3})
    string(REPLACE "." ";" platforms "${CMAKE_MATCH_4}")
    foreach(platform IN LISTS platforms)
      list(APPEND options --platform ${platform})
    endforeach()
  endif()
  set(${out} "${options}" PARENT_SCOPE)
endfunction()

function(z_tsb_provider_python_index out_reason out_from name candidate download file)
  z_tsb_json_get_or(project "${candidate}" "" python-index project)
  z_tsb_json_get_or(version "${candidate}" "" python-index version)
  z_tsb_json_get_or(wheel "${candidate}" "" python-index file)
  z_tsb_json_get_or(sha256 "${download}" "" sha256)
  set(${out_from} "${project}==${version}" PARENT_SCOPE)
  z_tsb_unreachable_get(reason "python-index")
  if(reason)
    set(${out_reason} "${reason}" PARENT_SCOPE)
    return()
  endif()
  set(folder "${TSB_RUN}/pip/${name}")
  file(REMOVE_RECURSE "${folder}")
  file(WRITE "${folder}/requirements.txt" "${project}==${version} --hash=sha256:${sha256}\n")
  z_tsb_wheel_target(target "${wheel}")
  execute_process(
    COMMAND
      "${CMAKE_COMMAND}" -E env LC_ALL=C PYTHONWARNINGS=ignore "${TSB_PYTHON}" -m pip download --no-deps
      --only-binary=:all: --require-hashes --no-cache-dir --no-input --quiet --disable-pip-version-check --timeout 10
      --retries 1 ${target} --dest "${folder}" --requirement "${folder}/requirements.txt"
    RESULT_VARIABLE code
    OUTPUT_VARIABLE output
    ERROR_VARIABLE error
  )
  set(reason "")
  if(NOT code EQUAL 0)
    if("${output}${error}" MATCHES "No module named pip|no such file|No such file")
      set(reason "pip is not installed for ${TSB_PYTHON}")
      z_tsb_unreachable_set("python-index" "${reason}")
    elseif(
      "${output}${error}"
      MATCHES
      "NewConnectionError|ConnectTimeout|NameResolutionError|ProxyError|Max retries|CERTIFICATE_VERIFY_FAILED|suitable TLS CA"
    )
      z_tsb_transfer_error(reason "https://the index" "${output}${error}")
      if(NOT reason)
        set(reason "the index cannot be reached")
      endif()
      z_tsb_unreachable_set("python-index" "${reason}")
    elseif("${output}${error}" MATCHES "HASHES|hashes")
      set(reason "the index has another file: its sha256 is not ${sha256}")
    else()
      set(reason "the index has no ${project} ${version} for this machine")
    endif()
  elseif(NOT EXISTS "${folder}/${wheel}")
    set(reason "pip did not download ${wheel}")
  else()
    file(COPY_FILE "${folder}/${wheel}" "${file}.part")
  endif()
  file(REMOVE_RECURSE "${folder}")
  set(${out_reason} "${reason}" PARENT_SCOPE)
endfunction()
