# SPDX-License-Identifier: BSD-3-Clause
# pip installs from the folder behind a plain web server, and refuses a wheel that was changed.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
set(wheel demo_package-1.0+cpu-py3-none-any.whl)
add_wheel(demo_package 1.0+cpu ${wheel})
add_wheel(demo_package 0.9 demo_package-0.9-py3-none-any.whl)
make_index(0)

# pip_install(): sets status and output.
macro(pip_install)
  tsb_run(
    status output "${python}" "${CMAKE_CURRENT_LIST_DIR}/serve.py" "${dist}" "${python}" -m pip install --isolated
    --no-cache-dir --no-compile --index-url URL/simple --target "${TSB_TEST_DIR}/site" Demo.Package
  )
endmacro()
pip_install()
if(output MATCHES "No module named pip")
  message("SKIP: pip is not installed")
  return()
endif()
tsb_expect("pip" ENDS "${status}" good)
tsb_expect("what pip asked for" CONTAINS "${output}" "/simple/demo-package/")
tsb_expect("the module" EXISTS "${TSB_TEST_DIR}/site/demo_package.py")
# Since 23.2 pip reads METADATA without the wheel first.
execute_process(COMMAND "${python}" -m pip --version OUTPUT_VARIABLE version COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCH "[0-9.]+" version "${version}")
if(version VERSION_GREATER_EQUAL 23.2)
  tsb_expect("what pip asked for" CONTAINS "${output}" "demo_package-1.0%2Bcpu-py3-none-any.whl.metadata")
endif()

file(REMOVE_RECURSE "${TSB_TEST_DIR}/site")
file(APPEND "${dist}/${wheel}" "x")
pip_install()
tsb_expect("the module" ABSENT "${TSB_TEST_DIR}/site/demo_package.py")
tsb_expect("pip" CONTAINS "${output}" "HASHES")
