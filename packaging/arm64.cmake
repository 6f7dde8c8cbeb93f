# SPDX-License-Identifier: GPL-3.0-or-later
# For arm64 on another Debian, the terminal program and core: its libraries and those of build_packages (packaging/steps.sh) that are
# libraries as NAME:arm64, moc and its like from this machine's own Qt. What the build runs of its own is run by qemu-user-static.
#   cmake --preset release -B build/arm64 --toolchain packaging/arm64.cmake -DLOCKSCOPE_WINDOW=OFF
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static)
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig)
set(QT_HOST_PATH /usr)
set(QT_HOST_PATH_CMAKE_DIR /usr/lib/${CMAKE_HOST_SYSTEM_PROCESSOR}-linux-gnu/cmake)
set(Qt6LinguistTools_DIR ${QT_HOST_PATH_CMAKE_DIR}/Qt6LinguistTools) # programs alone
