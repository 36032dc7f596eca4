# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_set_wheel_version(<site-packages> <version>): gives the Python layer the artifact's version, which has more in
# it than the one that it was built with where one compile makes several wheels (TSB_CUDA_SLICES): METADATA, the name of
# *.dist-info, and torch.__version__. Error: a torch/version.py or METADATA of another form.
function(z_tsb_set_wheel_version site_packages version)
  file(GLOB dist_info "${site_packages}/torch-*.dist-info")
  set(files "${dist_info}/METADATA" "${site_packages}/torch/version.py")
  set(words "Version: " "__version__ = '")
  foreach(file before IN ZIP_LISTS files words)
    file(READ "${file}" text)
    string(REGEX REPLACE "(^|\n)${before}[^\n']*" "\\1${before}${version}" text "${text}")
    if(NOT text MATCHES "(^|\n)${before}")
      tsb_fail("${file} names no version" "see packaging/wheel/z_tsb_set_wheel_version.cmake")
    endif()
    file(WRITE "${file}" "${text}")
  endforeach()
  file(RENAME "${dist_info}" "${site_packages}/torch-${version}.dist-info")
endfunction()
