# The Debian packages. `orrery`: command, library, headers, documents, examples,
# manual page, completions. `python3-orrery`: the package for Debian's Python.
# `orrery-studio`: the workbench in the browser.
# `scripts/package` builds them.
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
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL Unspecified)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Libraries of ours that others of ours need are in the package itself.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS
  "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}")

# All that is in no component: all but Python and the studio.
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME orrery)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_SECTION science)
string(JOIN "\n" CPACK_COMPONENT_UNSPECIFIED_DESCRIPTION
  "modelling and simulation: equations, discrete events and tasks"
  "Orrery simulates Modelica models, causal block diagrams, DEVS models and"
  "tasks on one timeline, and carries out experiments with them: sweeps,"
  "calibration, optimisation, sensitivities. This package has the command, the"
  "C++ library with its headers, the documents and the examples.")
# Opened by name: when files of HDF5 are read or written, when a PNG is drawn;
# when an experiment runs on many machines, and when a live run speaks MQTT.
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_DEPENDS "libhdf5-103-1, libcairo2")
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_RECOMMENDS "libnats3.4, libmosquitto1")
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_SUGGESTS
  "python3-orrery, g++, cmake, nats-server, mosquitto")

if(ORRERY_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-orrery)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  string(JOIN "\n" CPACK_COMPONENT_PYTHON_DESCRIPTION
    "modelling and simulation: equations, discrete events and tasks (Python 3)"
    "Orrery simulates Modelica models, models of equations, DEVS models and"
    "processes written in Python, and all of them on one timeline; results are"
    "numpy arrays. This package has the module orrery for Python 3.11.")
  # An extension is made for one version of the interpreter, and for one of the
  # library.
  string(JOIN ", " CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "orrery (= ${PROJECT_VERSION})"
    "python3 (>= 3.11)" "python3 (<< 3.12)" "python3-numpy (>= 1:1.24)")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS
    "python3-matplotlib, python3-pandas, python3-tqdm, python3-xarray")
  set(scripts "${PROJECT_SOURCE_DIR}/packaging/python3-orrery")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA
    "${scripts}/postinst" "${scripts}/prerm")
endif()

if(TARGET orrery_studio)
  list(APPEND CPACK_COMPONENTS_ALL studio)
  set(CPACK_DEBIAN_STUDIO_PACKAGE_NAME orrery-studio)
  set(CPACK_DEBIAN_STUDIO_PACKAGE_SECTION science)
  string(JOIN "\n" CPACK_COMPONENT_STUDIO_DESCRIPTION
    "modelling and simulation: equations, discrete events and tasks (studio)"
    "Orrery simulates Modelica models, causal block diagrams, DEVS models and"
    "tasks on one timeline. This package has the workbench in the browser that"
    "'orrery studio' opens, served from this machine.")
  set(CPACK_DEBIAN_STUDIO_PACKAGE_DEPENDS "orrery (= ${PROJECT_VERSION})")
  # Opens the browser.
  set(CPACK_DEBIAN_STUDIO_PACKAGE_RECOMMENDS "xdg-utils")
endif()
include(CPack)
