# What the scripts of this folder share; to be sourced, after set -euo pipefail.

image=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
project=$(cd "$image/../.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/godwit/image
release=trixie

fail() {
  echo "image: FAILED: $1" >&2
  exit 1
}
say() { echo "image: $1" >&2; }

# The packages of a list, without its comments.
listed() { sed -E 's/#.*//; /^\s*$/d' "$@"; }

# A short name for the contents of standard input.
digest() { sha256sum | cut -c 1-16; }

# One "deb" line for each of this machine's Debian archives, for the release of the image. A machine
# with no archive of security updates has none to offer.
archives() {
  local main security components="main non-free-firmware"
  local uris
  uris=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null || true)
  main=$(grep -E '/debian/?$' <<<"$uris" | head -n 1) || main=http://deb.debian.org/debian
  security=$(grep -E '/debian-security/?$' <<<"$uris" | head -n 1) || true
  echo "deb $main $release $components"
  echo "deb $main $release-updates $components"
  [ -z "$security" ] || echo "deb $security $release-security $components"
}

# This machine's proxy for packages, as an option of mmdebstrap.
proxy_option() {
  local proxy
  proxy=$(apt-config dump --format '%v' Acquire::http::Proxy)
  [ -z "$proxy" ] || echo "--aptopt=Acquire::http::Proxy \"$proxy\""
}

# mmdebstrap SUITE TREE and this machine's archives as lines, after options of the caller's.
bootstrap() {
  local tree=$1 options=() proxy
  shift
  proxy=$(proxy_option)
  [ -z "$proxy" ] || options+=("$proxy")
  mapfile -t lines < <(archives)
  mmdebstrap --quiet --mode=root --aptopt='APT::Install-Recommends "false"' "${options[@]}" "$@" \
    "$release" "$tree" "${lines[@]}"
}

# Debian 13's tools in a tree of this machine's architecture, made anew when their list changes.
tools=$cache/tools
make_tools() {
  local packages
  packages=$(listed "$image/packages/tools" | paste -sd,)
  [ "$(cat "$tools/packages" 2>/dev/null)" != "$packages" ] || return 0
  say "making $tools, once (a minute)"
  rm -rf "$tools"
  mkdir -p "$tools"
  bootstrap "$tools" --variant=minbase --include="$packages" 2>"$cache/tools.log" ||
    fail "the tools cannot be installed; $cache/tools.log"
  mkdir -p "$tools"/{image,cache,work,debs}
  echo "$packages" >"$tools/packages"
}

# A command of the tools' tree, in $work (which is /work there); /image is this folder, read-only.
# The mounts end with the command.
in_tools() {
  unshare --mount --propagation private bash -c '
    tools=$1 image=$2 cache=$3 work=$4 epoch=$5
    shift 5
    mount -t proc proc "$tools/proc"
    mount --rbind /dev "$tools/dev"
    mount -t tmpfs tmpfs "$tools/tmp"
    mount --bind "$image" "$tools/image" && mount -o remount,ro,bind "$tools/image"
    mount --bind "$cache" "$tools/cache"
    mount --bind "$work" "$tools/work"
    exec chroot "$tools" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
      SOURCE_DATE_EPOCH="$epoch" sh -c "cd /work && exec \"\$@\"" _ "$@"' \
    _ "$tools" "$image" "$cache" "$work" "$SOURCE_DATE_EPOCH" "$@"
}

# Finishes a folder of the cache in one step, so that an incomplete one is never used.
keep() { mv -T "$1" "$2"; }
