# SPDX-License-Identifier: BSD-3-Clause
# One case of consumer_check with a package with CUDA, or on a machine with GPUs; like case.cmake.
cmake_minimum_required(VERSION 3.25)
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/samples.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/run_check.cmake")

# run_on_gpu(<argument>... [GPUS <n>]): sets `status` and `output`. By default there are three GPUs.
function(run_on_gpu)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "GPUS" "")
  if(NOT DEFINED arg_GPUS)
    set(arg_GPUS 3)
  endif()
  tsb_run(
    status text "${CMAKE_COMMAND}" -E env LD_LIBRARY_PATH=/nowhere "TSB_GPUS=${arg_GPUS}"
    "TSB_CONSUMER_DIR=${consumer}" sh "${TSB_SOURCE_DIR}/packaging/consumer/run_on_gpu.sh" ${arg_UNPARSED_ARGUMENTS}
  )
  set(status "${status}" PARENT_SCOPE)
  set(output "${text}" PARENT_SCOPE)
endfunction()

make_package()
make_consumer()

if(CASE STREQUAL "cuda")
  # What stands in the manifest of a package with CUDA; without deps the machine's libraries may be used.
  file(
    WRITE "${package}/manifest.json"
    "{\"deps\": \"without-deps\", \"backend\": \"cu124\", \"features\": {\"MAGMA\": {\"enabled\": true}}, \"packages\": [
    {\"name\": \"cuda-toolkit\", \"version\": \"12.4.131\"}, {\"name\": \"nccl\", \"version\": \"2.21.5\"},
    {\"name\": \"sleef\", \"version\": \"3.9.0\"}]}\n"
  )
  skip_without_gpu(0)
  make_zip()
  check(good)
  file(STRINGS "${TSB_TEST_DIR}/scratch/log/first-run.log" text LIMIT_COUNT 1)
  tsb_expect(
    "options" CONTAINS "${text}" "[--expect-feature][MAGMA]"
    "[--expect-library][cuda-toolkit=12.4.131][--expect-library][nccl=2.21.5]"
    "[--allow-library][libcu][--allow-library][libnv][--allow-library][libz][--allow-library][libnccl][--allow-library][libmagma]"
  )
  tsb_expect("options" LACKS "${text}" "sleef" "--expect-gpus")
  tsb_expect("output" CONTAINS "${output}" "skip first, cuda::attention: this machine has no NVIDIA driver")
  file(READ "${TSB_TEST_DIR}/result.json" result)
  string(JSON name GET "${result}" checks 0 name)
  tsb_expect("the program's own rows" EQUAL "${name}" "cuda::attention")
elseif(CASE STREQUAL "gpus")
  skip_without_gpu(0)
  make_zip()
  check(good -DTSB_GPUS=2)
  file(STRINGS "${TSB_TEST_DIR}/scratch/log/first-run.log" text LIMIT_COUNT 1)
  tsb_expect("options" CONTAINS "${text}" "[--expect-gpus][2]")
  tsb_expect("output" CONTAINS "${output}" "works on a machine with 2 GPUs")
  tsb_expect("output" LACKS "${output}" "second place")
  # Without GPUs it is another check.
  check(good)
  tsb_expect("output" CONTAINS "${output}" "works in two folders")
elseif(CASE STREQUAL "bad_gpus")
  make_zip()
  check(bad -DTSB_GPUS=two)
  tsb_expect(
    "output" CONTAINS "${output}"
    "error: consumer_check: TSB_GPUS is 'two' give the number of GPUs that the machine has"
  )
elseif(CASE STREQUAL "run_on_gpu")
  skip_without_gpu(0)
  make_zip()
  run_on_gpu("${zip}" "${TSB_TEST_DIR}/a folder")
  tsb_expect_end(0 "skip cuda::attention: this machine has no NVIDIA driver ok: 0 FAIL: 0 skip: 1")
  tsb_expect("result" EXISTS "${TSB_TEST_DIR}/a folder/gpu.json")
  file(READ "${TSB_TEST_DIR}/a folder/log/first-run.log" text)
  tsb_expect("options" CONTAINS "${text}" "[--expect-gpus][3]")
  # How the machine's GPUs may be used is handed on, what could help to find a library is not.
  tsb_expect("environment" CONTAINS "${text}" "environment CUDA_VISIBLE_DEVICES=0" "environment NCCL_NVLS_ENABLE=0")
  tsb_expect("environment" LACKS "${text}" "LD_LIBRARY_PATH")
  # A check that fails is shown, without CMake's own report of where the script stood.
  file(READ "${consumer}/main.cpp" text)
  string(REPLACE "puts(\"skip cuda" "puts(\"FAIL cuda::eig: found 1, expected 2\\nskip cuda" text "${text}")
  string(REPLACE "fclose(json) + 0" "fclose(json) + 1" text "${text}")
  file(WRITE "${consumer}/main.cpp" "${text}")
  run_on_gpu("${zip}" "${TSB_TEST_DIR}/a folder")
  tsb_expect_end(1 "error: libtorch-shared-with-deps.zip cannot be used: run at first" "FAIL: 1 skip: 1")
  tsb_expect("output" LACKS "${output}" "Call Stack")
elseif(CASE STREQUAL "run_on_gpu_errors")
  run_on_gpu()
  tsb_expect_end(2 "error: run_on_gpu.sh: 0 arguments usage: run_on_gpu.sh <libtorch zip>")
  run_on_gpu("${zip}")
  tsb_expect_end(3 "error: run_on_gpu.sh: there is no file ${zip} usage:")
  make_zip()
  run_on_gpu("${zip}" GPUS 0)
  tsb_expect_end(
    4 "error: run_on_gpu.sh: this machine shows no GPU (TSB_GPUS is '0') install NVIDIA's driver, or set TSB_GPUS=1"
  )
  run_on_gpu("${zip}" GPUS two)
  tsb_expect_end(4 "shows no GPU (TSB_GPUS is 'two')")
elseif(CASE STREQUAL "failed_check_in_result")
  # What the program found is in the result even when it ends badly.
  skip_without_gpu(1)
  bad("cannot be used: run at first")
  file(READ "${TSB_TEST_DIR}/result.json" result)
  string(JSON name GET "${result}" checks 0 name)
  tsb_expect("the program's own rows" EQUAL "${name}" "cuda::attention")
else()
  message(FATAL_ERROR "there is no case ${CASE}")
endif()
