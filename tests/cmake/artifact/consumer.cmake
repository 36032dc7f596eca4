# SPDX-License-Identifier: BSD-3-Clause
# The step consumer hands the artifact's compiler and TSB_JOBS to the check, and for another processor its triplet and
# the emulator.
include(${CMAKE_CURRENT_LIST_DIR}/../tsb_expect.cmake)
set(TSB_BUILD_FOLDER ${TSB_TEST_DIR}/build)
include(${CMAKE_CURRENT_LIST_DIR}/../../../packaging/z_tsb_artifact_steps.cmake)

set(TSB_JOBS 3)
# A check that only keeps what it was started with.
set(Z_TSB_PACKAGING ${TSB_TEST_DIR}/packaging)
set(started ${TSB_TEST_DIR}/started.txt)
file(
  WRITE ${Z_TSB_PACKAGING}/run_consumer.py
  "import sys\ngiven = dict(word[6:].split('=', 1) for word in sys.argv if word.startswith('-DTSB_'))\n"
  "open('${started}', 'w').write('|'.join(given[name] for name in ('COMPILER', 'TRIPLET', 'EMULATOR', 'JOBS')))\n"
)
file(WRITE ${TSB_BUILD_FOLDER}/packages/pytorch/package.json "{\"python_executable\": \"\"}")
file(WRITE ${TSB_BUILD_FOLDER}/fetch/request.json "{\"python\": \"\", \"cache\": \"\"}")

function(expect_started what with target expected)
  file(
    WRITE ${TSB_BUILD_FOLDER}/settings.json
    "{\"dist\": \"\", \"consumer\": \"\", \"torchpkg\": \"\", \"ninja\": \"\", \"python\": \"python3\", \"emulator\": \"${with}\"}"
  )
  file(
    WRITE ${TSB_BUILD_FOLDER}/artifacts/a.json
    "{\"product\": \"libtorch\", \"package\": \"pytorch\", \"deps\": \"with-deps\", \"compiler\": \"/opt/g++\","
    "\"backend\": {\"consumer\": {\"emulator\": \"qemu-user\"}}, \"target\": ${target}}"
  )
  z_tsb_read_artifact(a)
  z_tsb_run_consumer()
  file(READ ${started} text)
  tsb_expect("${what}" EQUAL "${text}" "${expected}")
endfunction()

expect_started("this machine's processor" /opt/qemu "{\"triplet\": \"x86_64-linux-gnu\"}" "/opt/g++|||3")
set(other "{\"triplet\": \"aarch64-linux-gnu\", \"cross\": \"aarch64-linux-gnu-\"}")
expect_started("another processor" /opt/qemu "${other}" "/opt/g++|aarch64-linux-gnu|/opt/qemu|3")
set(packed ${TSB_BUILD_FOLDER}/packages/qemu-user/install/bin/qemu-aarch64)
file(WRITE ${packed} "")
expect_started("the backend's emulator" "" "${other}" "/opt/g++|aarch64-linux-gnu|${packed}|3")
