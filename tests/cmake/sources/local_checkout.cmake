# SPDX-License-Identifier: BSD-3-Clause
# A git checkout of the user's with submodules: what is in it is taken from it, with the commits that git tells; what is
# empty is named with the command that fills it; nothing of git's is copied, whatever git does meanwhile.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
find_program(git git)
if(NOT git)
  message("SKIP: git is not installed")
  return()
endif()
set(ENV{GIT_CONFIG_GLOBAL} "${box}/gitconfig")
file(
  WRITE "${box}/gitconfig"
  "[user]\n\tname = a\n\temail = a@example.org\n[protocol \"file\"]\n\tallow = always\n[advice]\n\taddEmbeddedRepo = false\n"
)
function(git folder)
  execute_process(
    COMMAND git ${ARGN}
    WORKING_DIRECTORY "${folder}"
    OUTPUT_VARIABLE said
    ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY
  )
  set(said "${said}" PARENT_SCOPE)
endfunction()
function(make_repository name)
  set(folder "${box}/repositories/${name}")
  file(WRITE "${folder}/${name}.txt" "${name}\n")
  git("${folder}" init --quiet --initial-branch=main)
  foreach(submodule IN LISTS ARGN)
    git("${folder}" submodule --quiet add "file://${box}/repositories/${submodule}" "third party/${submodule}")
  endforeach()
  git("${folder}" add --all)
  git("${folder}" commit --quiet -m one)
  git("${folder}" rev-parse HEAD)
  set(commit_of_${name} "${said}" PARENT_SCOPE)
endfunction()
foreach(name IN ITEMS leaf needed wanted extra)
  make_repository(${name})
endforeach()
make_repository(outer leaf)
make_repository(tree outer needed wanted extra)
set(tree "${box}/a checkout")
git("${box}" clone --quiet --recursive "file://${box}/repositories/tree" "a checkout")

# The pins know another commit of one, and have two more: one is not a submodule of this tree, one lies in a submodule.
string(REPEAT 0 64 zeros)
add_pin(
  tree "{\"version\": \"1.0\", \"filename\": \"tree.tar\", \"sha256\": \"${zeros}\", \"strip\": 1, \"complete\": true}"
)
foreach(name IN ITEMS leaf needed wanted extra outer)
  set(commit "${commit_of_${name}}")
  if(name STREQUAL "wanted")
    string(REPEAT "a" 40 commit)
  endif()
  add_pin(${name} "{\"version\": \"7.${name}\", \"commit\": \"${commit}\", \"git\": \"file:///nowhere\"}")
