# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
set_property(GLOBAL APPEND PROPERTY TSB_KEPT_VARIABLES ROCM_PATH HIP_CLANG_PATH) # tsb_keep_settings
tsb_declare_setting(
  TSB_ROCM_ARCHS TYPE LIST MATCHES "^gfx[0-9]+[0-9a-f][0-9a-f]$" "the name of a GPU, such as gfx90a or gfx1100"
  DEFAULT_TEXT "the release's list" SEE rocm.md HELP "The GPUs to compile for"
)
