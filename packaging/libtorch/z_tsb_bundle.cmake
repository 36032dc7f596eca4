# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_bundle(<artifact json> <root of a tree> <report> [<option>...]): `torchpkg bundle` on <root>, copying what the
# libraries need for an artifact with deps, and only setting the RPATH for one without.
function(z_tsb_bundle artifact root report)
  z_tsb_json_get(build_folder "${artifact}" build_folder)
  file(READ "${build_folder}/settings.json" settings)
  z_tsb_json_get(torchpkg "${settings}" torchpkg)
  z_tsb_json_get(deps "${artifact}" deps)
  set(mode --rename)
  if(deps STREQUAL "without-deps")
    set(mode --rpath-only)
  endif()
  z_tsb_json_get(soname_version "${artifact}" soname_version)
  if(soname_version)
    list(APPEND mode --soname-version "${soname_version}")
  endif()
  execute_process(
    COMMAND "${torchpkg}" bundle --root "${root}" ${mode} --report "${report}" ${ARGN}
    RESULT_VARIABLE result
  )
  if(NOT result EQUAL 0)
    tsb_fail("cannot bundle the libraries that libtorch needs" "the reason stands above")
  endif()
endfunction()