endforeach()
string(JSON sources SET "${sources}" outer candidates 0 complete "[\"third party/leaf\"]")
make_archive("${box}/mirror/stranger/2.0/stranger.tar" stranger-2.0)
add_pin(stranger "{\"version\": \"2.0\", \"filename\": \"stranger.tar\", \"sha256\": \"${sha256}\", \"strip\": 1}")
string(
  JSON
  sources
  SET
  "${sources}"
  tree
  submodules
  "[{\"name\": \"outer\", \"path\": \"third party/outer\", \"required\": true},
  {\"name\": \"leaf\", \"path\": \"third party/outer/third party/leaf\", \"required\": true},
  {\"name\": \"needed\", \"path\": \"third party/needed\", \"required\": true},
  {\"name\": \"wanted\", \"path\": \"third party/wanted\", \"required\": false, \"feature\": \"WANTED\"},
  {\"name\": \"extra\", \"path\": \"third party/extra\", \"required\": false, \"feature\": \"EXTRA\"},
  {\"name\": \"stranger\", \"path\": \"third party/stranger\", \"required\": true}]"
)
set(asked "[{\"name\": \"tree\", \"required\": true}]")
macro(fetch_tree expected)
  fetch(code text "${asked}" local "{\"tree\": \"${tree}\"}" mirrors "[\"${box}/mirror\"]" offline true)
  tsb_expect("exit code" EQUAL ${code} ${expected})
endmacro()
function(expect_member name status version commit)
  foreach(member IN ITEMS status version commit)
    entry(found ${name} ${member})
    tsb_expect("${member} of ${name}" EQUAL "${found}" "${${member}}")
  endforeach()
endfunction()

fetch_tree(0)
tsb_expect("what is said" CONTAINS "${text}" "fetch: tree is the folder ${tree}, commit ${commit_of_tree}")
foreach(name IN ITEMS outer leaf needed extra)
  expect_member(${name} included 7.${name} "${commit_of_${name}}")
endforeach()
expect_member(wanted included "" "${commit_of_wanted}")
entry(status stranger status)
tsb_expect("what the tree does not have" EQUAL "${status}" ok)

# What is hashed is copied, nothing else.
# git's own maintenance beside the copy, as a commit starts it.
execute_process(
  COMMAND
    sh -c
    "timeout 100 sh -c 'while [ ! -e \"$1\" ]; do git -C \"$2\" gc --quiet --prune=now; touch \"$2/.git/gc.now\"; rm \"$2/.git/gc.now\"; done' sh \"$1\" \"$2\" >/dev/null 2>&1 &"
    sh "${box}/enough" "${tree}" COMMAND_ERROR_IS_FATAL ANY
)
foreach(attempt RANGE 3)
  unpack(tree "${box}/out")
endforeach()
file(WRITE "${box}/enough" "")
execute_process(COMMAND find "${box}/out" -name .git OUTPUT_VARIABLE found)
tsb_expect("what is copied of git's" EQUAL "${found}" "")
tsb_expect("the innermost file" EXISTS "${box}/out/third party/outer/third party/leaf/leaf.txt")

# What changed after it was hashed is named; what is new is not copied.
file(WRITE "${tree}/new.txt" "new\n")
unpack(tree "${box}/out")
tsb_expect("the new file" ABSENT "${box}/out/new.txt")
file(WRITE "${tree}/third party/needed/needed.txt" "deeded\n")
unpack(tree "${box}/out" 3)
tsb_expect(
  "what is said" CONTAINS "${text}"
  "unpack: ${tree} changed since it was fetched: third party/needed/needed.txt Let nothing write into it, and run the same command again."
)
file(REMOVE "${tree}/third party/needed/needed.txt")
unpack(tree "${box}/out" 3)
tsb_expect(
  "what is said" CONTAINS "${text}"
  "${tree} cannot be copied: third party/needed/needed.txt: No such file or directory"
)

# Why there is no commit, at once.
git("${tree}/third party/needed" checkout --quiet .)
fetch_tree(0)
tsb_expect("what is said" CONTAINS "${text}" "the folder ${tree}, no commit: new.txt is changed or new")
file(WRITE "${tree}/third party/extra/extra.txt" "changed\n")
fetch_tree(0)
tsb_expect("what is said" CONTAINS "${text}" "and 1 more are changed or new")
expect_member(extra included "" "")
expect_member(needed included 7.needed "${commit_of_needed}")
set(ENV{GIT_TEST_ASSUME_DIFFERENT_OWNER} 1)
fetch_tree(0)
unset(ENV{GIT_TEST_ASSUME_DIFFERENT_OWNER})
tsb_expect("what is said about another user's" CONTAINS "${text}" "which belongs to another user")
tsb_expect("the remedy" CONTAINS "${text}" "git config --global --add safe.directory '${tree}'")

# Not initialised: the optional one is off, required ones end the fetch. Neither comes from the pins.
git("${tree}" reset --quiet --hard)
git("${tree}" clean --quiet -ffd)
git("${tree}" submodule --quiet foreach git checkout --quiet .)
git("${tree}" submodule deinit --quiet --force "third party/extra")
fetch_tree(0)
tsb_expect(
  "what is said about the optional one" CONTAINS "${text}"
  "fetch: the submodule third party/extra of ${tree} is empty, so tree feature EXTRA is off; to enable it: git -C '${tree}' submodule update --init --recursive 'third party/extra'"
)
git("${tree}" submodule deinit --quiet --force "third party/needed" "third party/outer")
fetch_tree(1)
tsb_expect(
  "what is said about the required ones" CONTAINS "${text}"
  "fetch: ${tree} lacks submodules that tree needs; run this and the same command again: git -C '${tree}' submodule update --init --recursive 'third party/outer' 'third party/needed'"
)
tsb_expect("other remedies" LACKS "${text}" "do one of these")
git("${tree}" submodule --quiet update --init)
fetch_tree(1)
entry(status outer status)
tsb_expect("what lacks a submodule that its pin takes along" EQUAL "${status}" missing)
tsb_expect("the submodule of a submodule" CONTAINS "${text}" "--recursive 'third party/outer'")
# The command that was named.
git("${tree}" submodule --quiet update --init --recursive "third party/outer")
fetch_tree(0)
tsb_expect("what is said" CONTAINS "${text}" ", commit ${commit_of_tree}")
