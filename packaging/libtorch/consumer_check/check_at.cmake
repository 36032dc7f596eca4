# SPDX-License-Identifier: BSD-3-Clause
# check_at(<place>): unpacks the package in the folder <place> of TSB_WORK, builds the consumer against it and runs it.

# skipped_checks(<place> <log>): what needs a GPU and was skipped, a row each, so that a report does not hide it.
macro(skipped_checks place log)
  file(STRINGS "${log}" skipped REGEX "^skip [a-z]+::")
  foreach(line IN LISTS skipped)
    string(REGEX MATCH "^skip (.+): (.*)$" line "${line}")
    row(skip "${place}" "${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}")
  endforeach()
endmacro()

macro(check_at place)
  set(here "${TSB_WORK}/${place}")
  file(MAKE_DIRECTORY "${here}/run")
  step("${place}" unpack IN "${here}" COMMAND "${CMAKE_COMMAND}" -E tar xf "${TSB_PACKAGE}")
  if(NOT EXISTS "${here}/libtorch/build-version")
    failed("${place}" unpack "there is no libtorch/build-version in it" "pack the tree below a folder libtorch")
  endif()
  row(ok "${place}" unpack "${seconds} s")
  z_tsb_consumer_expectations(expectations "${here}/libtorch")
  if(TSB_GPUS)
    list(APPEND expectations --expect-gpus ${TSB_GPUS})
  endif()

  configure_consumer("${place}" configure build ${compiler_option})
  file(READ "${log}" text)
  if(text MATCHES "CMake (Deprecation )?Warning")
    failed(
      "${place}" configure "find_package(Torch) warns" "fix the package's CMake files; a user should see no warning"
    )
  endif()
  row(ok "${place}" configure "${seconds} s, no warning")

  build_consumer("${place}" build build)
  row(ok "${place}" build "${seconds} s")
  if(EXISTS "${here}/build/libstable_extension.so") # since 2.10
    list(APPEND expectations --extension "${here}/build/libstable_extension.so" --allow-library libstable_extension)
  endif()

  step("${place}" "run right_abi" IN "${here}/run" COMMAND ${emulator} "${here}/build/right_abi")
  run(
    "${place}" "link wrong_abi"
    IN "${here}"
    ENVIRONMENT ${compile_environment}
    COMMAND "${CMAKE_COMMAND}" --build build --target wrong_abi
  )
  if(status EQUAL 0)
    failed("${place}" "link wrong_abi" "a program of the other C++ ABI links" "build all libraries for one C++ ABI")
  endif()
  file(READ "${log}" text)
  if(NOT text MATCHES "undefined (reference|symbol)")
    failed("${place}" "link wrong_abi" "it failed for another reason than an undefined reference" "see the log")
  endif()
  row(ok "${place}" "link wrong_abi" "undefined reference, as it must be")

  foreach(setting IN ITEMS "" OMP_NUM_THREADS=1)
    string(STRIP "run ${setting}" name)
    run_consumer("${place}" "${name}" "${here}/build/torch_consumer" "${setting}")
    row(ok "${place}" "${name}" "${text}")
    if(setting STREQUAL "")
      skipped_checks("${place}" "${log}")
    endif()
  endforeach()
endmacro()
