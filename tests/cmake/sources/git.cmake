# SPDX-License-Identifier: BSD-3-Clause
# A commit, with the commits of its submodules when the tree is to be complete, becomes one verified file without
# history, from which the very tree comes out again. A pin may name the submodules that are taken; a name that is none,
# and one that cannot be reached, are said. GIT_PROTOCOL=0 asks for a server that gives no single commits.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
find_program(git git)
if(NOT git)
  message("SKIP: git is not installed")
  return()
endif()
set(ENV{GIT_CONFIG_GLOBAL} /dev/null)
set(ENV{GIT_AUTHOR_NAME} a)
set(ENV{GIT_AUTHOR_EMAIL} a@b)
set(ENV{GIT_COMMITTER_NAME} a)
set(ENV{GIT_COMMITTER_EMAIL} a@b)
function(git folder)
  execute_process(
    COMMAND git -c protocol.file.allow=always ${ARGN} WORKING_DIRECTORY "${folder}" OUTPUT_QUIET ERROR_QUIET
                                                                                    COMMAND_ERROR_IS_FATAL ANY
  )
endfunction()
function(make_repository folder file)
  file(MAKE_DIRECTORY "${folder}")
  git("${folder}" init --quiet --initial-branch=main)
  file(WRITE "${folder}/${file}" "old\n")
  git("${folder}" add --all)
  git("${folder}" commit --quiet -m one)
  file(WRITE "${folder}/${file}" "${file}\n")
  git("${folder}" add --all)
  git("${folder}" commit --quiet -m two)
endfunction()
function(add_submodule folder from path)
  git("${folder}" submodule --quiet add ${from} "${path}")
endfunction()
make_repository("${box}/repositories/deep" deep.txt)
make_repository("${box}/repositories/big" big.txt)
make_repository("${box}/repositories/inner" inner.txt)
add_submodule("${box}/repositories/inner" ../deep deep)
git("${box}/repositories/inner" commit --quiet -m three)
make_repository("${box}/repositories/outer" outer.txt)
add_submodule("${box}/repositories/outer" ../inner "third party/inner")
add_submodule("${box}/repositories/outer" ../big "third party/big")
file(WRITE "${box}/repositories/outer/.gitattributes" "hidden.txt export-ignore\n")
file(WRITE "${box}/repositories/outer/hidden.txt" "hidden\n")
git("${box}/repositories/outer" add --all)
git("${box}/repositories/outer" commit --quiet -m three)
execute_process(
  COMMAND git rev-parse HEAD
  WORKING_DIRECTORY "${box}/repositories/outer"
  OUTPUT_VARIABLE commit
  OUTPUT_STRIP_TRAILING_WHITESPACE
)
# Another commit on top, so that the pinned one is not the tip of anything.
file(WRITE "${box}/repositories/outer/outer.txt" "newer\n")
git("${box}/repositories/outer" commit --quiet --all -m four)
if(GIT_PROTOCOL STREQUAL "0")
  set(ENV{GIT_CONFIG_COUNT} 1)
  set(ENV{GIT_CONFIG_KEY_0} protocol.version)
  set(ENV{GIT_CONFIG_VALUE_0} 0)
endif()

