# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the whole scripts as lua/FAMILY/NAME.lua below the build directory, and installs those very files. `lua_scripts` lists them.
include(GNUInstallDirs)
set(lua_root ${PROJECT_SOURCE_DIR}/lua)
file(GLOB lua_parts CONFIGURE_DEPENDS ${lua_root}/shared/*.lua)
file(GLOB lua_sources RELATIVE ${lua_root} CONFIGURE_DEPENDS ${lua_root}/*/*.lua)
list(FILTER lua_sources EXCLUDE REGEX "^shared/")
set(lua_scripts)
foreach(script IN LISTS lua_sources)
    set(whole ${PROJECT_BINARY_DIR}/lua/${script})
    add_custom_command(OUTPUT ${whole}
        COMMAND ${CMAKE_COMMAND} -D root=${lua_root} -D from=${lua_root}/${script} -D to=${whole} -P ${lua_root}/include.cmake
        DEPENDS ${lua_root}/${script} ${lua_parts} ${lua_root}/include.cmake
        COMMENT "Building lua/${script}"
        VERBATIM)
    list(APPEND lua_scripts ${whole})
    cmake_path(GET script PARENT_PATH folder)
    install(FILES ${whole} DESTINATION ${CMAKE_INSTALL_DATADIR}/lockscope/lua/${folder} COMPONENT scripts)
endforeach()
