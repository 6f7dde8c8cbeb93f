# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2034
# What run-demo, run-tests and run-benches share; each sources it. Leaves the working directory at the top of the source tree.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build_packages=(g++ cmake ninja-build pkg-config
    qt6-base-dev qt6-tools-dev qt6-l10n-tools qt6-httpserver-dev qt6-websockets-dev qt6-svg-dev
    libhiredis-dev libexpected-dev libzstd-dev libtomlplusplus-dev rapidjson-dev zlib1g-dev libncurses-dev libqcustomplot-dev qtkeychain-qt6-dev)
package_packages=(dpkg-dev file desktop-file-utils appstream man-db lintian)
demo_packages=(redis-server fonts-dejavu-core qt6-translations-l10n)
test_packages=(redis-server redis-tools python3-redis python3-rq python3-dogpile.cache python3-portalocker
    openssh-client python3-asyncssh python3-prometheus-client python3-jsonschema dbus-daemon gnome-keyring libsecret-1-0
    php-cli php-redis php-symfony-lock php-illuminate-cache php-illuminate-redis openssl fonts-dejavu-core
    "${package_packages[@]}" bash-completion zsh mold
    xvfb dbus at-spi2-core python3-gi gir1.2-atspi-2.0 tmux)
format_packages=(clang-format-14) # other versions lay the same text out in another way
npm_packages=(nodejs npm) # only where no npm is there yet
picture_packages=(xvfb openbox xdotool imagemagick webp redis-tools)
bench_packages=(redis-server redis-tools python3-redis)
library_packages=(redis-server python3-redis python3-django-redis python3-dogpile.cache python3-portalocker python3-tooz
    php-cli php-redis php-symfony-lock php-illuminate-cache php-illuminate-redis)

log=build/${0##*/}.log

say() {
    printf '==> %s\n' "$*"
}

# quietly COMMAND…: its output goes to the log, and to the terminal only when it fails.
quietly() {
    mkdir -p build
    if ! "$@" </dev/null >"$log" 2>&1; then
        cat "$log" >&2
        say "failed: $* (log: $PWD/$log)" >&2
        exit 1
    fi
}

is_installed() {
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# need PACKAGE…: installs those that are missing. Calls neither apt nor sudo where none is.
need() {
    local package missing=()
    for package; do
        # A redis-server from elsewhere serves as well.
        if [[ $package == redis-server ]] && command -v redis-server >/dev/null; then
            continue
        fi
        is_installed "$package" || missing+=("$package")
    done
    (( ${#missing[@]} )) || return 0
    local as_root=()
    if (( EUID != 0 )); then
        if ! command -v sudo >/dev/null; then
            say "missing: ${missing[*]}. Run this as root, or install sudo." >&2
            exit 1
        fi
        as_root=(sudo)
    fi
    say "installing ${missing[*]}"
    quietly "${as_root[@]}" packaging/install-packages "${missing[@]}"
}

# Newer releases of Debian do not have the version of clang-format that decides here.
is_debian_12() {
    [[ $(. /etc/os-release && echo "${ID-} ${VERSION_ID-}") == 'debian 12' ]]
}

# build PRESET [TARGET…]
build() {
    local preset=$1
    local target=()
    shift
    (( $# == 0 )) || target=(--target "$@")
    say "building in build/$preset (the first time takes minutes)"
    quietly cmake --preset "$preset"
    quietly cmake --build --preset "$preset" --parallel "$(nproc)" "${target[@]}"
}
