# SPDX-License-Identifier: BSD-3-Clause
# What is missing is installed, nothing else, by whoever may.
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
tools_of_all_kinds()
set(options "-o DPkg::Lock::Timeout=600 install -y")

# What is seen by files of the real machine may be missing there: then each call below gets these as well.
tool(apt-get)
tool(apt-cache)
bootstrap(--install-only tests)
tsb_expect("status" EQUAL "${status}" 0)
set(also "")
if(NOT calls STREQUAL "")
  string(REGEX REPLACE "^.*--no-install-recommends " "" also "${calls}")
  message("missing on this machine: ${also}")
endif()
if(also STREQUAL "")
  tsb_expect("nothing is missing" LACKS "${output}" "installing")
endif()

# expect_installed(<words> <package>...): the last call has exactly these packages.
function(expect_installed start)
  set(packages ${ARGN})
  string(REPLACE " " ";" more "${also}")
  list(APPEND packages ${more})
  list(REMOVE_ITEM packages "")
  list(SORT packages)
  list(JOIN packages " " packages)
  list(GET calls -1 last)
  tsb_expect("the call" EQUAL "${last}" "${start} ${packages}")
endfunction()
set(apt "env DEBIAN_FRONTEND=noninteractive apt-get ${options} --no-install-recommends")

file(REMOVE ${bin}/unzip ${bin}/shellcheck)
bootstrap(--install-only --test)
tsb_expect("status" EQUAL "${status}" 0)
expect_installed("apt-get ${options} --no-install-recommends" unzip shellcheck)
tsb_expect("known packages need no update" LACKS "${calls}" "apt-get update")
tsb_expect("it says so" CONTAINS "${output}" "bootstrap.sh: installing: ")

# What one preset needs is installed for it alone: the tests' tools are not needed to build.
bootstrap(--install-only cpu-libtorch-shared-openblas)
tsb_expect("status" EQUAL "${status}" 0)
tsb_expect("the call" CONTAINS "${calls}" "unzip" "gfortran")
tsb_expect("the call" LACKS "${calls}" "shellcheck")

# The Python that a wheel is for, unless it is there: with headers, and able to make a virtual environment.
set(ENV{HOME} "${TSB_TEST_DIR}/home")
bootstrap(--install-only cpu-wheel-py311)
tsb_expect("status" EQUAL "${status}" 0)
tsb_expect("the call" CONTAINS "${calls}" "python3.11-dev python3.11-venv")
file(REMOVE ${bin}/make ${bin}/which ${bin}/perl)
bootstrap(--install-only cpu-libtorch-shared)
tsb_expect("without CUDA, without OpenBLAS" LACKS "${calls}" "debianutils" "perl" "gfortran")
bootstrap(--install-only cu124-wheel-py311)
tsb_expect("status" EQUAL "${status}" 0)
tsb_expect("CUDA and a Python" CONTAINS "${calls}" debianutils make perl python3.11-dev)

# The same for a preset of the user's own, which inherits them.
file(
  WRITE "${copy}/CMakeUserPresets.json"
  [[{"version": 6,
  "configurePresets": [{"inherits": ["cu124", "wheel-py311"], "name": "mine"}],
  "workflowPresets": [{"name": "my-flow", "steps": [{"type": "configure", "name": "mine"}]}]}]]
)
bootstrap(--install-only my-flow)
tsb_expect("status" EQUAL "${status}" 0)
tsb_expect("what is inherited" CONTAINS "${calls}" debianutils make python3.11-dev)
file(REMOVE "${copy}/CMakeUserPresets.json")
tool(make)
tool(which)
tool(perl)
tool(python3.11)
bootstrap(--install-only cpu-wheel-py311)
tsb_expect("status" EQUAL "${status}" 0)
tsb_expect("the call" LACKS "${calls}" "python3.11-")
file(REMOVE ${bin}/python3.11)
set(ENV{TSB_PYTHON_311} /somewhere/python)
bootstrap(--install-only cpu-wheel-py311)
tsb_expect("one that was named" LACKS "${calls}" "python3.11-")
unset(ENV{TSB_PYTHON_311})

# What a backend in TSB_ADDITIONS needs, which may be relative to the checkout or to the home folder.
tool(python3 "case $* in *--needs*) echo build abacus ;; esac")
foreach(folder IN ITEMS "${copy}/more" "$ENV{HOME}/more" "${TSB_TEST_DIR}/more")
  cmake_path(GET folder PARENT_PATH parent)
  cmake_path(GET parent FILENAME name)
  file(WRITE "${folder}/backends/abacus/tools.txt" "cmd:abacus|abacus-of-${name}|-\n")
