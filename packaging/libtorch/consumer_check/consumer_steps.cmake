# SPDX-License-Identifier: BSD-3-Clause
# The consumer's steps
# --------------------
#
# In the scope of consumer_check: `here` is the folder of the place, `expectations` are the options of the program.

# configure_consumer(<place> <step> <build folder> <option>...)
macro(configure_consumer place name build)
  # Only the package itself may answer find_package: what else is installed would hide what is missing.
  step(
    "${place}"
    "${name}"
    IN
    "${here}"
    ENVIRONMENT
    ${compile_environment}
    COMMAND
    "${CMAKE_COMMAND}"
    -S
    "${TSB_CONSUMER}"
    -B
    "${build}"
    -G
    "${generator}"
    --no-warn-unused-cli
    ${launcher}
    ${make_program}
    "-DCMAKE_PREFIX_PATH=${here}/libtorch"
    -DCONSUMER_ABI=${abi}
    -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF
    -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
    -DCMAKE_FIND_USE_SYSTEM_PACKAGE_REGISTRY=OFF
    ${ARGN}
  )
endmacro()

# build_consumer(<place> <step> <build folder> [--target <name>])
macro(build_consumer place name build)
  step(
    "${place}" "${name}" IN "${here}" ENVIRONMENT ${compile_environment} COMMAND "${CMAKE_COMMAND}" --build "${build}"
    --parallel ${jobs} ${ARGN}
  )
endmacro()

# run_consumer(<place> <step> <program> <environment> <option>...): sets `text` to what it says about its checks, and
# `checks` to them all.
macro(run_consumer place name program environment)
  file(REMOVE "${here}/run/checks.json")
  run(
    "${place}" "${name}"
    IN "${here}/run"
    ENVIRONMENT ${environment}
    COMMAND ${emulator} "${program}" ${expectations} --expect-prefix "${here}/libtorch" --json checks.json ${ARGN}
  )
  if(EXISTS "${here}/run/checks.json")
    file(READ "${here}/run/checks.json" checks)
    string(JSON checks ERROR_VARIABLE absent GET "${checks}" checks)
  endif()
  if(NOT status EQUAL 0)
    failed(
      "${place}" "${name}" "it ended with: ${status}" "fix the package, or the consumer project in ${TSB_CONSUMER}"
    )
  endif()
  file(STRINGS "${log}" text REGEX "^[0-9]+ checks, 0 failed$")
  if(NOT text)
    failed("${place}" "${name}" "it exited without reporting its checks" "see the log")
  endif()
endmacro()
