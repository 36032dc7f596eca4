#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs the README's commands on a fresh Debian, as a new user would. See usage() below, and README.md beside this file.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
project=$(cd "$here/../.." && pwd)

usage() {
  cat <<'END'
Usage: run_on.sh --release <name> --do <what> [option...] [<commit>]

Makes a root file system with debootstrap, puts a clean clone of <commit> (default: HEAD) into it, and works there as an
ordinary user with sudo. Needs root (chroot, mount namespaces), debootstrap, git and python3. All mounts are in a mount
namespace of its own, so nothing is left mounted, however this ends.

  --release <name>      bookworm, trixie, forky, sid
  --do <what>           main-job    ./bootstrap.sh <preset>
                        tests       ./bootstrap.sh --test
                        tests-fast  ./bootstrap.sh tests-fast
                        packages    each package but PyTorch, built alone
                        codegen     configures PyTorch and runs all its code generators
                        sample      configures PyTorch, compiles all below its third_party and every 20th of its own
                        cuda        with the distribution's CUDA: NCCL, a stand-in for MAGMA, 20 of PyTorch's files for nvcc
                        rocm        sid only, with ROCm 7.2.4: ./bootstrap.sh rocm7.2-libtorch-shared, for gfx90a
  --preset <name>       main-job: cpu-all, ...; else cpu-libtorch-shared
  --compiler <name>     gcc-14, clang-19, ...: installed, and named by CC and CXX; else what bootstrap.sh installs
  --cmake <version>     this CMake (or: newest), with the newest Ninja, from the Python index; else the distribution's
  --python <folder>     a Python installed in this folder of the host runs the code generators
  --flags <options>     main-job, sample, rocm: appended to what gcc or clang compiles (not hipcc), "-O0 -g0" to see in
                        a quarter of the time what does not compile
  --mirror <folder>     the sources (TSB_SOURCE_MIRROR)
  --cache <folder>      the compiler cache, kept between runs
  --work <folder>       pristine roots (base/<release>, made once), roots, logs; /var/tmp/torch-superbuild-machines
  --results <folder>    where the result goes: a JSON file for each machine and job; tools/bench/results/machines
  --jobs <n>            TSB_JOBS
  --root <name>         works in this root and keeps it, so that a later call can go on in it; else a new one, removed

Exit status: 0 when all passed, 1 when something failed, 2 wrong use, 130 interrupted.
END
}

fail() { # <status> <what is wrong> <what to do>
  printf 'run_on.sh: %s\n  %s\n' "$2" "$3" >&2
  exit "$1"
}

release='' job='' preset='' compiler='' cmake='' python='' flags='' mirror='' cache='' jobs='' name='' commit=''
work=/var/tmp/torch-superbuild-machines
results=$project/tools/bench/results/machines

folder() { # <option> <path>
  realpath -e "$2" 2>/dev/null || fail 2 "no folder $2 for $1" "name one that is there"
}

arguments() {
  while [ $# -gt 0 ]; do
    case $1 in
      -h | --help) usage && exit 0 ;;
      --release | --do | --preset | --compiler | --cmake | --python | --flags | --mirror | --cache | --work | --results | --jobs | --root)
        [ $# -ge 2 ] || fail 2 "$1 needs a value" "see run_on.sh --help"
        ;;&
      --release) release=$2 ;;
      --do) job=$2 ;;
      --preset) preset=$2 ;;
      --compiler) compiler=$2 ;;
      --cmake) cmake=$2 ;;
      --python) python=$(folder "$1" "$2") ;;
      --flags) flags=$2 ;;
      --mirror) mirror=$(folder "$1" "$2") ;;
      --cache)
        mkdir -p "$2" 2>/dev/null || fail 2 "cannot make the folder $2 for --cache" "name one that can be written"
        cache=$(folder "$1" "$2")
        ;;
      --work) work=$(realpath -m "$2") ;;
      --results) results=$(realpath -m "$2") ;;
      --jobs) jobs=$2 ;;
      --root) name=$2 ;;
      -*) fail 2 "unknown option: $1" "see run_on.sh --help" ;;
      *)
        [ -z "$commit" ] || fail 2 "two commits: $commit and $1" "name one"
        commit=$1
        shift
        continue
        ;;
    esac
    shift 2
  done
  case $release in
    bookworm | trixie | forky | sid) ;;
    *) fail 2 "--release is '$release'" "it is bookworm, trixie, forky or sid" ;;
  esac
  case $job in
    main-job | tests | tests-fast | packages | codegen | sample | cuda) ;;
    rocm) [ "$release" = sid ] || fail 2 "--do rocm with --release $release" "only sid has ROCm's packages" ;;
    *) fail 2 "--do is '$job'" "it is main-job, tests, tests-fast, packages, codegen, sample, cuda or rocm" ;;
  esac
  [[ $compiler =~ ^((gcc|clang)-[0-9]+)?$ ]] || fail 2 "--compiler is '$compiler'" "write gcc-14 or clang-19"
  [[ $cmake =~ ^(newest|[0-9]+\.[0-9]+(\.[0-9]+)?)?$ ]] || fail 2 "--cmake is '$cmake'" "write newest, or a version such as 3.31.6"
  [[ $jobs =~ ^([1-9][0-9]*)?$ ]] || fail 2 "--jobs is '$jobs'" "write a positive integer"
  [[ $name =~ ^([A-Za-z0-9][A-Za-z0-9._-]*)?$ ]] || fail 2 "--root is '$name'" "a name of letters, digits, '.', '_' and '-', the first a letter or digit"
  [ -z "$preset" ] || [ "$job" = main-job ] || fail 2 "--preset with --do $job" "only main-job takes a preset"
  local named=${commit:-HEAD}
  commit=$(git -C "$project" rev-parse --quiet --verify "$named^{commit}") || fail 2 "no commit $named" "name one of $project"
}

