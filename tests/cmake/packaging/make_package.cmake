# SPDX-License-Identifier: BSD-3-Clause
# The headers and the CMake package of a libtorch in ROOT, see package.cmake. In: ROOT, LINKAGE, HOST_LIBRARY, CUDA.
include("${CMAKE_CURRENT_LIST_DIR}/package.cmake")
include("${TSB_SOURCE_DIR}/packaging/tree/z_tsb_stage_headers.cmake")
set(artifact_linkage "${LINKAGE}")
z_tsb_stage_headers("${TSB_TEST_DIR}/install" "${ROOT}")
make_package("${ROOT}" ${LINKAGE} ${HOST_LIBRARY})
