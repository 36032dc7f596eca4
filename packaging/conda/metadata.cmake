# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/python/tsb_call_python.cmake)

# z_tsb_conda_build_string(<out-var> <Python or nothing>): "cpu_mkl_h0123456_0" or "cuda124_mkl_h0123456_200", with
# "_py311" for pytorch, with "_sm90" for a slice and "_mycompany.1" for TSB_VERSION_SUFFIX, which specs such as
# libtorch=*=*sm90* choose. Every package of one compile has the same hash in it, of what info/hash_input.json says.
# MAGMA's, which has the backend in its name, is "h0123456_200".
#
# A client takes the highest build number of those that it can install. As with conda-forge's packages, who has a driver
# for CUDA gets the package for CUDA out of a channel that has both.
function(z_tsb_conda_build_string out python)
  set(of pytorch)
  set(words ${artifact_backend_conda_name} ${artifact_blas})
  if(artifact_tree STREQUAL "package")
    set(of ${artifact_package})
    set(words "")
  endif()
  tsb_read_record("${artifact_build_folder}/packages/${of}/manifest.json" main)
  string(SHA256 hash "${artifact_target_conda_subdir} ${artifact_backend_name} ${main_fingerprint}")
  string(SUBSTRING "${hash}" 0 7 hash)
  list(APPEND words ${artifact_slice_name} ${artifact_suffix})
  if(python)
    string(REPLACE "." "" python "py${python}")
    list(APPEND words ${python})
  endif()
  list(APPEND words h${hash} ${artifact_conda_build_number})
  list(JOIN words "_" build)
  set(${out} "${build}" PARENT_SCOPE)
endfunction()

# z_tsb_conda_metadata(<info folder> <option of conda_info.py>...): info/ but for what pack_conda.py writes.
function(z_tsb_conda_metadata folder)
  tsb_call_python(
    "${artifact_build_folder}" conda/conda_info.py --artifact
    "${artifact_build_folder}/artifacts/${artifact_name}.json" --info "${folder}" ${ARGN} WITH_TOOLS
  )
endfunction()
