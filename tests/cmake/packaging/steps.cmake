# SPDX-License-Identifier: BSD-3-Clause
# The steps of an artifact: when one input of each kind is changed, explain names it with its old and its new value, and
# just the steps that depend on it run again. On a copy of this project, with stand-ins for what stages, packs and
# checks.
set(tree "${TSB_TEST_DIR}/tree")
foreach(folder IN ITEMS backends cmake engine packaging presets releases targets third_party)
  file(COPY "${TSB_SOURCE_DIR}/${folder}" DESTINATION "${tree}" PATTERN torchpkg EXCLUDE)
endforeach()
file(
  COPY "${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake" "${TSB_SOURCE_DIR}/tests/cmake/tsb_run.cmake"
  DESTINATION "${tree}/tests/cmake"
)
set(TSB_SOURCE_DIR "${tree}")
include("${CMAKE_CURRENT_LIST_DIR}/../package/fixture.cmake")
set(ENV{TSB_DIST} "${box}/dist")
set(ENV{TSB_CONSUMER_DIR} "${box}/consumer")
foreach(variable IN ITEMS SOURCE_DATE_EPOCH TSB_DEBUG_INFO TSB_SONAME_VERSION TSB_ADDITIONS TSB_SIGN)
  unset(ENV{${variable}})
endforeach()
set(zip "${box}/dist/libtorch-cxx11-abi-shared-with-deps-2.6.0+cpu.zip")
set(parts "${CMAKE_CURRENT_LIST_DIR}/steps")
file(COPY_FILE "${parts}/stage.cmake" "${tree}/packaging/libtorch/stage.cmake")
# What it leaves is what a kill may leave: the next one begins with an empty folder.
file(
  WRITE "${tree}/packaging/run_consumer.py"
  "import pathlib, sys
work = pathlib.Path(sys.argv[2])
(work / 'venv').mkdir(parents=True)
(work / 'venv/rest').write_text('')
(work / 'results.xml').write_text('<testsuite/>')\n"
)
file(WRITE "${box}/consumer/CMakeLists.txt" "")
file(WRITE "${box}/consumer/main.cpp" "int main() {}\n")
file(WRITE "${box}/stage.cmake" "file(WRITE \"\${TSB_INSTALL_DIR}/include/torch.h\" \"\")\n")
write_trees()
add_source(a 1.0)
file(WRITE "${box}/pins/components.json" "{\"components\": {}}\n")
file(READ "${parts}/declarations.cmake" declarations)
declare("${declarations}")
file(MAKE_DIRECTORY "${build}")
file(COPY_FILE "${parts}/torchpkg.sh" "${build}/torchpkg")
file(CHMOD "${build}/torchpkg" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
configure()

# everything(): builds, checks the staged tree, packs, checks the zip; sets `ran` to the steps that ran.
function(everything)
  set(text "")
  foreach(
    command IN
    ITEMS
      "${CMAKE_COMMAND}|--build|${build}" "${CMAKE_CTEST_COMMAND}|--test-dir|${build}|--verbose"
      "${CMAKE_CPACK_COMMAND}|--config|${build}/CPackConfig.cmake" "${CMAKE_COMMAND}|--build|${build}|--target|check"
  )
    string(REPLACE "|" ";" command "${command}")
    tsb_run(code output ${command})
    tsb_expect("end of ${command}" EQUAL "${code}" 0)
    string(APPEND text "${output}")
  endforeach()
  string(REGEX MATCHALL "-- (pytorch|libtorch-shared-with-deps) [a-z_]+\n" ran "${text}")
  list(TRANSFORM ran REPLACE "-- (pytorch |libtorch-shared-with-deps )([a-z_]+)\n" "\\2")
  set(ran "${ran}" PARENT_SCOPE)
endfunction()

# changed(<what> <what explain says about it>... RAN <step>...)
function(changed what)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "RAN")
  make(good explain)
  tsb_expect("explain, ${what}" CONTAINS "${output}" ${arg_UNPARSED_ARGUMENTS})
  everything()
  expect_ran("${what}" ${arg_RAN})
endfunction()

set(artifact "libtorch-shared-with-deps: would run")
set(packed stage check_stage pack statement) # to the same bytes, so that they are not checked again
changed("nothing yet" RAN patch configure build stage ${packed} check consumer deliver)
changed("nothing since" "libtorch-shared-with-deps: up to date" RAN)

