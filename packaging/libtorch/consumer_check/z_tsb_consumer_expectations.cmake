# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/backend/tsb_find_backend.cmake)

# z_tsb_consumer_expectations(<out-var> <libtorch folder> <name of the package>)
#
# What a package claims of itself, as options of torch_consumer; in the caller's scope `abi` becomes the C++ ABI that
# its CMake files ask for, and `linkage` shared or static. Read are build-version, TorchConfig.cmake and, where there is
# one, manifest.json:
#
#   {"deps": "with-deps", "linkage": "static", "blas": "mkl",
#    "features": {"<name>": true | "ON" | {"enabled": true}, ...},
#    "packages": [{"name": "...", "version": "...", "features": {...}}, ...]}
#
# A package named mkl or openblas tells the BLAS when "blas" does not. For each library that its backend names the
# program must see the version in it.
function(z_tsb_consumer_expectations out folder package)
  file(READ "${folder}/build-version" version)
  string(REGEX MATCH "^[0-9]+\\.[0-9]+\\.[0-9]+" version "${version}")
  set(options --expect-version "${version}")

  set(config "${folder}/share/cmake/Torch/TorchConfig.cmake")
  set(abi 1)
  if(EXISTS "${config}")
    file(STRINGS "${config}" line REGEX "_GLIBCXX_USE_CXX11_ABI=[01]" LIMIT_COUNT 1)
    if(line MATCHES "_GLIBCXX_USE_CXX11_ABI=([01])")
      set(abi ${CMAKE_MATCH_1})
    endif()
  endif()
  set(abi ${abi} PARENT_SCOPE)

  set(manifest "{}")
  if(EXISTS "${folder}/manifest.json")
    file(READ "${folder}/manifest.json" manifest)
  endif()

  z_tsb_json_get(backend "${manifest}" backend)
  tsb_find_backend(backend "${backend}")
  z_tsb_json_take(backend kind toolkit)
  z_tsb_json_get_list(of_backend "${backend}" consumer libraries)
  set(blas "")
  set(libraries "")
  z_tsb_features(features "${manifest}")
  string(JSON count ERROR_VARIABLE absent LENGTH "${manifest}" packages)
  if(absent STREQUAL "NOTFOUND" AND count GREATER 0)
    math(EXPR last "${count} - 1")
    foreach(index RANGE ${last})
      # An array, or an object whose members are named after the packages.
      string(JSON type TYPE "${manifest}" packages)
      set(key ${index})
      if(type STREQUAL "OBJECT")
        string(JSON key MEMBER "${manifest}" packages ${index})
      endif()
      string(JSON one GET "${manifest}" packages "${key}")
      z_tsb_json_take(one name)
      if(name MATCHES "^(mkl|openblas)$")
        set(blas ${name})
      endif()
      z_tsb_json_get(its_version "${one}" version)
      if(name IN_LIST of_backend AND its_version)
        list(APPEND libraries --expect-library "${name}=${its_version}")
        list(APPEND told ${name})
      endif()
      z_tsb_features(more "${one}")
      list(APPEND features ${more})
    endforeach()
  endif()
  # What was not built: it was on the machine.
  foreach(name IN LISTS of_backend)
    z_tsb_json_get(its_version "${manifest}" ${kind} versions ${name})
    if(name STREQUAL toolkit)
      z_tsb_json_get(its_version "${manifest}" ${kind} version)
    endif()
    if(its_version AND NOT name IN_LIST told)
      list(APPEND libraries --expect-library "${name}=${its_version}")
    endif()
  endforeach()
  list(APPEND options ${features} ${libraries})

  z_tsb_json_get(named "${manifest}" blas)
  if(named)
    set(blas "${named}")
  endif()
  if(blas)
    list(APPEND options --expect-blas "${blas}")
  endif()

  z_tsb_json_take(manifest linkage)
  set(linkage "${linkage}" PARENT_SCOPE)
  z_tsb_json_take(manifest deps)
  if("${deps} ${package}" MATCHES "without(-deps)?")
    # These come from the machine then.
    list(
      APPEND options --allow-library libgomp --allow-library libomp --allow-library libmkl --allow-library libopenblas
    )
    z_tsb_json_get_list(of_backend "${backend}" consumer may_load)
    foreach(library IN LISTS of_backend)
      list(APPEND options --allow-library ${library})
    endforeach()
  endif()
  set(${out} "${options}" PARENT_SCOPE)
endfunction()

# z_tsb_features(<out-var> <json>): the member "features" as options of torch_consumer.
function(z_tsb_features out json)
  set(options "")
  z_tsb_json_members(names "${json}" features)
  foreach(name IN LISTS names)
    string(JSON type TYPE "${json}" features "${name}")
    if(type STREQUAL "OBJECT")
      z_tsb_json_get(value "${json}" features "${name}" enabled)
    else()
      z_tsb_json_get(value "${json}" features "${name}")
    endif()
    if(value)
      list(APPEND options --expect-feature "${name}")
    else()
      list(APPEND options --expect-no-feature "${name}")
    endif()
  endforeach()
  set(${out} "${options}" PARENT_SCOPE)
endfunction()
