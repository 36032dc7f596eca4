# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/model/tsb_json_object.cmake)

# What a slice needs of a machine, in the words of NVIDIA's provider: "90_real", "90_virtual" with PTX. The Python index
# has a placeholder of the provider only: https://github.com/wheelnext/nvidia-variant-provider
function(z_tsb_cuda_variant out)
  list(TRANSFORM backend_configured_cmake_archs REPLACE "-" "_" OUTPUT_VARIABLE of_sm_arch)
  tsb_json_object(features of_ LISTS sm_arch)
  string(
    CONFIGURE
      [[{
        "namespace": "nvidia",
        "provider": {
          "requires": ["nvidia-variant-provider"],
          "plugin-api": "nvidia_variant_provider.plugin:NvidiaVariantPlugin"
        },
        "features": @features@
      }]]
      answer
    @ONLY
  )
  set(${out} "${answer}" PARENT_SCOPE)
endfunction()
