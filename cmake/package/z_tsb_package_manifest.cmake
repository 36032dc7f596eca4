# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_package_manifest(<out-var> <package json>)
#
# What the artifact's manifest says of one package: version, licence, fingerprint, every source with its hash and
# provider, patches with their reason, options and features.
function(z_tsb_package_manifest out package)
  file(READ "${TSB_PACKAGE_DIR}/sources.json" sources)
  z_tsb_json_get(name "${package}" name)
  z_tsb_json_get(main "${package}" source)
  z_tsb_json_get(version "${sources}" "${main}" version)
  z_tsb_json_get(license "${sources}" "${main}" license)
  z_tsb_json_get(commit "${sources}" "${main}" commit)
  z_tsb_package_fingerprint(fingerprint "${TSB_PACKAGE_DIR}")

  set(manifest "{}")
  foreach(
    member
    IN
    ITEMS name version license commit fingerprint
  )
    z_tsb_json_set_string(manifest ${member} "${${member}}")
  endforeach()

  set(list "[]")
  z_tsb_json_members(names "${sources}")
  foreach(source IN LISTS names)
    z_tsb_json_get(status "${sources}" ${source} status)
    if(NOT status STREQUAL "ok")
      continue()
    endif()
    set(entry "{}")
    z_tsb_json_set_string(entry name "${source}")
    foreach(
      member
      IN
      ITEMS version commit sha256 license provider
    )
      z_tsb_json_get(value "${sources}" ${source} ${member})
      z_tsb_json_set_string(entry ${member} "${value}")
    endforeach()
    z_tsb_json_get(value "${sources}" ${source} tree_sha256)
    if(value)
      # A folder of the user's, in the place of what is pinned.
      z_tsb_json_set_string(entry tree_sha256 "${value}")
    endif()
    string(JSON length LENGTH "${list}")
    string(JSON list SET "${list}" ${length} "${entry}")
  endforeach()
  string(JSON manifest SET "${manifest}" sources "${list}")

  set(list "[]")
  z_tsb_json_members(names "${package}" patches)
  foreach(source IN LISTS names)
    string(JSON count LENGTH "${package}" patches ${source})
    math(EXPR last "${count} - 1")
    foreach(index RANGE ${last})
      string(JSON entry GET "${package}" patches ${source} ${index})
      z_tsb_json_set_string(entry source "${source}")
      string(JSON length LENGTH "${list}")
      string(JSON list SET "${list}" ${length} "${entry}")
    endforeach()
  endforeach()
  string(JSON manifest SET "${manifest}" patches "${list}")
  foreach(kind IN ITEMS options targets)
    z_tsb_json_get(values "${package}" ${kind})
    string(JSON manifest SET "${manifest}" ${kind} "${values}")
  endforeach()

  z_tsb_package_features(features "${package}" "${sources}")
  set(table "{}")
  z_tsb_json_members(names "${features}")
  foreach(feature IN LISTS names)
    z_tsb_json_get(enabled "${features}" ${feature} enabled)
    z_tsb_json_get(reason "${features}" ${feature} reason)
    if(enabled)
      set(entry "{\"enabled\": true}")
    else()
      set(entry "{\"enabled\": false}")
      z_tsb_json_set_string(entry reason "${reason}")
    endif()
    string(JSON table SET "${table}" "${feature}" "${entry}")
  endforeach()
  string(JSON manifest SET "${manifest}" features "${table}")
  set(${out} "${manifest}" PARENT_SCOPE)
endfunction()
