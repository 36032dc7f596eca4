# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../backend/z_tsb_backend_packages.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../tools/z_tsb_run_python.cmake)

# z_tsb_conda_hash_input(<out-var>): what tells this build from others of the same version: the fingerprint of package
# pytorch stands for sources, options and compiler.
function(z_tsb_conda_hash_input out)
  tsb_read_record("${artifact_build_folder}/packages/pytorch/manifest.json" pytorch)
  set(json "{}")
  z_tsb_json_set_string(json target_platform "${artifact_target_conda_subdir}")
  z_tsb_json_set_string(json backend "${artifact_backend_name}")
  z_tsb_json_set_string(json fingerprint "${pytorch_fingerprint}")
  set(${out} "${json}" PARENT_SCOPE)
endfunction()

# z_tsb_conda_build_string(<out-var> <Python or nothing>): "cpu_mkl_h0123456_0" or "cuda124_mkl_h0123456_200", with
# "_py311" for pytorch, and with "_sm90" for a slice, which a spec such as libtorch=*=*sm90* chooses. Every package of
# one compile has the same hash in it.
#
# A client takes the highest build number of those that it can install. As with conda-forge's packages, who has a driver
# for CUDA gets the package for CUDA out of a channel that has both.
function(z_tsb_conda_build_string out python)
  set(blas "${artifact_blas}")
  if(artifact_slice_name)
    string(APPEND blas "_${artifact_slice_name}")
  endif()
  z_tsb_conda_hash_input(input)
  string(SHA256 hash "${input}")
  string(SUBSTRING "${hash}" 0 7 hash)
  if(python)
    string(REPLACE "." "" python "_py${python}")
  endif()
  set(
    ${out} "${artifact_backend_conda_name}_${blas}${python}_h${hash}_${artifact_backend_conda_build_number}"
    PARENT_SCOPE
  )
endfunction()

# z_tsb_conda_depends(<out-var> <tree> [<METADATA> <Python>]): what conda packages the libraries below <tree> need of
# their host and of the backend, as far as their symbols tell, and what METADATA requires.
function(z_tsb_conda_depends out tree)
  z_tsb_run_python(packages "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/depends.py" "${tree}" ${ARGN})
  if(NOT result EQUAL 0)
    tsb_fail("cannot determine what the package of ${tree} depends on" "see the message above")
  endif()
  string(REGEX MATCHALL "[^\n]+" packages "${packages}")
  tsb_ask_backend(of_backend artifact_backend conda "${packages}")
  if(of_backend)
    set(packages "${of_backend}")
  endif()
  set(${out} "${packages}" PARENT_SCOPE)
endfunction()

# z_tsb_conda_metadata(<info folder> NAME <name> BUILD <string> SUMMARY <text> DEPENDS <spec>... RUN_EXPORTS <spec>...):
# info/ but for what pack_conda.py writes.
function(z_tsb_conda_metadata folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME;BUILD;SUMMARY" "DEPENDS;RUN_EXPORTS")
  z_tsb_conda_hash_input(input)
  z_tsb_run_python(
    output
    "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/conda_info.py"
    --artifact
    "${artifact_build_folder}/artifacts/${artifact_name}.json"
    --info
    "${folder}"
    --name
    ${arg_NAME}
    --build
    ${arg_BUILD}
    --summary
    "${arg_SUMMARY}"
    --hash-input
    "${input}"
    --depends
    ${arg_DEPENDS}
    --run-exports
    ${arg_RUN_EXPORTS}
  )
  if(NOT result EQUAL 0)
    tsb_fail("cannot write ${folder}" "see the message above")
  endif()
endfunction()
