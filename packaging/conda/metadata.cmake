# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../backend/z_tsb_backend_packages.cmake)

# info/ of a conda package, except for what `torchpkg pack conda` writes.
# https://docs.conda.io/projects/conda-build/en/stable/resources/package-spec.html

# z_tsb_conda_json_list(<out-var> <text>...)
function(z_tsb_conda_json_list out)
  set(list "[]")
  set(index 0)
  foreach(text IN LISTS ARGN)
    z_tsb_json_quote(quoted "${text}")
    string(JSON list SET "${list}" ${index} "${quoted}")
    math(EXPR index "${index} + 1")
  endforeach()
  set(${out} "${list}" PARENT_SCOPE)
endfunction()

# z_tsb_conda_hash_input(<out-var> <artifact json>): what tells this build from others of the same version: the
# fingerprint of package pytorch stands for sources, options and compiler.
function(z_tsb_conda_hash_input out artifact)
  z_tsb_json_take(artifact build_folder)
  z_tsb_json_get(backend "${artifact}" backend name)
  file(READ "${build_folder}/packages/pytorch/manifest.json" pytorch)
  z_tsb_json_take(pytorch fingerprint)
  z_tsb_json_get(subdir "${artifact}" target conda_subdir)
  set(json "{}")
  z_tsb_json_set_string(json target_platform "${subdir}")
  z_tsb_json_set_string(json backend "${backend}")
  z_tsb_json_set_string(json fingerprint "${fingerprint}")
  set(${out} "${json}" PARENT_SCOPE)
endfunction()

# z_tsb_conda_build_string(<out-var> <artifact json> <Python or nothing>): "cpu_mkl_h0123456_0" or
# "cuda124_mkl_h0123456_200", with "_py311" for pytorch. Every package of one compile has the same hash in it.
#
# A client takes the highest build number of those that it can install. As with conda-forge's packages, who has a driver
# for CUDA gets the package for CUDA out of a channel that has both.
function(z_tsb_conda_build_string out artifact python)
  z_tsb_json_take(artifact backend blas)
  z_tsb_json_take(backend conda_name conda_build_number)
  z_tsb_conda_hash_input(input "${artifact}")
  string(SHA256 hash "${input}")
  string(SUBSTRING "${hash}" 0 7 hash)
  if(python)
    string(REPLACE "." "" python "_py${python}")
  endif()
  set(${out} "${conda_name}_${blas}${python}_h${hash}_${conda_build_number}" PARENT_SCOPE)
endfunction()

# z_tsb_conda_host_packages(<out-var> <artifact json> <tree>): what conda packages the libraries below <tree> need of
# their host, as far as their symbols tell, and of the backend.
function(z_tsb_conda_host_packages out artifact tree)
  z_tsb_json_take(artifact build_folder)
  file(READ "${build_folder}/settings.json" settings)
  z_tsb_json_take(settings torchpkg)
  execute_process(COMMAND "${torchpkg}" inspect --json "${tree}" OUTPUT_VARIABLE json COMMAND_ERROR_IS_FATAL ANY)
  z_tsb_json_get_list(packages "${json}" conda_host_packages)
  z_tsb_json_take(artifact backend)
  tsb_ask_backend(of_backend "${backend}" conda "${artifact}" "${packages}")
  if(of_backend)
    set(packages "${of_backend}")
  endif()
  set(${out} "${packages}" PARENT_SCOPE)
endfunction()

# z_tsb_conda_metadata(<artifact json> <info folder> NAME <name> BUILD <string> SUMMARY <text> DEPENDS <spec>...
# RUN_EXPORTS <spec>...)
function(z_tsb_conda_metadata artifact folder)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "NAME;BUILD;SUMMARY" "DEPENDS;RUN_EXPORTS")
  z_tsb_json_get(release "${artifact}" release version)
  z_tsb_json_get(number "${artifact}" backend conda_build_number)
  set(index "{\"platform\": \"linux\", \"build_number\": ${number}, \"license_family\": \"BSD\"}")
  z_tsb_json_get(arch "${artifact}" target processor)
  z_tsb_json_set_string(index arch "${arch}")
  z_tsb_json_get(subdir "${artifact}" target conda_subdir)
  z_tsb_json_set_string(index subdir "${subdir}")
  set(license "BSD-3-Clause")
  z_tsb_json_set_string(index name "${arg_NAME}")
  z_tsb_json_set_string(index version "${release}")
  z_tsb_json_set_string(index build "${arg_BUILD}")
  z_tsb_json_set_string(index license "${license}")
  list(SORT arg_DEPENDS)
  z_tsb_conda_json_list(depends ${arg_DEPENDS})
  string(JSON index SET "${index}" depends "${depends}")
  z_tsb_write_file("${folder}/index.json" "${index}\n")

  set(about "{\"home\": \"https://pytorch.org\", \"dev_url\": \"https://github.com/pytorch/pytorch\"}")
  z_tsb_json_set_string(about summary "${arg_SUMMARY}")
  z_tsb_json_set_string(about license "${license}")
  file(GLOB_RECURSE licenses RELATIVE "${folder}/licenses" "${folder}/licenses/*")
  list(SORT licenses)
  z_tsb_conda_json_list(files ${licenses})
  string(JSON about SET "${about}" license_file "${files}")
  z_tsb_write_file("${folder}/about.json" "${about}\n")

  z_tsb_conda_json_list(weak ${arg_RUN_EXPORTS})
  z_tsb_write_file("${folder}/run_exports.json" "{\"weak\": ${weak}}\n")
  z_tsb_conda_hash_input(input "${artifact}")
  z_tsb_write_file("${folder}/hash_input.json" "${input}\n")
endfunction()
