# What `cmake --install` puts where: both libraries, the header, what pkg-config and CMake need
# to find them, the program with its link for kubectl, man pages, completions, documents.

include(CMakePackageConfigHelpers)
set(PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/devledger)

install(FILES include/devledger.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS devledger_shared devledger_static EXPORT devledger
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})

# find_package(devledger): devledger::devledger, and devledger::devledger_static.
install(EXPORT devledger NAMESPACE devledger:: DESTINATION ${PACKAGE_DIR} FILE devledger-targets.cmake)
configure_package_config_file(cmake/devledger-config.cmake.in ${CMAKE_BINARY_DIR}/devledger-config.cmake
    INSTALL_DESTINATION ${PACKAGE_DIR} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/devledger-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_BINARY_DIR}/devledger-config.cmake ${CMAKE_BINARY_DIR}/devledger-config-version.cmake
    DESTINATION ${PACKAGE_DIR})

configure_file(cmake/devledger.pc.in ${CMAKE_BINARY_DIR}/devledger.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/devledger.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# kubectl takes any program of this name as its own verb.
install(TARGETS devledger_cli DESTINATION ${CMAKE_INSTALL_BINDIR})
add_custom_command(TARGET devledger_cli POST_BUILD VERBATIM
    COMMAND ${CMAKE_COMMAND} -E create_symlink devledger ${CMAKE_BINARY_DIR}/kubectl-devledger)
install(FILES ${CMAKE_BINARY_DIR}/kubectl-devledger DESTINATION ${CMAKE_INSTALL_BINDIR})

foreach(section 1 3 5 7)
    file(GLOB pages CONFIGURE_DEPENDS docs/man/*.${section})
    install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
