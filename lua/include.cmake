# SPDX-License-Identifier: GPL-3.0-or-later
# Makes a whole script of one of lua/'s: cmake -D root=lua -D from=FILE -D to=FILE -P include.cmake
# A line "--#include shared/NAME.lua" becomes that part's lines without the one of its licence, each as far in as the line was. A
# part may include others; the same one twice in a script is a mistake: it would define its names twice, or include itself.
cmake_minimum_required(VERSION 3.25)
file(READ ${from} text)
set(included)
while(text MATCHES "\n( *)--#include ([^\n]*)\n")
    set(line "${CMAKE_MATCH_0}")
    set(indent "${CMAKE_MATCH_1}")
    set(name "${CMAKE_MATCH_2}")
    if(NOT name MATCHES "^shared/[a-z0-9-]+\\.lua$" OR NOT EXISTS ${root}/${name})
        message(FATAL_ERROR "${from}: there is no shared part ${name}")
    endif()
    if(name IN_LIST included)
        message(FATAL_ERROR "${from} includes ${name} twice")
    endif()
    list(APPEND included ${name})
    file(READ ${root}/${name} part)
    string(REPLACE "-- SPDX-License-Identifier: GPL-3.0-or-later\n" "" part "\n${part}")
    string(REGEX REPLACE "\n([^\n])" "\n${indent}\\1" part "${part}")
    string(REPLACE "${line}" "${part}" text "${text}")
endwhile()
file(WRITE ${to} "${text}")
