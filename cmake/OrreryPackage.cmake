# The Debian package `orrery`: command, library, headers, documents, examples,
# manual page, completions. `scripts/package` builds it.
include_guard(GLOBAL)

set(CPACK_PACKAGING_INSTALL_PREFIX /usr)

# The manual page is made of the help of all commands.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(manual "${PROJECT_BINARY_DIR}/orrery.1")
add_custom_command(OUTPUT "${manual}"
  COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tools/manual.py"
          $<TARGET_FILE:orrery_cli> "${manual}"
          "${CPACK_PACKAGING_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}"
  DEPENDS orrery_cli "${PROJECT_SOURCE_DIR}/tools/manual.py"
  VERBATIM)
add_custom_target(manual ALL DEPENDS "${manual}")
install(FILES "${manual}" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES "${PROJECT_SOURCE_DIR}/packaging/orrery.bash"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
  RENAME orrery)
install(FILES "${PROJECT_SOURCE_DIR}/packaging/_orrery"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME orrery)
set(CPACK_PACKAGE_VENDOR "The Orrery developers")
set(CPACK_PACKAGE_CONTACT "The Orrery developers <orrery@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
  "modelling and simulation: equations, discrete events and tasks")
string(JOIN "\n" CPACK_PACKAGE_DESCRIPTION
  "Orrery simulates Modelica models, causal block diagrams, DEVS models and"
  "tasks on one timeline, and carries out experiments with them: sweeps,"
  "calibration, optimisation, sensitivities. This package has the command, the"
  "C++ library with its headers, the package for Python 3.11, the documents and"
  "the examples.")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Libraries of ours that others of ours need are in the package itself.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS
  "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}")
# Opened by name when an experiment runs on many machines, and when a live run
# speaks MQTT; needed by the Python package only.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
  "libnats3.4, libmosquitto1, python3 (>= 3.11), python3-numpy")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, cmake, nats-server, mosquitto")
include(CPack)
