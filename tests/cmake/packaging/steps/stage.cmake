# SPDX-License-Identifier: BSD-3-Clause
# Stands in for packaging/libtorch/stage.cmake: a tree of two files, and one line of debug information.
function(z_tsb_stage_libtorch stage)
  file(READ "${TSB_BUILD_FOLDER}/packages/pytorch/manifest.json" package)
  file(
    WRITE "${stage}/libtorch/manifest.json"
    "{\"backend\": \"cpu\", \"backend_kind\": \"cpu\", \"bundled\": [], \"packages\": [${package}]}"
  )
  file(WRITE "${stage}/libtorch/build-version" "2.6.0+cpu\n")
  file(WRITE "${stage}/debug/libtorch/lines" "lines\n")
endfunction()
