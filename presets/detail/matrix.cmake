# SPDX-License-Identifier: BSD-3-Clause
# Reads presets/matrix.json: what is in it, and what follows from a row.

# The value at a path of members, or an empty string.
function(z_tsb_matrix_get result json)
  string(JSON value ERROR_VARIABLE error GET "${json}" ${ARGN})
  if(error)
    set(value "")
  endif()
  set(${result} "${value}" PARENT_SCOPE)
endfunction()

# The names of the backends, in the order of the matrix.
function(z_tsb_matrix_names result matrix)
  set(names)
  string(JSON count LENGTH "${matrix}" backends)
  math(EXPR last "${count} - 1")
  foreach(index RANGE ${last})
    string(JSON name GET "${matrix}" backends ${index} name)
    if(NOT name MATCHES "^(cpu|cu[0-9][0-9][0-9]|rocm[0-9]+\\.[0-9]+)$")
      message(FATAL_ERROR "presets/matrix.json: \"${name}\" is no backend: cpu, cu124, rocm6.2 would be")
    endif()
    list(APPEND names ${name})
  endforeach()
  set(${result} ${names} PARENT_SCOPE)
endfunction()

# The JSON object of one backend.
function(z_tsb_matrix_backend result matrix name)
  z_tsb_matrix_names(names "${matrix}")
  list(FIND names ${name} index)
  string(JSON backend GET "${matrix}" backends ${index})
  set(${result} "${backend}" PARENT_SCOPE)
endfunction()

# Fails unless the value of a row's member is one that the matrix knows. Gives the value.
function(
  z_tsb_matrix_row_value
  result
  matrix
  backend_name
  row
  member
)
  z_tsb_matrix_get(value "${row}" ${member})
  if(member STREQUAL "python")
    string(JSON known GET "${matrix}" pythons)
    string(FIND "${known}" "\"${value}\"" position)
  else()
    set(table_of_product products)
    set(table_of_linkage linkages)
    set(table_of_deps deps)
    set(table_of_blas blases)
    string(JSON known GET "${matrix}" ${table_of_${member}})
    string(FIND "${known}" "\"${value}\" :" position)
  endif()
  if("${value}" STREQUAL "" OR position EQUAL -1)
    string(REGEX REPLACE "[ \r\n]+" " " row "${row}")
    message(
      FATAL_ERROR
      "presets/matrix.json: backend ${backend_name}: ${member} \"${value}\" is not in the matrix: ${row}"
    )
  endif()
  set(${result} ${value} PARENT_SCOPE)
endfunction()

# What follows from row <index> of a backend: <prefix>_name, _blas, _artifacts (of "all": empty), _title, _description.
function(z_tsb_matrix_row prefix matrix backend index)
  string(JSON backend_name GET "${backend}" name)
  string(JSON backend_title GET "${backend}" title)
  string(JSON row GET "${backend}" presets ${index})
  z_tsb_matrix_row_value(product "${matrix}" ${backend_name} "${row}" product)
  string(JSON title GET "${matrix}" products ${product} title)
  string(JSON description GET "${matrix}" products ${product} description)

  set(name ${backend_name}-${product})
  set(artifact ${product})
  if(product STREQUAL "libtorch")
    z_tsb_matrix_row_value(linkage "${matrix}" ${backend_name} "${row}" linkage)
    z_tsb_matrix_row_value(deps "${matrix}" ${backend_name} "${row}" deps)
    string(JSON linkage_text GET "${matrix}" linkages ${linkage})
    string(JSON deps_text GET "${matrix}" deps ${deps})
    string(APPEND name -${linkage})
    if(deps STREQUAL "without-deps")
      string(APPEND name -without-deps)
    endif()
    string(APPEND artifact -${linkage}-${deps})
    string(APPEND title ", ${linkage}, ${deps}")
    string(APPEND description "; ${linkage_text}; ${deps_text}")
  elseif(product STREQUAL "all")
    set(artifact "")
  else()
    z_tsb_matrix_row_value(python "${matrix}" ${backend_name} "${row}" python)
    string(REPLACE "." "" tag "${python}")
    string(APPEND name -py${tag})
    string(APPEND artifact -py${tag})
    if(product STREQUAL "conda")
      list(PREPEND artifact conda-libtorch) # which it needs
    endif()
    string(APPEND title " for Python ${python}")
    string(APPEND description " for Python ${python}")
  endif()

  # Another BLAS than the backend's is another compile, with a name of its own.
  z_tsb_matrix_default(default_blas "${matrix}" "${backend}" blas)
  z_tsb_matrix_get(blas "${row}" blas)
  if("${blas}" STREQUAL "")
    set(blas ${default_blas})
  else()
    z_tsb_matrix_row_value(blas "${matrix}" ${backend_name} "${row}" blas)
  endif()
  if(NOT blas STREQUAL default_blas)
    string(JSON blas_text GET "${matrix}" blases ${blas})
    string(APPEND name -${blas})
    string(APPEND title ", ${blas_text}")
    string(APPEND description "; ${blas_text} for BLAS and LAPACK")
  endif()

  set(${prefix}_name "${name}" PARENT_SCOPE)
  set(${prefix}_blas "${blas}" PARENT_SCOPE)
  set(${prefix}_artifacts "${artifact}" PARENT_SCOPE)
  set(${prefix}_title "${backend_title}: ${title}" PARENT_SCOPE)
  set(${prefix}_description "${description}" PARENT_SCOPE)
endfunction()

# The number of a backend's rows, less one, and the artifacts of all its rows that one compile gives.
function(z_tsb_matrix_rows last_result artifacts_result matrix backend)
  string(JSON count LENGTH "${backend}" presets)
  math(EXPR last "${count} - 1")
  set(artifacts)
  z_tsb_matrix_default(blas "${matrix}" "${backend}" blas)
  foreach(index RANGE ${last})
    z_tsb_matrix_row(row "${matrix}" "${backend}" ${index})
    if(row_blas STREQUAL blas)
      list(APPEND artifacts ${row_artifacts})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES artifacts)
  set(${last_result} ${last} PARENT_SCOPE)
  set(${artifacts_result} "${artifacts}" PARENT_SCOPE)
endfunction()

# PyTorch's version for a backend: its own, or the matrix's; the same for blas.
function(z_tsb_matrix_default result matrix backend member)
  z_tsb_matrix_get(value "${backend}" ${member})
  if("${value}" STREQUAL "")
    string(JSON value GET "${matrix}" ${member})
  endif()
  set(${result} "${value}" PARENT_SCOPE)
endfunction()

# The presets as a Markdown table.
function(z_tsb_matrix_table result matrix)
  set(table "| preset | what it makes |\n|---|---|\n")
  z_tsb_matrix_names(names "${matrix}")
  foreach(name IN LISTS names)
    z_tsb_matrix_backend(backend "${matrix}" ${name})
    z_tsb_matrix_default(pytorch "${matrix}" "${backend}" pytorch)
    z_tsb_matrix_rows(last artifacts "${matrix}" "${backend}")
    foreach(index RANGE ${last})
      z_tsb_matrix_row(row "${matrix}" "${backend}" ${index})
      string(APPEND table "| `${row_name}` | PyTorch ${pytorch}, ${row_title}. ${row_description}. |\n")
    endforeach()
  endforeach()
  set(${result} "${table}" PARENT_SCOPE)
endfunction()