# A value, a file, a folder, the environment, torchpkg.
set(ENV{TSB_SONAME_VERSION} ON)
configure()
changed("a value" "${artifact} stage: soname_version: new: 2.6" RAN ${packed} deliver)
file(WRITE "${box}/pins/components.json" "{\"components\": { }}\n")
changed("a file" "${artifact} stage: components.json: was:" "components.json: now:" RAN ${packed} deliver)
add_source(b 1.0)
configure()
changed("the pin of a source that is in nothing" "libtorch-shared-with-deps: up to date" RAN)
file(WRITE "${box}/consumer/more/more.cpp" "\n")
changed("a folder" "${artifact} consumer: consumer more/more.cpp: new:" RAN consumer deliver)
set(ENV{SOURCE_DATE_EPOCH} 1600000000)
changed(
  "the environment" "${artifact} stage: SOURCE_DATE_EPOCH: was: SOURCE_DATE_EPOCH: now: 1600000000" RAN ${packed}
                                                                                                        deliver
)
file(APPEND "${build}/torchpkg" "# another one\n")
changed("torchpkg" "${artifact} stage: torchpkg: was:" "torchpkg: now:" RAN ${packed} check deliver)

# Scripts of each step.
foreach(
  script IN
  ITEMS
    "stage tree/cmake/TorchConfig.cmake.in ${packed} deliver" "check_stage z_tsb_check_package.cmake check_stage check"
    "pack libtorch/pack.cmake pack statement deliver" "statement ../engine/make_statements.py statement deliver"
    "check steps/check.cmake check" "consumer consumer_check/wheel.cmake consumer deliver" "deliver deliver.py deliver"
)
  string(REPLACE " " ";" script "${script}")
  list(POP_FRONT script step file)
  cmake_path(SET file NORMALIZE "packaging/${file}")
  tsb_expect("the script" EXISTS "${tree}/${file}")
  file(APPEND "${tree}/${file}" "\n# a change\n")
  changed("${file}" "${artifact} ${step}: file ${file}: was:" "file ${file}: now:" RAN ${script})
endforeach()

# The commit of a checkout, and whether it is clean. Without one nothing is known, though another is around it, and
# though the environment names another and hides what is new.
function(git)
  execute_process(
    COMMAND env -u GIT_DIR git -c user.name=A -c user.email=a@b.example ${ARGN} WORKING_DIRECTORY "${tree}"
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY
  )
endfunction()
execute_process(COMMAND git init --quiet "${TSB_TEST_DIR}" COMMAND_ERROR_IS_FATAL ANY)
git(add .)
git(commit --quiet -m around)
set(ENV{GIT_DIR} "${TSB_TEST_DIR}/.git")
set(ENV{GIT_CONFIG_COUNT} 1)
set(ENV{GIT_CONFIG_KEY_0} status.showUntrackedFiles)
set(ENV{GIT_CONFIG_VALUE_0} no)
changed("a checkout around it" "libtorch-shared-with-deps: up to date" RAN)
git(init --quiet .)
git(add .)
git(commit --quiet -m one)
set(origin "${artifact} statement: origin: was:")
changed("a checkout" ${origin} "\"clean\": true" RAN statement deliver)
file(WRITE "${tree}/new.txt" "")
changed("a change in it" ${origin} "\"clean\": false" RAN statement deliver)
unset(ENV{GIT_DIR})
unset(ENV{GIT_CONFIG_COUNT})

# Outputs that are gone.
file(REMOVE_RECURSE "${build}/stage/libtorch-shared-with-deps")
changed(
  "no staged tree" "${artifact} stage: ${build}/stage/libtorch-shared-with-deps does not exist" RAN ${packed} deliver
)
file(REMOVE "${zip}")
changed("no zip" "${artifact} deliver: ${zip} does not exist" RAN deliver)
file(REMOVE "${build}/check/libtorch-shared-with-deps/check.json")
changed("no report" "${artifact} check: ${build}/check/libtorch-shared-with-deps/check.json does not exist" RAN check)

# Another content of the staged tree: the zip is another one, so all that looks at it runs.
file(READ "${tree}/packaging/libtorch/stage.cmake" text)
string(REPLACE "lines\\n" "more lines\\n" text "${text}")
file(WRITE "${tree}/packaging/libtorch/stage.cmake" "${text}")
changed("other content" "${artifact} stage:" RAN ${packed} check consumer deliver)

# The package below.
file(WRITE "${box}/stage.cmake" "file(WRITE \"\${TSB_INSTALL_DIR}/include/torch.h\" \"more\")\n")
changed("the package" "${artifact} stage when pytorch is up to date" RAN stage ${packed} check consumer deliver)

# What has passed without a network is checked again with one, and not the other way round.
set(ENV{TSB_OFFLINE} ON)
changed("no network" "libtorch-shared-with-deps: up to date" RAN)
file(WRITE "${box}/consumer/more/more.cpp" "\n\n")
changed("no network, another consumer" "TSB_OFFLINE: was: OFF TSB_OFFLINE: now: ON" RAN consumer deliver)
unset(ENV{TSB_OFFLINE})
changed("a network" "${artifact} consumer: TSB_OFFLINE: was: ON TSB_OFFLINE: now: OFF" RAN consumer deliver)
changed("nothing in the end" "libtorch-shared-with-deps: up to date" RAN)
