# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/detail/z_tsb_json.cmake)

# What a slice needs of a machine, in the words of NVIDIA's provider: "90_real", "90_virtual" with PTX. The Python index
# has a placeholder of the provider only: https://github.com/wheelnext/nvidia-variant-provider
function(z_tsb_cuda_variant out)
  list(TRANSFORM backend_configured_cmake_archs REPLACE "-" "_" OUTPUT_VARIABLE archs)
  set(
    answer
    [[{
        "namespace": "nvidia",
        "provider": {
          "requires": ["nvidia-variant-provider"],
          "plugin-api": "nvidia_variant_provider.plugin:NvidiaVariantPlugin"
        },
        "features": {}
      }]]
  )
  string(JSON features GET "${answer}" features)
  z_tsb_json_set_array(features sm_arch ${archs})
  string(JSON answer SET "${answer}" features "${features}")
  set(${out} "${answer}" PARENT_SCOPE)
endfunction()
