# SPDX-License-Identifier: BSD-3-Clause
# A network whose proxy shows certificates of its own CA: one variable makes CMake, git and pip trust it, git's own
# settings hold, and each thing that is wrong with proxy or CA is named, with what to set.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
include(${TSB_SOURCE_DIR}/tests/fixtures/github/github.cmake)
set(hub "${box}/github")
github_start("${hub}")
file(WRITE "${box}/trees/outer/outer.txt" "outer\n")
github_commit(outer owner/outer "${box}/trees/outer")
github_tar("${hub}/releases/owner/outer/v1.0/outer-1.0.tar.gz" "${box}/trees/outer" outer-1.0)
file(SHA256 "${hub}/releases/owner/outer/v1.0/outer-1.0.tar.gz" sha256)
add_pin(
  archive "{\"version\": \"1.0\", \"filename\": \"outer-1.0.tar.gz\", \"sha256\": \"${sha256}\", \"strip\": 1,
  \"url\": [\"https://github.com/owner/outer/releases/download/v1.0/outer-1.0.tar.gz\"]}"
)
set(git_candidate "{\"version\": \"1.0\", \"commit\": \"${outer}\", \"git\": \"https://github.com/owner/outer.git\"}")
add_pin(repository "${git_candidate}")
string(JSON elsewhere SET "${git_candidate}" git "\"https://somewhere.example/owner/outer.git\"")
add_pin(elsewhere "${elsewhere}")
string(JSON site SET "${git_candidate}" git "\"${github_site}/owner/outer.git\"")
add_pin(site "${site}")

# Python's part: an index behind the same proxy.
set(wheel demo-1.0-py3-none-any.whl)
file(WRITE "${box}/wheel/demo-1.0.dist-info/METADATA" "Metadata-Version: 2.1\nName: demo\nVersion: 1.0\n")
file(
  WRITE "${box}/wheel/demo-1.0.dist-info/WHEEL"
  "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
)
file(WRITE "${box}/wheel/demo-1.0.dist-info/RECORD" "")
file(MAKE_DIRECTORY "${hub}/index/demo")
github_run("${box}/wheel" "${CMAKE_COMMAND}" -E tar cf "${hub}/index/demo/${wheel}" --format=zip demo-1.0.dist-info)
file(SHA256 "${hub}/index/demo/${wheel}" sha256)
add_pin(
  wheel "{\"version\": \"1.0\", \"filename\": \"${wheel}\", \"sha256\": \"${sha256}\", \"strip\": 0,
  \"python-index\": {\"project\": \"demo\", \"version\": \"1.0\", \"file\": \"${wheel}\"}}"
)
set(ENV{PIP_CONFIG_FILE} /dev/null)
set(ENV{PIP_INDEX_URL} https://gitlab.com/index/)
foreach(variable IN ITEMS PIP_NO_INDEX PIP_FIND_LINKS PIP_EXTRA_INDEX_URL PIP_PROXY)
  unset(ENV{${variable}})
endforeach()

# network(<what> GOOD|BAD <names> [SET <NAME=value>...] [SAYS <words>...]): fetches from an empty cache, with these
# variables.
function(network what expected names)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "" "SET;SAYS")
  file(REMOVE_RECURSE "${cache}")
  foreach(pair IN LISTS arg_SET)
    string(REGEX MATCH "^([^=]+)=(.*)$" ignored "${pair}")
    set(ENV{${CMAKE_MATCH_1}} "${CMAKE_MATCH_2}")
  endforeach()
  set(entries "[]")
  set(index 0)
  foreach(name IN LISTS names)
    string(JSON entries SET "${entries}" ${index} "{\"name\": \"${name}\", \"required\": true}")
    math(EXPR index "${index} + 1")
  endforeach()
  fetch(code text "${entries}" providers "[\"upstream\", \"git\", \"python-index\"]")
  foreach(variable IN ITEMS SSL_CERT_FILE CURL_CA_BUNDLE GIT_SSL_CAINFO REQUESTS_CA_BUNDLE no_proxy)
    unset(ENV{${variable}})
  endforeach()
  set(ENV{GIT_CONFIG_GLOBAL} /dev/null)
  set(ENV{https_proxy} "${github_proxy}")
  string(TOLOWER ${expected} expected)
  tsb_expect("${what}: the end" ENDS "${code}" ${expected})
  foreach(words IN LISTS arg_SAYS)
    tsb_expect("${what}" CONTAINS "${text}" "${words}")
  endforeach()
  tsb_expect("${what}: a password" LACKS "${text}" s3cret)
