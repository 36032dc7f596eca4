# SPDX-License-Identifier: BSD-3-Clause
# A generator that PyTorch starts with a PYTHONPATH of its own sees what the package's environment has as well; nothing
# else changes.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
set(tree "${TSB_TEST_DIR}/a tree")
set(file "${tree}/torch/CMakeLists.txt")

# run(<command> <argument>...): it succeeds.
function(run)
  tsb_run(status output ${ARGN})
  tsb_expect("${output}" EQUAL "${status}" 0)
endfunction()

# keep_pythonpath(<what> <text before> <text after>)
function(keep_pythonpath what before after)
  file(WRITE "${file}" "${before}")
  run(touch -d 2001-02-03 "${file}")
  run("${CMAKE_COMMAND}" "-DTSB_SOURCE_DIR=${tree}" -P "${TSB_SOURCE_DIR}/superbuild/pytorch-py/keep_pythonpath.cmake")
  tsb_expect_file("${what}" EQUAL "${file}" "${after}")
endfunction()

# As in 2.6.0: the generator gets the environment as it is.
set(
  begin
  [[
cmake_minimum_required(VERSION 3.18)
project(Torch NONE)
set(TORCH_ROOT "${CMAKE_CURRENT_SOURCE_DIR}/..")
set(TORCH_SRC_DIR "${TORCH_ROOT}/torch")
set(some "a;b" "[c" d\;) # which CMake would take apart
add_custom_command(
    OUTPUT
    "${TORCH_SRC_DIR}/utils/data/datapipes/datapipe.pyi"
    COMMAND
]]
)
set(
  end
  [[
    "${Python_EXECUTABLE}" ${TORCH_SRC_DIR}/utils/data/datapipes/gen_pyi.py
    DEPENDS
    "${TORCH_SRC_DIR}/utils/data/datapipes/datapipe.pyi.in"
    WORKING_DIRECTORY
    "${TORCH_ROOT}"
)
add_custom_target(all-of-it ALL DEPENDS "${TORCH_SRC_DIR}/utils/data/datapipes/datapipe.pyi")
]]
)
keep_pythonpath("without such a line" "${begin}${end}" "${begin}${end}")
file(TIMESTAMP "${file}" written "%Y")
tsb_expect("a file in which nothing changes" EQUAL "${written}" 2001)

# As in 2.8.
set(line [[    ${CMAKE_COMMAND} -E env PYTHONPATH="${TORCH_ROOT}"]])
set(kept [[    ${CMAKE_COMMAND} -E env "PYTHONPATH=${TORCH_ROOT}:$ENV{PYTHONPATH}"]])
keep_pythonpath("with the line" "${begin}${line}\n${end}" "${begin}${kept}\n${end}")

# As in 2.11, which adds to it.
set(adds "    \${CMAKE_COMMAND} -E env --modify PYTHONPATH=path_list_prepend:\"\${TORCH_ROOT}\" --\n")
keep_pythonpath("with a line that adds" "${begin}${adds}${end}" "${begin}${adds}${end}")

# In another way it would fail while the layer is built, with a module that is missing.
file(WRITE "${file}" "${begin}    ${CMAKE_COMMAND} -E env A=1 PYTHONPATH=\${ROOT}\n${end}")
tsb_run(
  status output "${CMAKE_COMMAND}" "-DTSB_SOURCE_DIR=${tree}" -P
  "${TSB_SOURCE_DIR}/superbuild/pytorch-py/keep_pythonpath.cmake"
)
tsb_expect("in another way" EQUAL "${status}" 1)
tsb_expect("in another way" CONTAINS "${output}" "in another way than 2.8: '-E env A=1 PYTHONPATH='")
file(WRITE "${file}" "${begin}${kept}\n${end}")

# It finds a module of the tree, and one of the environment.
file(WRITE "${tree}/torchgen/__init__.py" "")
file(WRITE "${TSB_TEST_DIR}/site packages/yaml.py" "TEXT = 'of the environment'\n")
file(WRITE "${tree}/torch/utils/data/datapipes/datapipe.pyi.in" "")
file(
  WRITE "${tree}/torch/utils/data/datapipes/gen_pyi.py"
  "import torchgen, yaml\nopen('torch/utils/data/datapipes/datapipe.pyi', 'w').write(yaml.TEXT)\n"
)
find_program(python python3 REQUIRED)
set(ENV{PYTHONPATH} "${TSB_TEST_DIR}/site packages")
set(ENV{PYTHONDONTWRITEBYTECODE} 1)
run("${CMAKE_COMMAND}" -S "${tree}/torch" -B "${TSB_TEST_DIR}/build" "-DPython_EXECUTABLE=${python}")
unset(ENV{PYTHONPATH})
run("${CMAKE_COMMAND}" --build "${TSB_TEST_DIR}/build")
tsb_expect_file("what it makes" EQUAL "${tree}/torch/utils/data/datapipes/datapipe.pyi" "of the environment")
