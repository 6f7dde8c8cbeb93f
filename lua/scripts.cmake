# SPDX-License-Identifier: GPL-3.0-or-later
# The whole scripts, lua/FAMILY/NAME.lua, which `lua_scripts` lists: as they stand they are sent and installed.
include(GNUInstallDirs)
set(lua_root ${PROJECT_SOURCE_DIR}/lua)
file(GLOB lua_scripts CONFIGURE_DEPENDS ${lua_root}/*/*.lua)
install(DIRECTORY ${lua_root}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/lockscope/lua COMPONENT terminal
    FILES_MATCHING PATTERN *.lua PATTERN parts EXCLUDE)
# For developers, by hand: writes them after a change of lua/parts/.
add_custom_target(update-scripts
    COMMAND ${CMAKE_COMMAND} -D parts=${lua_root}/parts -D to=${lua_root} -P ${lua_root}/include.cmake
    VERBATIM)
