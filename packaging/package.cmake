# SPDX-License-Identifier: GPL-3.0-or-later
# What is installed beside the programs and their scripts, and the Debian package of it all, which packaging/make-package makes.
include(GNUInstallDirs)
set(CMAKE_INSTALL_DOCDIR ${CMAKE_INSTALL_DATADIR}/doc/lockscope)

# As in the source tree, so that the links between the documents hold.
install(FILES README.md README.zh_CN.md ARCHITECTURE.md CONTRIBUTING.md CODE_OF_CONDUCT.md SECURITY.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY packaging/docs packaging/grafana packaging/screenshots DESTINATION ${CMAKE_INSTALL_DOCDIR}/packaging
    PATTERN familytable.cpp EXCLUDE PATTERN families.md EXCLUDE
    PATTERN families-format.md EXCLUDE PATTERN shown.txt EXCLUDE PATTERN jsontable.py EXCLUDE PATTERN __pycache__ EXCLUDE)
# For programs: documents may be left out of an installation, as in containers.
install(DIRECTORY packaging/schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/lockscope)
file(CREATE_LINK ../../../lockscope/schemas ${PROJECT_BINARY_DIR}/packaging/schemas SYMBOLIC)
install(FILES ${PROJECT_BINARY_DIR}/packaging/schemas DESTINATION ${CMAKE_INSTALL_DOCDIR}/packaging)
# Documents with tables of what the program knows of families, and the JSON Schema of their files.
add_executable(familytable packaging/docs/familytable.cpp)
target_link_libraries(familytable PRIVATE core)
set(made ${PROJECT_BINARY_DIR}/packaging/docs)
file(MAKE_DIRECTORY ${made})
foreach(name families.md families-format.md)
    add_custom_command(OUTPUT ${made}/${name} VERBATIM
        COMMAND familytable ${PROJECT_SOURCE_DIR}/packaging/docs/${name} > ${made}/${name}
        DEPENDS familytable packaging/docs/${name})
    list(APPEND family_documents ${made}/${name})
endforeach()
add_custom_command(OUTPUT ${made}/family.schema.json VERBATIM
    COMMAND familytable --schema > ${made}/family.schema.json
    DEPENDS familytable)
list(APPEND family_documents ${made}/family.schema.json)
install(FILES ${family_documents} DESTINATION ${CMAKE_INSTALL_DOCDIR}/packaging/docs)

# Manual pages and completions, made of the same table of options as --help.
add_executable(commandline packaging/commandline/commandline.cpp packaging/commandline/completion.cpp
    packaging/commandline/guidepage.cpp packaging/commandline/manpage.cpp)
target_link_libraries(commandline PRIVATE options)
set(made ${PROJECT_BINARY_DIR}/packaging/commandline)
file(MAKE_DIRECTORY ${made})
foreach(name lockscope.1 lockscope-cli.1 lockscope.bash lockscope.zsh)
    add_custom_command(OUTPUT ${made}/${name} VERBATIM
        COMMAND commandline ${PROJECT_SOURCE_DIR}/packaging/commandline/${name} > ${made}/${name}
        DEPENDS commandline packaging/commandline/${name})
    list(APPEND command_line_files ${made}/${name})
endforeach()
find_program(GZIP gzip REQUIRED)
file(MAKE_DIRECTORY ${made}/zh_CN)
foreach(page lockscope.1 lockscope-cli.1)
    add_custom_command(OUTPUT ${made}/zh_CN/${page} VERBATIM
        COMMAND commandline ${PROJECT_SOURCE_DIR}/packaging/commandline/zh_CN/${page} zh_CN > ${made}/zh_CN/${page}
        DEPENDS commandline packaging/commandline/zh_CN/${page})
    foreach(language . zh_CN)
        cmake_path(SET path NORMALIZE ${made}/${language}/${page})
        add_custom_command(OUTPUT ${path}.gz VERBATIM
            COMMAND ${GZIP} -9nkf ${path}
            DEPENDS ${path})
        list(APPEND command_line_files ${path}.gz)
        cmake_path(SET folder NORMALIZE ${CMAKE_INSTALL_MANDIR}/${language}/man1)
        install(FILES ${path}.gz DESTINATION ${folder})
    endforeach()
endforeach()
set(bash_completions ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
file(CREATE_LINK lockscope ${made}/lockscope-cli SYMBOLIC)
install(FILES ${made}/lockscope.bash DESTINATION ${bash_completions} RENAME lockscope)
install(FILES ${made}/lockscope-cli DESTINATION ${bash_completions})
install(FILES ${made}/lockscope.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions RENAME _lockscope)

add_custom_target(documents ALL DEPENDS ${family_documents} ${command_line_files})

# For the desktop.
set(application org.lockscope.Lockscope)
install(FILES resources/${application}.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
configure_file(resources/${application}.metainfo.xml packaging/${application}.metainfo.xml @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/packaging/${application}.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
set(icons ${CMAKE_INSTALL_DATADIR}/icons/hicolor)
install(FILES resources/icons/${application}.svg DESTINATION ${icons}/scalable/apps)
foreach(size 16 32 48 64 128 256)
    install(FILES resources/icons/${application}-${size}.png DESTINATION ${icons}/${size}x${size}/apps
        RENAME ${application}.png)
endforeach()

# Installed, and enabled by whoever wants it.
install(FILES packaging/systemd/lockscope-record.service DESTINATION lib/systemd/system)

# What Debian's policy asks for.
set(CPACK_PACKAGE_CONTACT "Lockscope contributors <maintainers@lockscope.org>")
install(FILES packaging/debian/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT debian EXCLUDE_FROM_ALL)
install(CODE "set(contact \"${CPACK_PACKAGE_CONTACT}\")
    set(version ${PROJECT_VERSION})
    set(folder ${CMAKE_INSTALL_DOCDIR})
    set(gzip ${GZIP})" COMPONENT debian EXCLUDE_FROM_ALL)
install(SCRIPT packaging/debian/changelog.cmake COMPONENT debian EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lockscope)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR})
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};Lockscope;ALL;/;${PROJECT_BINARY_DIR};Lockscope;debian;/")
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION database)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE ${PROJECT_HOMEPAGE_URL})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Loaded by name: without it there is no window.
set(CPACK_DEBIAN_PACKAGE_DEPENDS qt6-qpa-plugins)
# Loaded by name, too: without libsecret no password is kept.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "openssh-client, libsecret-1-0")
# Only suggested: the package of redis-server starts a server.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "redis-server, bash-completion, qt6-wayland, qt6-translations-l10n")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "monitor of distributed locks in Redis")
set(CPACK_PACKAGE_DESCRIPTION
"Lockscope shows live who owns each lock in a Redis or Valkey server, when its
lease expires, who is waiting, and whether the holder still renews it. It
knows the lock formats of Redisson, redis-py, BullMQ, ShedLock, Laravel,
node-redlock and many other libraries.

It finds deadlocks, stalled holders and dead waiters, and can acquire, release,
extend and force-expire locks, with an audit log. The package has the window
(lockscope) and a program for terminals and scripts (lockscope-cli).")
include(CPack)
