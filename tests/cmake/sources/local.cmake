# SPDX-License-Identifier: BSD-3-Clause
# A folder that the user names is taken as it is, before everything else, and known by its content; a folder that is
# not there is an error.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
make_archive("${box}/mirror/demo/1.0/demo.tar" demo-1.0)
add_pin(demo "{\"version\": \"1.0\", \"filename\": \"demo.tar\", \"sha256\": \"${sha256}\", \"strip\": 1}")
set(asked "[{\"name\": \"demo\", \"required\": true}]")
set(tree "${box}/my tree")
file(WRITE "${tree}/hello.txt" "mine")
file(WRITE "${tree}/Below/Deep.txt" "deep")
file(WRITE "${tree}/Below/.hidden" "hidden")
file(WRITE "${tree}/below/.gitmodules" "no folder of git's")
file(WRITE "${tree}/below/.git" "gitdir: /of/a/submodule")
file(WRITE "${tree}/.git/unknown" "to git too")
file(WRITE "${box}/elsewhere/far.txt" "far")
file(CREATE_LINK "../elsewhere" "${tree}/link to a folder" SYMBOLIC)
file(CREATE_LINK "hello.txt" "${tree}/link to a file" SYMBOLIC)
file(CREATE_LINK ".." "${tree}/below/link back up" SYMBOLIC)
# Names that CMake's lists, or a shell, take for something else.
foreach(name IN ITEMS "a[" "b\\c" "-e")
  file(WRITE "${tree}/odd/${name}" "odd")
endforeach()
file(WRITE "${tree}/odd/x;y" "odd")

