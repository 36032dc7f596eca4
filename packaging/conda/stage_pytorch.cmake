# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/../wheel/stage.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../z_tsb_backend_folders.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/metadata.cmake")

# z_tsb_conda_console_scripts(<dist-info> <prefix> <file>): bin/<name> for each console script, as conda-build writes
# them. What they begin with goes into <file>, too: conda puts the prefix in its place. As long as conda's own, for the
# longest prefixes.
# https://docs.conda.io/projects/conda-build/en/stable/resources/make-relocatable.html
function(z_tsb_conda_console_scripts dist_info prefix placeholder_file)
  string(REPEAT "_placehold" 24 placeholder)
  string(PREPEND placeholder "/opt/torch")
  file(WRITE "${placeholder_file}" "${placeholder}")
  file(STRINGS "${dist_info}/entry_points.txt" lines)
  set(section "")
  foreach(line IN LISTS lines)
    if(line MATCHES "^\\[(.*)\\]$")
      set(section "${CMAKE_MATCH_1}")
    elseif(section STREQUAL "console_scripts" AND line MATCHES "^([^ =]+) *= *([^ :]+):([^ :]+)$")
      set(name "${CMAKE_MATCH_1}")
      set(module "${CMAKE_MATCH_2}")
      set(function "${CMAKE_MATCH_3}")
      file(
        WRITE "${prefix}/bin/${name}" "#!${placeholder}/bin/python\nimport sys\n\nfrom ${module} import ${function}\n\n"
                                      "if __name__ == \"__main__\":\n    sys.exit(${function}())\n"
      )
      file(
        CHMOD "${prefix}/bin/${name}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
        WORLD_READ WORLD_EXECUTE
      )
    endif()
  endforeach()
endfunction()

# z_tsb_conda_set_rpath(<torch/lib of the tree> <torch/lib of the prefix> <way from there to the prefix>): what is
# loaded from torch/lib looks in <prefix>/lib first. A library that is found through a link has the link's folder for
# its $ORIGIN, so that it would not find there what it needs or opens itself; cuDNN and what is in NVIDIA's wheels look
# nowhere else (RUNPATH), the toolkit's own files have no path at all.
function(z_tsb_conda_set_rpath tree folder up)
  foreach(library IN ITEMS libtorch_python.so libshm.so libtorch_global_deps.so)
    file(REMOVE "${folder}/${library}") # a link, or hard-linked to the tree
    file(COPY_FILE "${tree}/${library}" "${folder}/${library}")
    execute_process(
      COMMAND patchelf --force-rpath --set-rpath "$ORIGIN/${up}/lib:$ORIGIN" "${folder}/${library}"
      RESULT_VARIABLE result
    )
    if(NOT result EQUAL 0)
      tsb_fail("cannot set the RPATH of ${folder}/${library}" "see the message above")
    endif()
  endforeach()
endfunction()

# z_tsb_conda_link_libraries(<torch/lib of the prefix> <stage> <prefix>): instead of libtorch's libraries, and of those
# that they take from other packages, links to <prefix>/lib, where the packages that are depended on have them.
function(z_tsb_conda_link_libraries folder stage prefix)
  tsb_read_record("${stage}/bundle.json" bundle)
  z_tsb_backend_folders(folders)
  set(others "")
  foreach(index IN LISTS bundle_host_libraries)
    set(library "${bundle_host_libraries_${index}_name}")
    list(APPEND others "${library}")
    find_file(owned "${library}" PATHS ${folders} NO_DEFAULT_PATH NO_CACHE)
    if(NOT owned AND NOT library STREQUAL "libgomp.so.1") # of _openmp_mutex
      tsb_fail(
        "no conda package is known that has ${library}"
        "name it in packaging/conda/host_packages.json, or in libraries.json of the backend"
      )
    endif()
    unset(owned)
  endforeach()
  file(GLOB libraries RELATIVE "${folder}" "${folder}/*.so" "${folder}/*.so.*")
  list(REMOVE_ITEM libraries libtorch_python.so libshm.so)
  cmake_path(RELATIVE_PATH prefix BASE_DIRECTORY "${folder}" OUTPUT_VARIABLE up)
  foreach(library IN LISTS libraries others)
    file(REMOVE "${folder}/${library}")
    file(CREATE_LINK "${up}/lib/${library}" "${folder}/${library}" SYMBOLIC)
  endforeach()
  z_tsb_conda_set_rpath("${stage}/site-packages/torch/lib" "${folder}" "${up}")
endfunction()

# z_tsb_stage_conda_pytorch(<stage>): <stage>/site-packages, as in a wheel without deps, and <stage>/prefix made of it.
function(z_tsb_stage_conda_pytorch stage)
  set(tree "${stage}/site-packages")
  set(prefix "${stage}/prefix")
  string(REGEX MATCH "[0-9]+$" minor "${artifact_python}")
  math(EXPR next "${minor} + 1")

  z_tsb_conda_build_string(libtorch_build "")
  z_tsb_conda_build_string(build "${artifact_python}")
  z_tsb_stage_wheel("${stage}" "pytorch-${artifact_conda_version}-${build}.conda")

  set(site_packages "${prefix}/lib/python${artifact_python}/site-packages")
  z_tsb_hard_link_tree("${tree}" "${site_packages}")
  z_tsb_conda_link_libraries("${site_packages}/torch/lib" "${stage}" "${prefix}")
  file(GLOB dist_info "${site_packages}/torch-*.dist-info")
  z_tsb_conda_console_scripts("${dist_info}" "${prefix}" "${stage}/placeholder.txt")
  file(REMOVE "${dist_info}/INSTALLER") # hard-linked to the tree
  file(WRITE "${dist_info}/INSTALLER" "conda\n")
  z_tsb_hard_link_tree("${dist_info}/licenses" "${prefix}/info/licenses")

  string(REGEX MATCH "^[0-9]+\\.[0-9]+" series "${artifact_release_version}")
  z_tsb_conda_metadata(
    "${prefix}/info" --tree "${tree}" --metadata "${dist_info}/METADATA" --name pytorch --build "${build}" --summary
    "PyTorch for Python ${artifact_python}" --depends "libtorch ${artifact_conda_version} ${libtorch_build}"
    "python >=${artifact_python},<3.${next}.0a0" "python_abi ${artifact_python}.* *_${artifact_python_tag}"
    --run-exports "pytorch ${series}.*" "libtorch ${series}.*"
  )
  z_tsb_bill_files("${prefix}" "${dist_info}/sboms/torch")
endfunction()
