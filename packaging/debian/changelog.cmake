# SPDX-License-Identifier: GPL-3.0-or-later
# Writes Debian's changelog into the package: what has changed says CHANGELOG.md. Its date is SOURCE_DATE_EPOCH where that is set.
set(changelog "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${folder}/changelog")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE "${changelog}" "lockscope (${version}) unstable; urgency=medium

  * Made of the sources of this version; CHANGELOG.md has its changes.

 -- ${contact}  ${date}
")
execute_process(COMMAND "${gzip}" -9nf "${changelog}" COMMAND_ERROR_IS_FATAL ANY)
