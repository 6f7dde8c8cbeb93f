# SPDX-License-Identifier: GPL-3.0-or-later
# What is installed beside the programs and their scripts, and the Debian package of it all, which packaging/make-package makes.
include(GNUInstallDirs)
set(CMAKE_INSTALL_DOCDIR ${CMAKE_INSTALL_DATADIR}/doc/lockscope)

# As in the source tree, so that the links between the documents hold.
install(FILES README.md README.zh_CN.md ARCHITECTURE.md CONTRIBUTING.md CODE_OF_CONDUCT.md SECURITY.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
install(DIRECTORY packaging/docs packaging/grafana packaging/screenshots DESTINATION ${CMAKE_INSTALL_DOCDIR}/packaging
    COMPONENT doc
    PATTERN familytable.cpp EXCLUDE PATTERN families.md EXCLUDE
    PATTERN families-format.md EXCLUDE PATTERN shown.txt EXCLUDE PATTERN jsontable.py EXCLUDE PATTERN __pycache__ EXCLUDE)
# For programs: documents may be left out of an installation, as in containers.
install(DIRECTORY packaging/schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/lockscope COMPONENT terminal)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/packaging)
file(CREATE_LINK ../../../lockscope/schemas ${PROJECT_BINARY_DIR}/packaging/schemas SYMBOLIC)
install(FILES ${PROJECT_BINARY_DIR}/packaging/schemas DESTINATION ${CMAKE_INSTALL_DOCDIR}/packaging COMPONENT doc)
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
install(FILES ${family_documents} DESTINATION ${CMAKE_INSTALL_DOCDIR}/packaging/docs COMPONENT doc)

set(programs terminal)
if(LOCKSCOPE_WINDOW)
    list(APPEND programs window)
endif()

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
set(page_of_terminal lockscope-cli.1)
set(page_of_window lockscope.1)
foreach(component IN LISTS programs)
    set(page ${page_of_${component}})
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
        install(FILES ${path}.gz DESTINATION ${folder} COMPONENT ${component})
    endforeach()
endforeach()
set(bash_completions ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
file(CREATE_LINK lockscope ${made}/lockscope-cli SYMBOLIC)
install(FILES ${made}/lockscope.bash DESTINATION ${bash_completions} COMPONENT terminal RENAME lockscope)
install(FILES ${made}/lockscope-cli DESTINATION ${bash_completions} COMPONENT terminal)
set(zsh_completions ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
if(EXISTS /etc/debian_version)
    set(zsh_completions ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
endif()
install(FILES ${made}/lockscope.zsh DESTINATION ${zsh_completions} COMPONENT terminal RENAME _lockscope)

add_custom_target(documents ALL DEPENDS ${family_documents} ${command_line_files})

# For the desktop.
if(LOCKSCOPE_WINDOW)
    set(application org.lockscope.Lockscope)
    install(FILES resources/${application}.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT window)
    configure_file(resources/${application}.metainfo.xml packaging/${application}.metainfo.xml @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/packaging/${application}.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT window)
    set(icons ${CMAKE_INSTALL_DATADIR}/icons/hicolor)
    install(FILES resources/icons/${application}.svg DESTINATION ${icons}/scalable/apps COMPONENT window)
    foreach(size 16 32 48 64 128 256)
        install(FILES resources/icons/${application}-${size}.png DESTINATION ${icons}/${size}x${size}/apps
            COMPONENT window RENAME ${application}.png)
    endforeach()
endif()

# Installed, and enabled by whoever wants it.
install(FILES packaging/systemd/lockscope@.service DESTINATION lib/systemd/system COMPONENT terminal)

# Three packages: the terminal program, which a server needs alone; the window; the documents. What Debian's policy asks for in
# each is no part of a plain installation.
set(CPACK_PACKAGE_CONTACT "Lockscope contributors <maintainers@lockscope.org>")
set(package_of_terminal lockscope-cli)
set(package_of_window lockscope)
set(package_of_doc lockscope-doc)
foreach(component IN LISTS programs ITEMS doc)
    set(package ${package_of_${component}})
    set(folder ${CMAKE_INSTALL_DATADIR}/doc/${package})
    install(FILES packaging/debian/copyright DESTINATION ${folder} COMPONENT ${component} EXCLUDE_FROM_ALL)
    install(CODE "set(contact \"${CPACK_PACKAGE_CONTACT}\")
        set(version ${PROJECT_VERSION})
        set(folder ${folder})
        set(gzip ${GZIP})" COMPONENT ${component} EXCLUDE_FROM_ALL)
    install(SCRIPT packaging/debian/changelog.cmake COMPONENT ${component} EXCLUDE_FROM_ALL)
    string(TOUPPER ${component} name)
    set(CPACK_DEBIAN_${name}_PACKAGE_NAME ${package})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lockscope)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR})
set(CPACK_COMPONENTS_ALL ${programs} doc)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION database)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE ${PROJECT_HOMEPAGE_URL})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_TERMINAL_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_WINDOW_PACKAGE_SHLIBDEPS ON)
# What one package of both had.
set(CPACK_DEBIAN_TERMINAL_PACKAGE_BREAKS "lockscope (<< ${PROJECT_VERSION})")
set(CPACK_DEBIAN_TERMINAL_PACKAGE_REPLACES "lockscope (<< ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DOC_PACKAGE_BREAKS "lockscope (<< ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DOC_PACKAGE_REPLACES "lockscope (<< ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
# The plugin is loaded by name: without it there is no window.
set(CPACK_DEBIAN_WINDOW_PACKAGE_DEPENDS "qt6-qpa-plugins, lockscope-cli (= ${PROJECT_VERSION})")
# Loaded by name, too: without libsecret no password is kept.
set(CPACK_DEBIAN_WINDOW_PACKAGE_RECOMMENDS "openssh-client, libsecret-1-0")
set(CPACK_DEBIAN_WINDOW_PACKAGE_SUGGESTS "lockscope-doc, redis-server, qt6-wayland, qt6-translations-l10n")
set(CPACK_DEBIAN_TERMINAL_PACKAGE_RECOMMENDS "openssh-client")
# Only suggested: the package of redis-server starts a server.
set(CPACK_DEBIAN_TERMINAL_PACKAGE_SUGGESTS "lockscope-doc, redis-server, bash-completion")
set(about
"Lockscope shows live who owns each lock in a Redis or Valkey server, when its
lease expires, who is waiting, and whether the holder still renews it. It
knows the lock formats of Redisson, redis-py, BullMQ, ShedLock, Laravel,
node-redlock and many other libraries.

It finds deadlocks, stalled holders and dead waiters, and can acquire, release,
extend and force-expire locks, with an audit log.")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "monitor of distributed locks in Redis")
set(CPACK_COMPONENT_TERMINAL_DESCRIPTION "${about}

This package has lockscope-cli, for terminals, scripts and services. It needs
no desktop.")
set(CPACK_COMPONENT_WINDOW_DESCRIPTION "${about}

This package has the window.")
set(CPACK_COMPONENT_DOC_DESCRIPTION "${about}

This package has the documents.")
include(CPack)