# The release as debootstrap leaves it, made once. An older debootstrap has no script for a newer release; sid's fits.
make_base() {
  base=$work/base/$release
  [ ! -d "$base" ] || return 0
  local script=/usr/share/debootstrap/scripts/$release
  [ -e "$script" ] || script=/usr/share/debootstrap/scripts/sid
  mkdir -p "$work/base"
  rm -rf --one-file-system "$base.part"
  debootstrap --variant=minbase "$release" "$base.part" "${DEBIAN_MIRROR:-}" "$script" >"$work/base/$release.log" 2>&1 ||
    fail 1 "debootstrap could not make $release" "$work/base/$release.log says why"
  mv "$base.part" "$base"
}

# What the host needs to reach the archives, the new machine needs too: name resolution, certificates, proxies.
hand_on_network() {
  cp --remove-destination -L /etc/resolv.conf /etc/hosts "$root/etc/"
  mkdir -p "$root/usr/local/share/ca-certificates"
  local file
  for file in /usr/local/share/ca-certificates/*.crt; do
    [ ! -e "$file" ] || cp "$file" "$root/usr/local/share/ca-certificates/"
  done
  apt-config dump | grep -E '^Acquire::(https?|ftp|Retries|Check-)' >"$root/etc/apt/apt.conf.d/90host" || :
  [ ! -e /etc/pip.conf ] || cp /etc/pip.conf "$root/etc/pip.conf"
}

# In the mount namespace.
mount_all() {
  mount -t proc proc "$root/proc"
  mount --rbind /sys "$root/sys"
  mount --rbind /dev "$root/dev"
  mkdir -p "$home/.cache/ccache"
  [ -z "$mirror" ] || bind_read_only "$mirror" "$root/srv/mirror"
  [ -z "$python" ] || bind_read_only "$python" "$root$python"
  [ -z "$cache" ] || mount --bind "$cache" "$home/.cache/ccache"
}

bind_read_only() { # <from> <to>
  mkdir -p "$2"
  mount --bind "$1" "$2"
  mount -o remount,bind,ro "$2"
}

in_root() {
  chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}

# A machine as its owner would set it up: sudo, certificates, the compiler that was asked for, a user.
set_up_root() {
  local packages=(sudo ca-certificates) options=(--no-install-recommends)
  case $compiler in
    gcc-*) packages+=("$compiler" "g++-${compiler#gcc-}") ;;
    clang-*) packages+=("$compiler" "libomp-${compiler#clang-}-dev") ;;
  esac
  [ -z "$cmake" ] || packages+=(python3-venv)
  if [ "$job" = cuda ]; then
    sed -i 's/ main$/ main contrib non-free/' "$root/etc/apt/sources.list"
    packages+=(nvidia-cuda-toolkit python3-pip)
  elif [ "$job" = rocm ]; then
    sed "s/ $release main$/ experimental main/" "$root/etc/apt/sources.list" >"$root/etc/apt/sources.list.d/experimental.list"
    mapfile -t -O "${#packages[@]}" packages < <(grep -v '^#' "$here/rocm-7.2.4.packages")
    options+=(-t experimental)
  fi
  # Nobody needs this root after a power cut, and without it dpkg syncs the disk after each file.
  echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io"
  in_root apt-get -qq update
  in_root apt-get -qq install -y "${options[@]}" "${packages[@]}"
  in_root update-ca-certificates
  echo 'builder ALL=(ALL) NOPASSWD: ALL' >"$root/etc/sudoers.d/builder"
}

put_clone() {
  rm -rf --one-file-system "$home/torch-superbuild.new"
  git clone --quiet --no-hardlinks --no-checkout "$project" "$home/torch-superbuild.new"
  git -C "$home/torch-superbuild.new" checkout --quiet --detach "$commit"
  if [ -d "$home/torch-superbuild/build" ]; then
    mv "$home/torch-superbuild/build" "$home/torch-superbuild.new/build"
  fi
  rm -rf --one-file-system "$home/torch-superbuild"
  mv "$home/torch-superbuild.new" "$home/torch-superbuild"
  cp "$here/as_user.sh" "$here/sample_targets.py" "$home/"
  chroot "$root" chown builder: /home/builder /home/builder/.cache /home/builder/.cache/ccache
  chroot "$root" chown -R builder: /home/builder/torch-superbuild
}

# The user's side: as_user.sh, which leaves its outcome in outcome/.
run_as_user() {
  local environment=(
    HOME=/home/builder USER=builder PATH=/usr/local/bin:/usr/bin:/bin LANG=C.UTF-8 "TERM=${TERM:-dumb}"
    "MACHINE_CMAKE=$cmake" "MACHINE_FLAGS=$flags" "MACHINE_PRESET=$preset"
  )
  case $compiler in
    gcc-*) environment+=("CC=$compiler" "CXX=g++-${compiler#gcc-}") ;;
    clang-*) environment+=("CC=$compiler" "CXX=clang++-${compiler#clang-}") ;;
  esac
  [ -z "$mirror" ] || environment+=(TSB_SOURCE_MIRROR=/srv/mirror)
  [ -z "$python" ] || environment+=("TSB_PYTHON=$python/bin/python3")
  [ -z "$jobs" ] || environment+=("TSB_JOBS=$jobs")
  local variable
  for variable in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY PIP_INDEX_URL PIP_EXTRA_INDEX_URL \
    TSB_CUDA_ARCHS TSB_DEBUG_INFO; do
    [ -z "${!variable:-}" ] || environment+=("$variable=${!variable}")
  done
  as_a_machine setpriv --reuid builder --regid builder --init-groups /usr/bin/env -i "${environment[@]}" \
    bash /home/builder/as_user.sh "$job"
}

# pivot_root and not chroot, after which the kernel refuses user namespaces, and with them the empty network of a phase.
# shellcheck disable=SC2016  # $1 is the inner shell's
as_a_machine() { # <command>...
  unshare --mount --propagation private bash -euc \
    'mount --rbind "$1" "$1" && cd "$1" && pivot_root . . && umount -l . && cd / && shift && exec "$@"' bash "$root" "$@"
}

# The child, in namespaces of its own: processes and mounts end with it.
work_inside() {
  # The first process of a process namespace gets no signal that it does not handle.
  trap 'exit 130' INT TERM HUP
  if [ ! -d "$root" ]; then
    rm -rf --one-file-system "$root.part"
    mkdir -p "$root.part"
    cp -a --reflink=auto "$base/." "$root.part/"
    mv "$root.part" "$root"
  fi
  home=$root/home/builder
  in_root id builder >/dev/null 2>&1 || in_root useradd --create-home --shell /bin/bash builder
  hand_on_network
  mount_all
  set_up_root
  put_clone
  rm -rf "$home/outcome"
  local status=0
  run_as_user || status=$?
  python3 "$here/tested_machines.py" result --outcome "$home/outcome" --status "$status" --commit "$commit" \
    --job "$job${preset:+ $preset}" --flags "$flags" --results "$results"
  return "$status"
}

# Refuses where something is mounted below: with a mount in it, this would remove what is mounted.
remove_root() {
  if awk -v root="$root/" 'index($2 "/", root) == 1 { found = 1 } END { exit !found }' /proc/self/mounts; then
    fail 1 "something is mounted below $root, so it stays" "umount it, then remove the folder"
  fi
  rm -rf --one-file-system "$root"
}

main() {
  arguments "$@"
  [ "$(id -u)" = 0 ] || fail 2 "this needs root, for chroot and mounts" "run it with sudo"
  local tool
  for tool in debootstrap unshare git python3; do
    command -v "$tool" >/dev/null || fail 2 "there is no $tool" "apt-get install debootstrap util-linux git python3"
  done
  make_base
  local keep=yes
  [ -n "$name" ] || { keep=no && name=$release-${compiler:-default}-$job-$$; }
  root=$work/roots/$name
  local log
  log=$work/log/$name-$job.log
  mkdir -p "$work/roots" "$work/log" "$results"
  echo "run_on.sh: $release${compiler:+, $compiler}${cmake:+, CMake $cmake}: $job at ${commit:0:12}; log: $log"
  export -f fail hand_on_network mount_all bind_read_only in_root set_up_root put_clone run_as_user as_a_machine work_inside
  export here project release job preset compiler cmake python flags mirror cache jobs commit work results base root
  unshare --mount --propagation private --pid --fork --kill-child bash -euo pipefail -c work_inside >"$log" 2>&1 &
  local child=$! status=0
  # With unshare goes its child, and with that every process and mount of the namespaces.
  trap 'kill -KILL "$child" 2>/dev/null; wait "$child" 2>/dev/null || :; exit 130' INT TERM HUP
  wait "$child" || status=$?
  trap - INT TERM HUP
  tail -n 3 "$log"
  [ "$keep" = yes ] || remove_root
  [ "$status" = 0 ] || exit 1
}

main "$@"
