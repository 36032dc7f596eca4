# SPDX-License-Identifier: BSD-3-Clause
# The providers `upstream` and `git` against the stand-in for GitHub of tests/fixtures/github, over https and through a
# proxy: what they fetch, and what they say about each thing that goes wrong there.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
include(${TSB_SOURCE_DIR}/tests/fixtures/github/github.cmake)
set(hub "${box}/github")
github_start("${hub}")
set(ENV{SSL_CERT_FILE} "${github_ca}")

# Two levels of submodules, the addresses relative and absolute.
file(WRITE "${box}/trees/deep/deep.txt" "deep\n")
file(WRITE "${box}/trees/inner/inner.txt" "inner\n")
file(WRITE "${box}/trees/outer/outer.txt" "outer\n")
string(RANDOM LENGTH 300000 RANDOM_SEED 7 filling)
file(WRITE "${box}/trees/outer/filling.txt" "${filling}")
github_commit(deep other/deep "${box}/trees/deep")
github_commit(inner owner/inner "${box}/trees/inner" "third party/deep|../../other/deep.git|${deep}")
github_commit(outer owner/outer "${box}/trees/outer" "third_party/inner|../inner.git|${inner}")
github_commit(absolute owner/absolute "${box}/trees/outer" "third_party/inner|https://github.com/owner/inner|${inner}")
github_commit(lacks owner/lacks "${box}/trees/outer" "third_party/gone|https://github.com/owner/gone.git|${inner}")
github_commit(
  unnamed owner/unnamed "${box}/trees/outer" "third_party/inner|../inner.git|${inner}" "third_party/odd||${deep}"
)
github_tar("${hub}/releases/owner/outer/v1.0/outer-1.0.tar.gz" "${box}/trees/outer" outer-1.0)
file(SHA256 "${hub}/releases/owner/outer/v1.0/outer-1.0.tar.gz" sha256)
file(SIZE "${hub}/releases/owner/outer/v1.0/outer-1.0.tar.gz" size)
set(release "https://github.com/owner/outer/releases/download/v1.0/outer-1.0.tar.gz")
string(REPEAT "0" 64 zeros)
string(REPEAT "a" 40 nothing)

# git_pin(<name> <repository> <commit> [<member> <value>]...), archive_pin(<name> <url> [<member> <value>]...)
function(git_pin name repository commit)
  set(candidate "{\"version\": \"1.0\", \"commit\": \"${commit}\", \"git\": \"https://github.com/${repository}.git\"}")
  while(ARGN)
    list(POP_FRONT ARGN member value)
    string(JSON candidate SET "${candidate}" ${member} "${value}")
  endwhile()
  add_pin(${name} "${candidate}")
  set(sources "${sources}" PARENT_SCOPE)
