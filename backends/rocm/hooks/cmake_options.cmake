# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# Which clang FindHIP.cmake has hipcc start: otherwise the host's compiler, if that is a clang. hipcc takes no launcher,
# so with a compiler cache it gets a folder with a clang++ that goes through it; hipcc itself has no part in the result.
# The device libraries, which clang links in, are not in what the cache looks at by itself.
function(z_tsb_rocm_cmake_options out)
  tsb_read_record("${TSB_PACKAGE_DIR}/package.json" package)
  foreach(variable IN ITEMS HIP_CLANG_PATH HIP_DEVICE_LIB_PATH)
    string(REGEX MATCH "(^|;)${variable}=([^;]*)" ignored "${package_environment}")
    z_tsb_expand(${variable} "${CMAKE_MATCH_2}")
  endforeach()
  set(clang "${HIP_CLANG_PATH}/clang++")
  if(settings_compiler_cache)
    string(REPLACE "'" "'\\''" folder "${HIP_DEVICE_LIB_PATH}")
    string(
      CONCAT
        before "CCACHE_EXTRAFILES='${folder}/ocml.bc:${folder}/ockl.bc'\${CCACHE_EXTRAFILES:+:$CCACHE_EXTRAFILES}\n"
        "export CCACHE_EXTRAFILES\n"
    )
    z_tsb_write_tool(clang++ "${before}" ${settings_compiler_cache} "${clang}" "\"$@\"")
    set(clang "${TSB_PACKAGE_DIR}/tools/clang++")
  endif()
  set(${out} "-DHIP_CXX_COMPILER=${clang}" PARENT_SCOPE)
endfunction()
