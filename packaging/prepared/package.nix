# SPDX-License-Identifier: GPL-3.0-or-later
# Not yet tried: nix-build --expr '(import <nixpkgs> { }).callPackage ./packaging/prepared/package.nix { }'
{
  lib,
  stdenv,
  cmake,
  ninja,
  pkg-config,
  hiredis,
  ncurses,
  qt6Packages,
  rapidjson,
  tl-expected,
  tomlplusplus,
  zlib,
  zstd,
  withWindow ? true,
}:

stdenv.mkDerivation {
  pname = "lockscope";
  version = "1.0.0";
  src = lib.cleanSource ../..;

  nativeBuildInputs = [
    cmake
    ninja
    pkg-config
    qt6Packages.qttools
    qt6Packages.wrapQtAppsHook
  ];
  buildInputs = [
    hiredis
    ncurses
    qt6Packages.qtbase
    qt6Packages.qthttpserver
    qt6Packages.qtwebsockets
    rapidjson
    tl-expected
    tomlplusplus
    zlib
    zstd
  ]
  ++ lib.optionals withWindow [
    qt6Packages.qcustomplot
    qt6Packages.qtkeychain
    qt6Packages.qtsvg
  ];
  cmakeFlags = [
    (lib.cmakeBool "LOCKSCOPE_TESTS" false)
    (lib.cmakeBool "LOCKSCOPE_WINDOW" withWindow)
  ];

  meta = {
    description = "Monitor of distributed locks in Redis";
    homepage = "https://lockscope.org";
    license = lib.licenses.gpl3Plus;
    mainProgram = if withWindow then "lockscope" else "lockscope-cli";
    platforms = lib.platforms.linux;
  };
}