endfunction()
set(all archive repository)
set(distrust "the certificate of github.com is not trusted: set SSL_CERT_FILE to a file with your network's CA")
execute_process(COMMAND python3 -m pip --version RESULT_VARIABLE no_pip OUTPUT_QUIET ERROR_QUIET)
if(NOT no_pip)
  list(APPEND all wheel)
  set(index_distrust "python-index: the certificate of the index is not trusted: set SSL_CERT_FILE")
endif()

network("no CA" BAD "${all}" SAYS "upstream: ${distrust}" "git: ${distrust}" ${index_distrust})
network("SSL_CERT_FILE" GOOD "${all}" SET "SSL_CERT_FILE=${github_ca}")
network("CURL_CA_BUNDLE" GOOD "${all}" SET "CURL_CA_BUNDLE=${github_ca}")
network(
  "a file that is not there" BAD "archive;repository" SET "SSL_CERT_FILE=${box}/no such file" SAYS
  "upstream: the file with trusted CAs cannot be read: correct SSL_CERT_FILE"
  "git: the file with trusted CAs cannot be read: correct SSL_CERT_FILE"
)

# What only git was told.
file(
  WRITE "${box}/gitconfig"
  "[http \"https://github.com/\"]\n\tsslCAInfo = \"${github_ca}\"\n\tproxy = ${github_proxy}\n"
)
network(
  "git's configuration" GOOD repository SET "GIT_CONFIG_GLOBAL=${box}/gitconfig"
  "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt" https_proxy=
)
network("git's variable" GOOD repository SET "GIT_SSL_CAINFO=${github_ca}")
file(WRITE "${box}/gitconfig" "[url \"${github_site}/\"]\n\tinsteadOf = https://somewhere.example/\n")
network(
  "another address" GOOD elsewhere SET "GIT_CONFIG_GLOBAL=${box}/gitconfig" "SSL_CERT_FILE=${github_ca}" https_proxy=
)

# The proxy itself.
set(trust "SSL_CERT_FILE=${github_ca}")
network(
  "no proxy there" BAD "${all}" SET ${trust} https_proxy=http://me:s3cret@127.0.0.1:1 SAYS
  "upstream: cannot connect to the proxy 127.0.0.1:1: correct https_proxy, or unset it"
  "git: cannot connect to the proxy 127.0.0.1" # and the port, where its libcurl tells
)
network(
  "a proxy without an address" BAD "archive;repository" SET ${trust} https_proxy=http://nobody.invalid:3128 SAYS
  "upstream: cannot resolve the proxy nobody.invalid:3128: correct https_proxy"
  "git: cannot resolve the proxy nobody.invalid: correct https_proxy"
)
network(
  "a host that the proxy refuses" BAD elsewhere SET ${trust} SAYS "the proxy refuses somewhere.example (HTTP 502)"
)
network("no proxy for this host" GOOD site SET ${trust} no_proxy=127.0.0.1 https_proxy=http://127.0.0.1:1)
file(WRITE "${hub}/password" "me:s3cret")
network(
  "a proxy with a password" BAD "${all}" SET ${trust} SAYS
  "upstream: the proxy asks for a password (HTTP 407): set https_proxy to http://user:password@host:port"
  "git: the proxy asks for a password (HTTP 407): set https_proxy to http://user:password@host:port"
)
string(REPLACE "http://" "http://me:s3cret@" with_password "${github_proxy}")
network("the password" GOOD "${all}" SET ${trust} "https_proxy=${with_password}")
github_stop()
