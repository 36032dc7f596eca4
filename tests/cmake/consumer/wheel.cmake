# SPDX-License-Identifier: BSD-3-Clause
# packaging/wheel/consumer_check.cmake on a wheel of one module and a consumer of a few lines. BREAK: what is wrong;
# CASE cuda: a wheel for CUDA, small: one whose libraries come from other wheels, pinned, fetched: pip can install what
# it requires, unpinned: no hash of that is known; GPUS: as many are there.
cmake_minimum_required(VERSION 3.25)
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/make_wheel.cmake)
if(no_venv)
  message("SKIP: ${python} cannot make a virtual environment")
  return()
endif()
set(cuda "")
set(libraries "")
if(CASE STREQUAL "cuda")
  set(cuda ", \"cuda\": {\"version\": \"9.9\", \"versions\": {\"nccl\": \"2\"}}")
elseif(CASE STREQUAL "small")
  set(libraries "Requires-Dist: nvidia-cudnn-cu12 (==9.1.0.70)\n")
endif()
set(version "")
if(BREAK STREQUAL "requirement")
  set(version ">=4")
endif()
set(tree "${TSB_TEST_DIR}/tree")
set(info torch-9.1+cpu.dist-info)
file(WRITE "${tree}/torch/__init__.py" "__version__ = '9.1+cpu'\n")
file(WRITE "${tree}/torch/run.py" "def main():\n    print('help')\n")
file(
  WRITE "${tree}/torch/manifest.json"
  "{\"version\": \"9.1+cpu\", \"git_version\": \"c0ffee\", \"features\": {\"MKLDNN\": {\"enabled\": true}}${cuda}}"
)
set(entry_point "torch.run:main")
if(BREAK STREQUAL "script")
  set(entry_point "torch.walk:main")
endif()
file(WRITE "${tree}/${info}/entry_points.txt" "[console_scripts]\ntorchrun = ${entry_point}\n")
set(wheel "${TSB_TEST_DIR}/torch-9.1+cpu-py3-none-any.whl")
make_wheel("${wheel}" "${tree}" torch 9.1+cpu "Requires-Dist: filelock${version}\n${libraries}")
set(consumer "${TSB_TEST_DIR}/a consumer")
set(needed filelock)
if(BREAK STREQUAL "module")
  set(needed nobody_requires_this)
endif()
set(holds True)
if(BREAK STREQUAL "run")
  set(holds False)
endif()
# The real program with checks of a few lines.
file(
  WRITE "${consumer}/wheel_checks.py"
  "import importlib.util, sys
sys.path.append('${TSB_SOURCE_DIR}/packaging/consumer')
spec = importlib.util.spec_from_file_location('checks', '${TSB_SOURCE_DIR}/packaging/consumer/wheel_checks.py')
checks = importlib.util.module_from_spec(spec)
spec.loader.exec_module(checks)
def one(torch, options):
    assert ${holds} and torch.__version__ == options.version
    assert options.commit == 'c0ffee' and options.features == {'MKLDNN': True}
def other(torch, options):
    import ${needed}
checks.wheel_cpu_checks.CHECKS[:] = [one, other]
def gpu(torch, options):
    import wheel_gpu_checks
    if options.gpus == 0:
        raise wheel_gpu_checks.Skipped('this machine has no GPU')
    assert options.cuda['version'] == '9.9'
    assert wheel_gpu_checks.claims(options, 'NCCL') and not wheel_gpu_checks.claims(options, 'MAGMA')
    print('%d GPUs' % options.gpus)
if '${CASE}' == 'cuda':
    sys.path.insert(0, '${TSB_SOURCE_DIR}/backends/cuda/consumer')
    import wheel_gpu_checks
    wheel_gpu_checks.CHECKS[:] = [gpu]
print(' '.join(sys.argv[1:]))
sys.exit(checks.main())
"
)
# What it requires, as a wheel of one module, and the hash of that.
set(pinned "${TSB_TEST_DIR}/what is pinned")
file(WRITE "${TSB_TEST_DIR}/tree of filelock/filelock.py" "")
set(filelock "${TSB_TEST_DIR}/wheels/filelock-3.17.0-py3-none-any.whl")
make_wheel("${filelock}" "${TSB_TEST_DIR}/tree of filelock" filelock 3.17.0)
file(SHA256 "${filelock}" hash)
if(BREAK STREQUAL "hash")
  string(SHA256 hash "another file")
endif()
file(WRITE "${pinned}/requirements.txt" "# A line.\nfilelock==3.17.0 \\\n    --hash=sha256:${hash}\n")
if(CASE STREQUAL "unpinned")
  set(pinned "")
endif()
if(BREAK STREQUAL "wheel")
  file(WRITE "${wheel}" "no wheel")
