# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_run_patch_scripts(): runs PATCH_SCRIPTS of the declaration on the package's source tree. Not in
# phases/patch, whose files are inputs of every package.
function(z_tsb_run_patch_scripts)
  z_tsb_expand(python "@PYTHON@")
  foreach(script IN LISTS package_patch_scripts)
    get_filename_component(name "${script}" NAME_WE)
    z_tsb_run(
      patch LOG "patch-${name}" COMMAND "${CMAKE_COMMAND}" "-DTSB_SOURCE_DIR=${TSB_PACKAGE_DIR}/source"
                                        "-DTSB_PYTHON=${python}" -P "${script}"
    )
  endforeach()
endfunction()
