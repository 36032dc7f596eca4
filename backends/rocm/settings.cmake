# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
tsb_declare_setting(
  TSB_ROCM_ARCHS TYPE LIST MATCHES "^gfx[0-9]+[0-9a-f][0-9a-f]$" "the name of a GPU, such as gfx90a or gfx1100"
  DEFAULT_TEXT "the release's list" SEE rocm.md HELP "The GPUs to compile for"
)