endfunction()
function(archive_pin name url)
  set(candidate "{\"version\": \"1.0\", \"filename\": \"${name}.tar.gz\", \"strip\": 1, \"url\": [\"${url}\"]}")
  foreach(pair IN ITEMS "sha256=\"${sha256}\"" "size=${size}" ${ARGN})
    string(REGEX MATCH "^([a-z0-9]+)=(.*)$" ignored "${pair}")
    string(JSON candidate SET "${candidate}" ${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
  endforeach()
  add_pin(${name} "${candidate}")
  set(sources "${sources}" PARENT_SCOPE)
endfunction()

# ask(<name>...): fetches them from an empty cache; sets code, text, and asked: the requests that the server saw.
function(ask)
  file(REMOVE_RECURSE "${cache}")
  file(REMOVE "${github_log}")
  set(entries "[]")
  set(index 0)
  foreach(name IN LISTS ARGN)
    string(JSON entries SET "${entries}" ${index} "{\"name\": \"${name}\", \"required\": true}")
    math(EXPR index "${index} + 1")
  endforeach()
  fetch(code text "${entries}" providers "[\"upstream\", \"git\"]")
  set(asked "")
  if(EXISTS "${github_log}")
    file(READ "${github_log}" asked)
  endif()
  set(code ${code} PARENT_SCOPE)
  set(text "${text}" PARENT_SCOPE)
  set(asked "${asked}" PARENT_SCOPE)
endfunction()
function(unpack_new name)
  file(REMOVE_RECURSE "${box}/out")
  unpack(${name} "${box}/out")
endfunction()
# said(<what> <words>...): the fetch failed with these words.
macro(said what)
  tsb_expect("exit code, ${what}" EQUAL ${code} 1)
  foreach(words IN ITEMS ${ARGN})
    tsb_expect("${what}" CONTAINS "${text}" "${words}")
  endforeach()
endmacro()

if(PART STREQUAL "good")
  # What GitHub makes on request, what it keeps, and repositories.
  execute_process(
    COMMAND git --git-dir=${hub}/repositories/owner/outer.git archive --format=tar.gz --prefix=outer-${outer}/ ${outer}
    OUTPUT_FILE "${box}/made.tar.gz" COMMAND_ERROR_IS_FATAL ANY
  )
  file(SHA256 "${box}/made.tar.gz" made)
  archive_pin(made "https://github.com/owner/outer/archive/${outer}.tar.gz" "sha256=\"${made}\"" size=0)
  archive_pin(kept "${release}")
  git_pin(whole owner/outer ${outer} complete true)
  git_pin(absolute owner/absolute ${absolute} complete true)
  git_pin(alone owner/outer ${outer})
  ask(made kept whole absolute alone)
  tsb_expect("exit code" EQUAL ${code} 0)
  tsb_expect("made on request" CONTAINS "${text}" "made 1.0 from upstream (https://github.com/owner/outer/archive/")
  tsb_expect("where it came from" CONTAINS "${asked}" "codeload.github.com/owner/outer/tar.gz/${outer}")
  tsb_expect("kept" CONTAINS "${asked}" "objects.githubusercontent.com/owner/outer/v1.0/outer-1.0.tar.gz?X-Amz-")
  tsb_expect("git's newer protocol" CONTAINS "${asked}" "github.com/owner/outer.git/git-upload-pack")
  unpack_new(whole)
  file(READ "${box}/out/third_party/inner/third party/deep/deep.txt" content)
  tsb_expect("a submodule of a submodule" EQUAL "${content}" "deep\n")
  unpack_new(absolute)
  tsb_expect("an absolute address" EXISTS "${box}/out/third_party/inner/third party/deep/deep.txt")
  unpack_new(alone)
  tsb_expect("no submodule unasked" ABSENT "${box}/out/third_party/inner/inner.txt")

  # An archive that GitHub makes anew with another compressor has another hash; the commit is the same.
  archive_pin(
    regenerated "https://github.com/owner/outer/archive/${outer}.tar.gz" "sha256=\"${zeros}\"" size=0
    "commit=\"${outer}\"" "git=\"https://github.com/owner/outer.git\""
  )
  ask(regenerated)
  tsb_expect("exit code" EQUAL ${code} 0)
  tsb_expect("the archive" CONTAINS "${text}" "wrong sha256: expected ${zeros}, got ${made}")
  tsb_expect("the commit" CONTAINS "${text}" "regenerated 1.0 from git (https://github.com/owner/outer.git)")

  # A busy server and a lost connection are asked again, and what has arrived is not fetched twice.
  github_fault("1 429 outer-1.0" "1 503 inner.git/git-upload-pack" "1 cut objects.*outer-1.0")
  ask(kept whole)
  tsb_expect("exit code, busy" EQUAL ${code} 0)
  string(REGEX MATCH "outer-1.0.tar.gz[^\n]* bytes=([0-9]+)-" ignored "${asked}")
  math(EXPR half "${size} / 2")
  tsb_expect("where the second transfer began" EQUAL "${CMAKE_MATCH_1}" ${half})
  # Nor when the second transfer is lost before anything has arrived.
  github_fault("1 cut objects.+outer-1.0" "1 drop objects.+outer-1.0")
  ask(kept)
  tsb_expect("exit code, lost twice" EQUAL ${code} 0)
  string(REGEX MATCHALL "objects[^\n]* bytes=${half}-" ranges "${asked}")
  list(LENGTH ranges count)
  tsb_expect("how often the second half was asked for" EQUAL ${count} 2)
  github_fault("1 cut outer.git/git-upload-pack" "1 cut codeload")
  ask(made alone)
  tsb_expect("exit code, lost connections" EQUAL ${code} 0)
  github_fault()
elseif(PART STREQUAL "bad")
  # What is not there, and what is lost for good.
  archive_pin(nothing "https://github.com/owner/outer/releases/download/v9/nothing.tar.gz")
  archive_pin(cut "${release}")
  archive_pin(busy "https://github.com/owner/busy/releases/download/v1/busy.tar.gz")
  archive_pin(denied "https://github.com/owner/denied/releases/download/v1/denied.tar.gz")
  git_pin(private owner/private ${outer})
  git_pin(lacks owner/lacks ${lacks} complete true)
  git_pin(unnamed owner/unnamed ${unnamed} complete true)
  git_pin(commit owner/outer ${nothing})
  github_fault("9 cut objects.*outer-1.0" "9 429 owner/busy" "9 403 owner/denied")
  # A desktop's way to ask for a password, which would wait for somebody.
  file(WRITE "${box}/ask.sh" "#!/bin/sh\ntouch '${box}/somebody was asked'\necho me\n")
  file(CHMOD "${box}/ask.sh" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  set(ENV{GIT_ASKPASS} "${box}/ask.sh")
  ask(nothing cut busy denied private lacks unnamed commit)
  said(
    "faults"
    "upstream: not there (HTTP 404), from https://github.com/owner/outer/releases/download/v9/nothing.tar.gz"
    "of ${size} bytes, from ${release}"
    "upstream: too many requests (HTTP 429), try again later, from https://github.com/owner/busy"
    "upstream: access denied (HTTP 403), from https://github.com/owner/denied"
    "git: https://github.com/owner/private.git: no such repository, or it is private"
    "git: submodule third_party/gone: https://github.com/owner/gone.git: no such repository, or it is private"
    "git: submodule third_party/odd: .gitmodules has no address for it"
    "git: https://github.com/owner/outer.git has no commit ${nothing}"
  )
  tsb_expect("a password" ABSENT "${box}/somebody was asked")
  # A commit that is not there is no reason to fetch everything.
  string(REGEX MATCHALL "github.com/owner/outer.git/git-upload-pack" requests "${asked}")
  list(LENGTH requests count)
  if(count GREATER 3)
    message(FATAL_ERROR "a commit that is not there: ${count} requests: ${asked}")
  endif()
else()
  message(FATAL_ERROR "PART is '${PART}'")
endif()
github_stop()