endforeach()
cmake_path(GET TSB_TEST_DIR FILENAME name)
foreach(case IN ITEMS "more=a copy" "~/more=home" "${TSB_TEST_DIR}/more=${name}")
  string(REGEX MATCH "^(.*)=(.*)$" ignored "${case}")
  set(ENV{TSB_ADDITIONS} "${CMAKE_MATCH_1}")
  set(expected "abacus-of-${CMAKE_MATCH_2}")
  bootstrap(fleet list)
  tsb_expect("${case}" CONTAINS "${calls}" "${expected}")
endforeach()
unset(ENV{TSB_ADDITIONS})
tool(python3)

# A package that apt has not heard of: update first, and leave out what is still unknown.
tool(apt-cache "[ -e '${TSB_TEST_DIR}/updated' ] || exit 100\ncase $2 in shellcheck) exit 100 ;; esac")
tool(apt-get "case $1 in update) : >'${TSB_TEST_DIR}/updated' ;; esac")
bootstrap(--install-only tests)
tsb_expect("status" EQUAL "${status}" 0)
tsb_expect("unknown package" CONTAINS "${calls}" "apt-get update")
tsb_expect("still unknown" CONTAINS "${output}" "bootstrap.sh: this distribution has no shellcheck: left out")
expect_installed("apt-get ${options} --no-install-recommends" unzip)

# An install that fails is tried again after an update, and then given up with a message.
tool(apt-cache)
tool(apt-get "case $* in *install*) exit 100 ;; esac")
bootstrap(--install-only tests)
tsb_expect_end(4 "bootstrap.sh: could not install: ")
string(REGEX MATCHALL "apt-get (-o [^ ]+ install|update)" order "${calls}")
list(REMOVE_ITEM order "")
tsb_expect("order" CONTAINS "${order}" "apt-get update")

# The lists are locked for a while; apt-get waits for dpkg's lock by itself.
tool(sleep)
file(REMOVE ${TSB_TEST_DIR}/tried)
tool(
  apt-get
  "case $* in *install*) exit 100 ;; esac\n[ ! -e '${TSB_TEST_DIR}/tried' ] || exit 0\n: >'${TSB_TEST_DIR}/tried'\necho 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 1 (apt)' >&2\nexit 100"
)
bootstrap(--install-only tests)
tsb_expect("the lock" CONTAINS "${calls}" "apt-get update;sleep 5;apt-get update;apt-get -o")
tsb_expect("the lock" LACKS "${output}" "Could not get lock")
tool(apt-get "echo 'E: no network' >&2\nexit 100")
bootstrap(--install-only tests)
tsb_expect_end(4 "E: no network" "bootstrap.sh: could not install: ")
tsb_expect("what no waiting helps" LACKS "${calls}" "sleep")

# Not root: sudo, without a question since nobody is there to answer; or a clear end.
tool(apt-get)
tool(id "echo 1000")
tool(sudo "shift\nexec \"$@\"")
bootstrap(--install-only --test)
tsb_expect_end(0 "bootstrap.sh: installing with sudo: ")
tsb_expect("sudo" CONTAINS "${calls}" "sudo -n ${apt}")
file(REMOVE ${bin}/sudo)
bootstrap(--install-only --test)
tsb_expect_end(4 "you are not root and there is no sudo")
tsb_expect("neither" LACKS "${calls}" "apt-get")

# Fedora, and a distribution that is unknown.
tool(id "echo 0")
file(REMOVE ${bin}/apt-get ${bin}/xz)
tool(dnf)
bootstrap(--install-only --test)
tsb_expect("status" EQUAL "${status}" 0)
tsb_expect("dnf" CONTAINS "${calls}" "dnf install -y " "ShellCheck" " xz")
file(REMOVE ${bin}/dnf)
bootstrap(--install-only --test)
tsb_expect_end(4 "unzip" "there is neither apt-get nor dnf here: install them, then run this again")

# A machine without Python gets it first: only it can say what the preset needs.
tool(
  apt-get
  "case $* in *' python3 '*) printf '#!/bin/sh\\nexec \"%s\" \"$@\"\\n' '${python}' >${bin}/python3 && /bin/chmod +x ${bin}/python3 ;; esac"
)
tool(apt-cache)
file(REMOVE ${bin}/python3 ${bin}/shellcheck)
bootstrap(--install-only --test)
tsb_expect_end(0)
list(FILTER calls INCLUDE REGEX "^apt-get .* install")
list(GET calls 0 first)
list(GET calls -1 last)
tsb_expect("the first call" CONTAINS "${first}" " python3 " " unzip ")
tsb_expect("the first call" LACKS "${first}" "shellcheck")
tsb_expect("the last call" CONTAINS "${last}" "shellcheck")
