# SPDX-License-Identifier: BSD-3-Clause
# Writes the preset files' text. Written by hand rather than by string(JSON SET), which sorts the members: these
# files are read by people.

function(z_tsb_json_string result text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  set(${result} "\"${text}\"" PARENT_SCOPE)
endfunction()

# Lines of cacheVariables from the "variables" object of a backend or of a row.
function(z_tsb_render_variables result json)
  set(lines "")
  string(JSON count ERROR_VARIABLE error LENGTH "${json}" variables)
  if(NOT error AND count GREATER 0)
    math(EXPR last "${count} - 1")
    foreach(index RANGE ${last})
      string(JSON name MEMBER "${json}" variables ${index})
      string(JSON value GET "${json}" variables ${name})
      z_tsb_json_string(value "${value}")
      string(APPEND lines ",\n        \"${name}\": ${value}")
    endforeach()
  endif()
  set(${result} "${lines}" PARENT_SCOPE)
endfunction()

# The text of presets/<backend>.json.
function(z_tsb_render_backend result matrix backend_name)
  z_tsb_matrix_backend(backend "${matrix}" ${backend_name})
  z_tsb_matrix_default(pytorch "${matrix}" "${backend}" pytorch)
  z_tsb_matrix_rows(last all_artifacts "${matrix}" "${backend}")
  z_tsb_render_variables(backend_variables "${backend}")

  foreach(kind IN ITEMS configure build test package workflow)
    set(${kind} "")
  endforeach()
  set(comma "")
  foreach(index RANGE ${last})
    z_tsb_matrix_row(row "${matrix}" "${backend}" ${index})
    string(JSON row_json GET "${backend}" presets ${index})
    z_tsb_render_variables(row_variables "${row_json}")
    z_tsb_json_string(title "${row_title}")
    z_tsb_json_string(description "${row_description}. PyTorch ${pytorch}.")
    set(name ${row_name})

    string(
      APPEND
      configure
        "${comma}
    {
      \"name\": \"${name}\",
      \"inherits\": \"base\",
      \"displayName\": ${title},
      \"description\": ${description},
      \"cacheVariables\": {
        \"TSB_PRESET\": \"${name}\",
        \"TSB_BACKEND\": \"${backend_name}\",
        \"TSB_PYTORCH_VERSION\": \"${pytorch}\",
        \"TSB_BLAS\": \"${row_blas}\",
        \"TSB_ARTIFACTS\": \"${row_artifacts}\"${backend_variables}${row_variables}
      }
    }"
    )
    string(
      APPEND
      build
      "${comma}
    {\"name\": \"${name}\", \"configurePreset\": \"${name}\", \"displayName\": ${title}},
    {
      \"name\": \"${name}-check\",
      \"configurePreset\": \"${name}\",
      \"displayName\": \"Check the packed artifacts\",
      \"targets\": \"check\"
    }"
    )
    string(
      APPEND test "${comma}
    {\"name\": \"${name}\", \"inherits\": \"base\", \"configurePreset\": \"${name}\", \"displayName\": ${title}}"
    )
    string(
      APPEND
      package
      "${comma}
    {
      \"name\": \"${name}\",
      \"configurePreset\": \"${name}\",
      \"displayName\": ${title},
      \"generators\": [\"External\"]
    }"
    )
    string(
      APPEND
      workflow
      "${comma}
    {
      \"name\": \"${name}\",
      \"displayName\": ${title},
      \"description\": ${description},
      \"steps\": [
        {\"type\": \"configure\", \"name\": \"${name}\"},
        {\"type\": \"build\", \"name\": \"${name}\"},
        {\"type\": \"test\", \"name\": \"${name}\"},
        {\"type\": \"package\", \"name\": \"${name}\"},
        {\"type\": \"build\", \"name\": \"${name}-check\"}
      ]
    }"
    )
    set(comma ",")
  endforeach()

  set(
    text
    "{
  \"version\": 6,
  \"include\": [\"base.json\"]"
  )
  foreach(kind IN ITEMS configure build test package workflow)
    string(APPEND text ",\n  \"${kind}Presets\": [${${kind}}\n  ]")
  endforeach()
  string(APPEND text "\n}\n")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# The text of CMakePresets.json.
function(z_tsb_render_root result backends)
  set(
    text
    "{
  \"version\": 6,
  \"cmakeMinimumRequired\": {\"major\": 3, \"minor\": 25, \"patch\": 0},
  \"include\": ["
  )
  foreach(backend IN LISTS backends)
    string(APPEND text "\n    \"presets/${backend}.json\",")
  endforeach()
  string(APPEND text "\n    \"presets/tests.json\"\n  ]\n}\n")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()
