# SPDX-License-Identifier: BSD-3-Clause
# A nightly, a candidate and a further build with a version of one's own, packed of what e2e.all has built: nothing is
# compiled. pip, uv and a conda client take each for newer than those before. What the conda packages depend on is in
# the channel of e2e.conda-client.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
find_usable_python()
get_filename_component(others "${TSB_TEST_DIR}/../e2e.conda-client/channel" ABSOLUTE)
if(tag STREQUAL "" OR NOT EXISTS "${others}")
  message("SKIP: e2e.conda-client has not made its channel, for want of a Python")
  return()
endif()
set(tree "${WORK}/all")
set(build "${tree}/build/cpu-all")
set(all "${TSB_TEST_DIR}/all")
file(MAKE_DIRECTORY "${all}/linux-64")
set(site "${TSB_TEST_DIR}/venv/bin/python")
execute_process(COMMAND "${python}" -m venv "${TSB_TEST_DIR}/venv" COMMAND_ERROR_IS_FATAL ANY)
find_program(uv uv PATHS "${TSB_SOURCE_DIR}/build/test-tools/bin" NO_DEFAULT_PATH)
if(NOT uv)
  message("uv is not there, and not tried: ./bootstrap.sh --test installs it")
endif()
set(by_pip -m pip --isolated install --quiet --pre --force-reinstall --no-compile --no-deps)
set(by_uv pip install --no-config --no-cache --quiet --pre --reinstall --no-deps --python "${site}")
include("${TSB_SOURCE_DIR}/cmake/python/tsb_python_command.cmake")
tsb_python_command(
  by_rattler "${python}" "${TSB_SOURCE_DIR}/packaging/consumer_check/install_packages.py" MODULES
  "${WORK}/python-tools"
)
tsb_python_command(
  index_channel "${python}" "${TSB_SOURCE_DIR}/packaging/conda/index_channel.py" MODULES "${WORK}/python-tools"
)

# pack_as(<dist> <NAME=value>...): the wheel and the conda packages, into a dist of their own; a nightly's are checked.
function(pack_as dist)
  set(
    environment ENVIRONMENT ${ARGN} "TSB_DIST=${TSB_TEST_DIR}/${dist}" "TSB_PYTHON_${tag}=${python}" PIP_NO_INDEX=1
                TSB_CONDA_CHANNEL=/nowhere
  )
  set(artifacts "-DTSB_ARTIFACTS=wheel-py${tag},conda-py${tag}")
  run_in("${tree}" ${environment} COMMAND "${CMAKE_COMMAND}" --preset cpu-all ${artifacts})
  good("${dist}: configure")
  run_in("${tree}" ${environment} COMMAND "${CMAKE_COMMAND}" --build "${build}")
  good("${dist}: build")
  tsb_expect("what is compiled for ${dist}" LACKS "${output}" "-- pytorch build" "-- pytorch-py${tag} build")
  run_in("${tree}" ${environment} COMMAND cpack --config "${build}/CPackConfig.cmake")
  good("${dist}: pack")
  if(NOT dist STREQUAL "nightly")
    foreach(artifact IN ITEMS wheel-py${tag} conda-libtorch conda-py${tag})
      file(COPY "${build}/packed/${artifact}/" DESTINATION "${TSB_TEST_DIR}/${dist}")
    endforeach()
  else()
    run_in("${tree}" ${environment} COMMAND "${CMAKE_COMMAND}" --build "${build}" --target check)
    good("${dist}: check")
    tsb_expect("the wheel's consumer" CONTAINS "${output}" "checks, 0 failed")
  endif()
endfunction()

# expect_newest(<dist> <version> <build tag of the wheel, with a dash> <pattern of the conda package's name>): what is
# in <dist> is called so, and each client takes it out of a folder with all that there was before.
function(expect_newest dist version number conda)
  file(GLOB wheel RELATIVE "${dist}" "${dist}/torch-${version}-${number}cp${tag}-cp${tag}-*.whl")
  file(GLOB packages RELATIVE "${dist}" "${dist}/linux-64/*.conda")
  foreach(file IN LISTS wheel packages)
    file(CREATE_LINK "${dist}/${file}" "${all}/${file}")
  endforeach()
  execute_process(COMMAND ${index_channel} "${all}" COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "(.+)-" "\nBuild: \\1\n" number "${number}")
  foreach(client IN ITEMS "${site};${by_pip}" "${uv};${by_uv}")
    if(client MATCHES "NOTFOUND")
      continue()
    endif()
    execute_process(COMMAND ${client} --no-index --find-links "${all}" torch COMMAND_ERROR_IS_FATAL ANY)
    execute_process(
      COMMAND "${site}" -c
              "import importlib.metadata as m; d = m.distribution('torch'); print(d.version, d.read_text('WHEEL'))"
      OUTPUT_VARIABLE found COMMAND_ERROR_IS_FATAL ANY
    )
    tsb_expect("what ${client} installs" CONTAINS "${found}" "${version} " "${number}")
  endforeach()
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env "TSB_CONDA_CHANNEL=file://${others}" ${by_rattler} --prefix
            "${TSB_TEST_DIR}/prefix" --channel "file://${all}" pytorch OUTPUT_VARIABLE found COMMAND_ERROR_IS_FATAL ANY
  )
  if(NOT found MATCHES "(^|\n)pytorch-${conda}[.]conda")
    message(FATAL_ERROR "the conda client does not install pytorch-${conda}: ${found}")
  endif()
  file(REMOVE_RECURSE "${TSB_TEST_DIR}/prefix" "${TSB_TEST_DIR}/prefix.cache")
endfunction()

set(python_tag "py${tag}_h[0-9a-f]+")
pack_as(nightly TSB_NIGHTLY=20261123)
expect_newest("${TSB_TEST_DIR}/nightly" ${pytorch}.dev20261123+cpu "" "${pytorch}dev20261123-cpu_mkl_${python_tag}_0")
pack_as(candidate TSB_CANDIDATE=1)
expect_newest("${TSB_TEST_DIR}/candidate" ${pytorch}rc1+cpu "" "${pytorch}rc1-cpu_mkl_${python_tag}_0")
expect_newest("${tree}/dist" ${pytorch}+cpu "" "${pytorch}-cpu_mkl_${python_tag}_0")
pack_as(own TSB_VERSION_SUFFIX=mycompany.1 TSB_BUILD_NUMBER=2)
expect_newest("${TSB_TEST_DIR}/own" ${pytorch}+cpu.mycompany.1 2- "${pytorch}-cpu_mkl_mycompany[.]1_${python_tag}_2")