endif()
set(work "${TSB_TEST_DIR}/a work folder")
# No index: this is not about what is available.
set(ENV{PIP_NO_INDEX} 1)
unset(ENV{TSB_OFFLINE})
if(CASE MATCHES "pinned$" OR BREAK MATCHES "^(hash|requirement)$")
  set(ENV{PIP_FIND_LINKS} "file://${TSB_TEST_DIR}/wheels")
endif()
set(wheels "")
if(CASE MATCHES "^(offline|fetched)$")
  # An index of this machine, which must not be asked. It would answer.
  if(CASE STREQUAL "offline")
    set(ENV{TSB_OFFLINE} 1)
  else()
    set(wheels "${TSB_TEST_DIR}/wheels")
  endif()
  unset(ENV{PIP_NO_INDEX})
  set(index_log "${TSB_TEST_DIR}/index.log")
  execute_process(
    COMMAND sh -c "timeout 200 \"$0\" -u -m http.server --bind 127.0.0.1 0 >\"$1\" 2>&1 & echo $!" "${python}"
            "${index_log}"
    OUTPUT_VARIABLE index_process
    OUTPUT_STRIP_TRAILING_WHITESPACE
    WORKING_DIRECTORY "${TSB_TEST_DIR}"
  )
  foreach(attempt RANGE 200)
    file(STRINGS "${index_log}" line REGEX "port [0-9]+" LIMIT_COUNT 1)
    if(line MATCHES "port ([0-9]+)")
      break()
    endif()
    execute_process(COMMAND sleep 0.05)
  endforeach()
  set(ENV{PIP_INDEX_URL} "http://127.0.0.1:${CMAKE_MATCH_1}/simple")
endif()
tsb_run(
  status output "${CMAKE_COMMAND}" "-DTSB_PACKAGE=${wheel}" "-DTSB_PYTHON=${python}" "-DTSB_CONSUMER=${consumer}"
  "-DTSB_WORK=${work}" "-DTSB_RESULT=${TSB_TEST_DIR}/result.json" "-DTSB_MODULES=${TSB_TEST_DIR}" "-DTSB_GPUS=${GPUS}"
  "-DTSB_PINNED=${pinned}" "-DTSB_WHEELS=${wheels}" -P "${TSB_SOURCE_DIR}/packaging/wheel/consumer_check.cmake"
)
if(CASE MATCHES "^(offline|fetched)$")
  execute_process(COMMAND kill ${index_process})
  file(STRINGS "${index_log}" requests REGEX "GET|HEAD|CONNECT")
  tsb_expect("requests to the index" EQUAL "${requests}" "")
endif()
if(CASE STREQUAL "offline")
  tsb_expect(
    "the rows" CONTAINS "${output}"
    "skip venv, dependencies: pip could not install them from a folder, and TSB_OFFLINE is set; what needs"
  )
endif()
if(BREAK)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "failed as it should")
  endif()
  return()
endif()
tsb_expect("status" EQUAL "${status}" 0)
if(CASE STREQUAL "small")
  tsb_expect(
    "the rows" CONTAINS "${output}" "skip venv, run: it needs the libraries of nvidia-cudnn-cu12: installed, but not"
    "skip venv, dependencies: no hash is known for nvidia-cudnn-cu12==9.1.0.70;"
  )
  tsb_expect("the program" ABSENT "${work}/log/venv-run.log")
  return()
endif()
file(READ "${work}/log/venv-run.log" text)
if(CASE STREQUAL "cuda")
  if(GPUS)
    tsb_expect("the program" CONTAINS "${text}" "${GPUS} GPUs ok gpu 2 checks, 0 failed")
  else()
    tsb_expect("the rows" CONTAINS "${output}" "skip venv, gpu: this machine has no GPU")
  endif()
  return()
endif()
if(CASE MATCHES "^(pinned|fetched)$")
  tsb_expect("the rows" CONTAINS "${output}" "ok venv, pip check: no broken requirements")
  tsb_expect("the arguments" LACKS "${text}" "--without-dependencies")
  tsb_expect("the program" CONTAINS "${text}" "2 checks, 0 failed")
  return()
elseif(CASE STREQUAL "unpinned")
  tsb_expect("the rows" CONTAINS "${output}" "skip venv, dependencies: no hash is known for filelock; what needs them")
endif()
tsb_expect("the arguments" CONTAINS "${text}" "--without-dependencies")
tsb_expect(
  "the rows" CONTAINS "${output}" "by pip alone" "skip venv, dependencies"
  "skip venv, other: filelock is not installed" "1 checks, 0 failed" "torchrun: shows its help"
)
tsb_expect_file("the result" CONTAINS "${TSB_TEST_DIR}/result.json" "\"torchrun\"")
