# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
set_property(GLOBAL APPEND PROPERTY TSB_KEPT_VARIABLES CUDA_HOME CUDA_PATH) # tsb_keep_settings
tsb_declare_setting(
  TSB_CUDA_ARCHS TYPE LIST COMPILED MATCHES "^[0-9]+\\.[0-9][af]?(\\+PTX)?$"
  "major.minor, such as 8.6, 9.0a or 8.6+PTX" DEFAULT_TEXT "those of the official packages" SEE "cuda.md#architectures"
  HELP "The GPU architectures to compile for"
)
tsb_declare_setting(
  TSB_CUDA_LOWEST_DRIVER TYPE STRING COMPILED MATCHES "^[0-9]+(\\.[0-9]+)*$" "a driver version, such as 550.54.14" SEE
  "cuda.md#architectures" HELP "The oldest driver that must load the code, which decides how it may be compressed"
)
tsb_declare_setting(
  TSB_CUDA_SLICES
  TYPE
  GROUPS
  MATCHES
  "^(native|[0-9]+\\.[0-9](\\+PTX)?(,[0-9]+\\.[0-9](\\+PTX)?)*)$"
  "native, or major.minor such as 8.6, 9.0+PTX, or 8.6,9.0 for both in one"
  DEFAULT_TEXT
  "one with everything"
  SEE
  slices.md
  HELP
  "An artifact for each of these GPUs with its code alone, as in 8.6 9.0 (a comma joins two in one artifact)"
)
tsb_declare_setting(
  TSB_CUDA_HOME TYPE PATH COMPILED EXISTS DEFAULT_TEXT "what is found" SEE cuda.md HELP
  "The CUDA toolkit to build with"
)
tsb_declare_setting(
  TSB_CUDA_HOST_COMPILER TYPE PROGRAM COMPILED DEFAULT_TEXT "the C++ compiler" SEE cuda.md HELP
  "The C++ compiler for nvcc"
)
tsb_declare_setting(
  TSB_CUDNN_HOME TYPE PATH COMPILED EXISTS DEFAULT_TEXT "what is found" SEE cuda.md HELP "The folder of cuDNN"
)
tsb_declare_setting(
  TSB_CUSPARSELT_HOME TYPE PATH COMPILED EXISTS DEFAULT_TEXT "what is found" SEE cuda.md HELP
  "The folder of cuSPARSELt"
)
tsb_declare_setting(
  TSB_NVSHMEM_HOME TYPE PATH COMPILED PART nvshmem EXISTS DEFAULT_TEXT "what is found" SEE cuda.md HELP
  "The folder of NVSHMEM"
)
tsb_declare_setting(TSB_MAGMA TYPE BOOL COMPILED DEFAULT_TEXT ON SEE "cuda.md#magma" HELP "Build PyTorch with MAGMA")
