#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds the image of Debian, pushes it to a registry of its own, and runs presets in containers of what is in there.
# As root, on Debian, with debootstrap, buildah and docker-registry:
#
#   tools/containers/prove.sh <folder> [<preset>...]
#
# Real presets that are named run twice: compiled in a container, then out of the mounted store in another one.
# A base that is there as localhost/debian:12 is taken, else it is made. In <folder>: logs, dist/, sources/ (or what
# TSB_SOURCES names). buildah keeps its images with STORAGE_DRIVER=vfs and runs with BUILDAH_ISOLATION=chroot unless these say otherwise.
set -euo pipefail

[ $# -ge 1 ] || { echo "usage: tools/containers/prove.sh <folder> [<preset>...]" >&2 && exit 2; }
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
base=localhost/debian:12
export STORAGE_DRIVER=${STORAGE_DRIVER:-vfs} BUILDAH_ISOLATION=${BUILDAH_ISOLATION:-chroot}

begin() { # <what>
  echo "prove.sh: $1 (at $SECONDS s)"
}

make_base() {
  local root=$folder/root container
  debootstrap --variant=minbase bookworm "$root" >"$folder/debootstrap.log"
  container=$(buildah from scratch)
  buildah copy --quiet "$container" "$root" / >/dev/null
  buildah commit --quiet --rm "$container" "$base"
  rm -rf --one-file-system "$root"
}

start_registry() {
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  cat >"$folder/registry.yml" <<END
version: 0.1
storage: {filesystem: {rootdirectory: "$folder/registry"}}
http: {addr: "127.0.0.1:$port"}
END
  docker-registry serve "$folder/registry.yml" >"$folder/registry.log" 2>&1 &
  trap 'kill $!' EXIT
  for _ in {1..100}; do
    python3 -c "import socket; socket.create_connection(('127.0.0.1', $port))" 2>/dev/null && break
    sleep 0.1
  done
  image=127.0.0.1:$port/torch-superbuild-debian:12
  printf '[[registry]]\nlocation = "127.0.0.1:%s"\ninsecure = true\n' "$port" >"$folder/registries.conf"
  export CONTAINERS_REGISTRIES_CONF=$folder/registries.conf
}

fleet() { # <preset>...
  "$project/bootstrap.sh" fleet --image "$image" "$@"
  [ -z "$(buildah containers --quiet)" ] || { echo "prove.sh: containers are left" >&2 && exit 1; }
}

cd "$project"
buildah inspect --type image "$base" >/dev/null 2>&1 || { begin "$base" && make_base; }
start_registry
begin "the image"
./bootstrap.sh containers build debian --base "$base" --push "$image" >"$folder/build.log" 2>&1
buildah images
du -sh "$folder/registry"
buildah rmi localhost/torch-superbuild-debian >/dev/null # so that it comes from the registry

real() { # <word of fleet>...
  TSB_SOURCES=${TSB_SOURCES:-$folder/sources} TSB_STORE=$folder/store TSB_DIST=$folder/dist fleet "$@"
}

begin "out of the official wheel"
real official-cpu-libtorch-shared

begin "the stand-in for PyTorch, from nothing"
cmake "-DTSB_OUTPUT=$folder/stand-in" -P tests/fixtures/make_mirror.cmake >"$folder/stand-in.log"
TSB_PINS_FILE=$folder/stand-in/pins/sources.json TSB_SOURCE_MIRROR=$folder/stand-in/mirror TSB_PROVIDERS=mirror \
  TSB_CONSUMER_DIR=$project/tests/fixtures/consumer-stand-in TSB_SOURCES=$folder/stand-in/sources \
  TSB_STORE=$folder/stand-in/store TSB_DIST=$folder/stand-in/dist TSB_DOCTOR_SKIP=disk,memory CCACHE_DISABLE=1 \
  fleet cpu-libtorch-shared
for preset in "${@:2}"; do
  begin "$preset, compiled"
  real "$preset"
  begin "$preset, out of the store"
  real --again "$preset"
done
begin "done"