function(check_in folder)
  foreach(
    arguments IN
    ITEMS "init;--quiet" "-c;advice.addEmbeddedRepo=false;add;--all"
          "-c;user.name=x;-c;user.email=x@example.org;-c;commit.gpgsign=false;commit;--quiet;--allow-empty;--message=x"
  )
    execute_process(COMMAND git ${arguments} WORKING_DIRECTORY "${folder}" COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endfunction()
# A repository around it all, in which nothing is changed either.
file(WRITE "${box}/.gitignore" "*\n")
check_in("${box}")

macro(fetch_tree)
  fetch(code text "${asked}" local "{\"demo\": \"${tree}\"}" mirrors "[\"${box}/mirror\"]")
  tsb_expect("exit code" EQUAL ${code} 0)
endmacro()
fetch_tree()
foreach(member IN ITEMS kind provider archive tree_sha256 commit sha256)
  entry(${member} demo ${member})
endforeach()
tsb_expect("kind" EQUAL "${kind}" folder)
tsb_expect("provider" EQUAL "${provider}" local)
tsb_expect("folder" EQUAL "${archive}" "${tree}")
tsb_expect("a commit of what is not a checkout" EQUAL "${commit}" "")
tsb_expect("a hash of what is not an archive" EQUAL "${sha256}" "")

# What anybody gets with the usual tools, of the folder and of what is copied of it.
unpack(demo "${box}/out")
foreach(folder IN ITEMS "${tree}" "${box}/out")
  execute_process(
    COMMAND
      sh -c "find -L . -name .git -prune -o -type f -printf '%P\\0' 2>\"$1\" | LC_ALL=C sort -z | xargs -0 sha256sum" sh
      "${box}/errors"
    WORKING_DIRECTORY "${folder}"
    OUTPUT_FILE "${box}/sums" COMMAND_ERROR_IS_FATAL ANY
  )
  execute_process(COMMAND sha256sum "${box}/sums" OUTPUT_VARIABLE sum COMMAND_ERROR_IS_FATAL ANY)
  file(READ "${box}/sums" lines)
  string(REGEX MATCHALL "\n" lines "${lines}")
  list(LENGTH lines count)
  tsb_expect("the files of ${folder}" EQUAL ${count} 10)
  tsb_expect("the hash of ${folder}" EQUAL "${tree_sha256}  ${box}/sums\n" "${sum}")
endforeach()

# A link that leads nowhere is not a file, for the hash and for the copy.
file(CREATE_LINK "nowhere" "${tree}/below/link to nothing" SYMBOLIC)
fetch_tree()
entry(now demo tree_sha256)
tsb_expect("the hash with a link that leads nowhere" EQUAL "${now}" "${tree_sha256}")
file(REMOVE_RECURSE "${box}/out")
unpack(demo "${box}/out")
foreach(file IN ITEMS hello.txt Below/Deep.txt Below/.hidden "link to a folder/far.txt" "link to a file")
  file(SHA256 "${tree}/${file}" here)
  file(SHA256 "${box}/out/${file}" there)
  tsb_expect("the copy of ${file}" EQUAL "${there}" "${here}")
endforeach()
file(REMOVE "${tree}/below/link to nothing")

# expect_changed(<what> <whether>)
macro(expect_changed what whether)
  fetch_tree()
  entry(now demo tree_sha256)
  set(changed OFF)
  if(NOT now STREQUAL tree_sha256)
    set(changed ON)
  endif()
  tsb_expect("another hash, ${what}" EQUAL "${changed}" "${whether}")
  set(tree_sha256 "${now}")
endmacro()
execute_process(COMMAND touch -d 2001-01-01 "${tree}/hello.txt" COMMAND_ERROR_IS_FATAL ANY)
expect_changed("a file touched" OFF)
file(WRITE "${tree}/hello.txt" "mime")
expect_changed("a file changed, of the same size" ON)
file(WRITE "${box}/elsewhere/far.txt" "farther")
expect_changed("a file behind a link changed" ON)
file(RENAME "${tree}/Below/.hidden" "${tree}/Below/.hid")
expect_changed("a file renamed" ON)
file(WRITE "${tree}/.git/unknown" "changed")
file(WRITE "${tree}/below/.git" "gitdir: /of/another/submodule")
expect_changed("only what is of git changed" OFF)

# A checkout has a commit as long as nothing in it was changed, whatever it is configured to report.
function(expect_commit what wanted)
  fetch_tree()
  entry(commit demo commit)
  tsb_expect("the commit ${what}" EQUAL "${commit}" "${wanted}")
endfunction()
file(REMOVE "${tree}/below/.git" "${tree}/.git/unknown")
file(WRITE "${tree}/sub/module.txt" "a submodule's")
file(WRITE "${tree}/.gitmodules" "[submodule \"sub\"]\n\tpath = sub\n\turl = ./none\n\tignore = dirty\n")
expect_changed("more files" ON)
check_in("${tree}/sub")
check_in("${tree}")
execute_process(COMMAND git config status.showUntrackedFiles no WORKING_DIRECTORY "${tree}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND git rev-parse HEAD
  WORKING_DIRECTORY "${tree}"
  OUTPUT_VARIABLE head
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY
)
expect_commit("of a checkout" "${head}")
expect_changed("the same files, checked in" OFF)
file(WRITE "${tree}/new.txt" "new")
expect_commit("with a new file" "")
file(REMOVE "${tree}/new.txt")
file(WRITE "${tree}/sub/module.txt" "changed")
expect_commit("with a changed file in a submodule" "")
file(WRITE "${tree}/sub/module.txt" "a submodule's")
expect_commit("with all as it was" "${head}")
file(WRITE "${tree}/hello.txt" "something else")
expect_commit("with a changed file" "")

fetch(code text "${asked}" local "{\"demo\": \"${box}/no tree\"}" mirrors "[\"${box}/mirror\"]")
tsb_expect("exit code" EQUAL ${code} 1)
tsb_expect(
  "what is said" CONTAINS "${text}" "local: ${box}/no tree does not exist: correct TSB_LOCAL_demo, or unset it"
)
file(MAKE_DIRECTORY "${box}/empty tree")
set(folders "${box}/empty tree" "${tree}/hello.txt" "../tree")
set(faults "is empty" "is a file, not a folder" "is not an absolute path")
foreach(folder fault IN ZIP_LISTS folders faults)
  fetch(code text "${asked}" local "{\"demo\": \"${folder}\"}" mirrors "[\"${box}/mirror\"]")
  tsb_expect("exit code" EQUAL ${code} 1)
  tsb_expect("what is said" CONTAINS "${text}" "local: ${folder} ${fault}: correct TSB_LOCAL_demo, or unset it")
endforeach()
