# SPDX-License-Identifier: BSD-3-Clause
# The debug information of a library without a build ID. e2e.content and `torchpkg check` look at good ones.
include("${CMAKE_CURRENT_LIST_DIR}/package.cmake")
include("${TSB_SOURCE_DIR}/packaging/tree/z_tsb_split_debug_information.cmake")
file(WRITE "${TSB_TEST_DIR}/one.c" "int one(void) { return 1; }\n")
run(good cc -g1 -shared -fPIC "${TSB_TEST_DIR}/one.c" -o "${TSB_TEST_DIR}/libc10.so")
# Stands in for `torchpkg scan FILE`.
file(WRITE "${TSB_TEST_DIR}/torchpkg" "#!/bin/sh\necho '{\"files\": [{\"build_id\": \"\"}]}'\n")
file(CHMOD "${TSB_TEST_DIR}/torchpkg" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
file(WRITE "${TSB_TEST_DIR}/settings.json" "{\"torchpkg\": \"${TSB_TEST_DIR}/torchpkg\"}")
set(artifact "{\"objcopy\": \"objcopy\", \"build_folder\": \"${TSB_TEST_DIR}\"}")
tsb_set_record(artifact artifact)
z_tsb_split_debug_information("${TSB_TEST_DIR}/libc10.so" "${TSB_TEST_DIR}/a debug root")
