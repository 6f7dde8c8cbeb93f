# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DOUTPUT=… -DTESTS=a.cpp|b.cpp -P unit.cmake: a file that compiles several tests at once, which parse the same headers. Each
# test stands in a namespace of its own with its main(), so that equal names do not meet; the headers of all come first.
string(REPLACE "|" ";" TESTS "${TESTS}")
# moc's output includes these, too.
set(headers "#include <QtCore/qmetatype.h>" "#if QT_VERSION >= 0x060500" "#include <QtCore/qtmochelpers.h>"
    "#include <QtCore/qxptype_traits.h>" "#endif")
set(bodies "")
foreach(test IN LISTS TESTS)
    file(STRINGS ${test} includes REGEX "^#include")
    list(FILTER includes EXCLUDE REGEX "\\.moc\"")
    list(APPEND headers ${includes})
    cmake_path(GET test STEM name)
    string(APPEND bodies "\nnamespace ${name} {\n#include \"${test}\"\n}\n")
endforeach()
list(REMOVE_DUPLICATES headers)
list(JOIN headers "\n" headers)
set(text "${headers}\n${bodies}")
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "${text}" @ONLY)