set(candidate "{\"version\": \"1.0\", \"commit\": \"${commit}\", \"git\": \"file://${box}/repositories/outer\"}")
string(JSON complete SET "${candidate}" complete true)
add_pin(whole "${complete}")
add_pin(outer "${candidate}")
string(JSON some SET "${candidate}" complete "[\"third party/inner\"]")
add_pin(some "${some}")
string(JSON nested SET "${candidate}" complete "[\"third party/inner/deep\", \"third party/inner\"]")
add_pin(nested "${nested}")
string(JSON misnamed SET "${candidate}" complete "[\"third party/inner\", \"inner\"]")
add_pin(misnamed "${misnamed}")
string(REPEAT "a" 40 nothing)
add_pin(gone "{\"version\": \"1.0\", \"commit\": \"${nothing}\", \"git\": \"file://${box}/repositories/outer\"}")
fetch(
  code text "[{\"name\": \"whole\", \"required\": true}, {\"name\": \"outer\", \"required\": true},
  {\"name\": \"some\", \"required\": true}, {\"name\": \"nested\", \"required\": true},
  {\"name\": \"misnamed\", \"required\": false}, {\"name\": \"gone\", \"required\": false}]"
)
tsb_expect("exit code" EQUAL ${code} 0)
entry(status gone status)
tsb_expect("a commit that is not there" EQUAL "${status}" missing)
tsb_expect("what is said about it" CONTAINS "${text}" "gone 1.0 is not available")
tsb_expect("a submodule that is none" CONTAINS "${text}" "it has no submodule inner, which its pin names")
entry(status misnamed status)
tsb_expect("a submodule that is none" EQUAL "${status}" missing)
set(pack "${cache}/whole/1.0/whole-${commit}.pack")
tsb_expect("the pack" EXISTS "${pack}")

foreach(name whole outer some nested)
  unpack(${name} "${box}/out/${name}")
  file(READ "${box}/out/${name}/outer.txt" content)
  tsb_expect("a file of ${name}" EQUAL "${content}" "outer.txt\n")
  tsb_expect("what archives would leave out" EXISTS "${box}/out/${name}/hidden.txt")
  tsb_expect("nothing of git" ABSENT "${box}/out/${name}/.git")
endforeach()
# expect_submodules(<source> EXISTS|ABSENT for inner, for what is nested in it, and for the other one)
function(expect_submodules name inner deep big)
  tsb_expect("inner in ${name}" ${inner} "${box}/out/${name}/third party/inner/inner.txt")
  tsb_expect("deep in ${name}" ${deep} "${box}/out/${name}/third party/inner/deep/deep.txt")
  tsb_expect("big in ${name}" ${big} "${box}/out/${name}/third party/big/big.txt")
endfunction()
expect_submodules(whole EXISTS EXISTS EXISTS)
expect_submodules(outer ABSENT ABSENT ABSENT)
expect_submodules(some EXISTS ABSENT ABSENT)
expect_submodules(nested EXISTS EXISTS ABSENT)

# A submodule that is not taken need not be within reach; one that is taken is named.
file(REMOVE_RECURSE "${box}/repositories/big")
set(first_cache "${cache}")
set(cache "${box}/cache without big")
fetch(code text "[{\"name\": \"nested\", \"required\": true}, {\"name\": \"whole\", \"required\": false}]")
tsb_expect("without a submodule that is not taken" EQUAL ${code} 0)
tsb_expect(
  "a submodule out of reach" CONTAINS "${text}"
  "git: submodule third party/big: file://${box}/repositories/big: fatal:"
)
set(cache "${first_cache}")

# In a copied cache the files have other times. Its packs are hashed, not unpacked: git is not asked.
file(REMOVE_RECURSE "${box}/repositories")
set(path "$ENV{PATH}")
file(WRITE "${box}/no git/git" "#!/bin/sh\necho \"git $*\" >>\"${box}/asked\"\nexit 1\n")
file(CHMOD "${box}/no git/git" PERMISSIONS OWNER_READ OWNER_EXECUTE)
set(ENV{PATH} "${box}/no git:${path}")
execute_process(COMMAND touch -d "1 hour ago" "${pack}" COMMAND_ERROR_IS_FATAL ANY)
foreach(run IN ITEMS first second)
  fetch(code text "[{\"name\": \"whole\", \"required\": true}]" offline true)
  tsb_expect("a pack with another time, ${run} run" EQUAL ${code} 0)
  tsb_expect("git" ABSENT "${box}/asked")
endforeach()
set(ENV{PATH} "${path}")
# Other bytes of the same size are found.
file(COPY_FILE "${pack}" "${box}/whole.pack")
execute_process(
  COMMAND sh -c "printf x | dd of=\"$0\" bs=1 seek=40 conv=notrunc status=none" "${pack}" COMMAND_ERROR_IS_FATAL ANY
)
fetch(code text "[{\"name\": \"whole\", \"required\": true}]" offline true)
tsb_expect("a changed pack" EQUAL ${code} 1)
tsb_expect("what is said" CONTAINS "${text}" "It was moved aside to ${pack}.wrong")
file(RENAME "${box}/whole.pack" "${pack}")

# From a mirror it is verified again, without any repository.
set(first_cache "${cache}")
set(cache "${box}/another cache")
fetch(code text "[{\"name\": \"whole\", \"required\": true}]" offline true mirrors "[\"${first_cache}\"]")
tsb_expect("from a mirror" EQUAL ${code} 0)
set(cache "${box}/third cache")
file(READ "${pack}" hex LIMIT 60 HEX)
file(WRITE "${pack}" "PACK, but no more")
fetch(code text "[{\"name\": \"whole\", \"required\": true}]" offline true mirrors "[\"${first_cache}\"]")
tsb_expect("a broken pack" EQUAL ${code} 1)
tsb_expect("what is said" CONTAINS "${text}" "not the commit ${commit}: not a whole git pack")
# Another commit under the right name is not accepted: here the pack without the submodule.
file(COPY_FILE "${first_cache}/outer/1.0/outer-${commit}.pack" "${pack}")
fetch(code text "[{\"name\": \"whole\", \"required\": true}]" offline true mirrors "[\"${first_cache}\"]")
tsb_expect("a pack that lacks a submodule" EQUAL ${code} 1)
tsb_expect("what is said" CONTAINS "${text}" "is not in it")
