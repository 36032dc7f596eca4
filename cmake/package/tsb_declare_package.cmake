# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_declare_package
-------------------

Declares one package: something that the superbuild builds from source. The declaration builds nothing;
it is data that several readers use: the build (``tsb_activate_packages``), the dependency graph, the
manifest, the licence bundle and the documentation. ``superbuild/`` holds one declaration per file.

.. code-block:: cmake

  tsb_declare_package(<name>
    DESCRIPTION <text>
    [SOURCE <source>]            # pinned source that becomes the source tree
    [SOURCES <source> ...]       # further pinned sources, each unpacked into a folder of its name
    [PATCH_SCRIPTS <file> ...]   # scripts that change the source tree behind the patches, in this order
    [BUILD_SYSTEM cmake|make|none] # default cmake; none: STAGE_SCRIPTS do all the work
    [STAGE_SCRIPTS <file> ...]   # scripts that fill (BUILD_SYSTEM make, none) or complete the install tree, in order
    [MACHINE <file>]             # it is on this machine already: where; STAGE_SCRIPTS lay it out (BUILD_SYSTEM none)
    [IN_PLACE <folder>]          # the source tree is this folder itself, which build_in_place.cmake builds each time
    [NO_INSTALL]                 # its CMake project is not installed; STAGE_SCRIPTS fill the install tree
    [BUILD_ONLY]                 # nothing of it goes into an artifact; it is built for this machine, not for the target
    [PYTHON <version>]           # it is made for this Python: 3.11
    [DEPENDS <package> ...]      # our packages that it may find
    [PROVIDES <name> ...]        # find_package() names that this package answers
    [SYSTEM <name> ...]          # find_package() names and variables that it may take from the machine
    [MODULES <name> ...]         # find_package() names that a find module of its own may answer
    [OPTIONS <NAME>[:<TYPE>]=<value> ...] # cache options of its CMake project; variables of its makefile
    [ENVIRONMENT <NAME>=<value> ...]
    [INCLUDE <file> ...]         # CMake files that its first project() call includes
    [INPUTS <file> ...]          # other files that decide what is built; an INCLUDE finds its data in TSB_INPUTS
    [STAGE_INPUTS <path> ...]    # other files and folders that decide what STAGE_SCRIPTS make
    [TARGETS <target> ...]       # what to build; default: all
    [LICENSE_FILES <path> ...]   # below the source tree; copied into every artifact
    [STEP_COSTS <file>]          # what the build's steps weigh, for the share that is done
    [MEMORY_PER_JOB_MB <MB>]     # measured peak of one compile, default 800
    [HEAVY_SOURCES <regex> HEAVY_MEMORY_PER_JOB_MB <MB>] # sources that have a pool of their own
    [LINK_MEMORY_MB <MB>])       # measured peak of one link, default 1000

``<name>``
  Lower-case letters, digits and ``-``. A name can be declared once.

``BUILD_SYSTEM``
  ``make``: GNU make is run in the source folder. It gets ``OPTIONS``, and the compilers as ``CC``, ``CXX`` and, with
  ``DEPENDS`` on the backend's toolkit, its own such as ``NVCC`` (``z_tsb_make_tools``), on its command line, so that
  they go before what the makefile sets. What it makes belongs in ``@BUILD_DIR@``, which is emptied whenever something
  of the declaration changes.
  ``STAGE_SCRIPTS`` copy from there.

``SOURCE``
  Where the pin lists submodules, these are fetched and unpacked at their places too, unless the source tree is
  complete by itself (a release archive that holds its submodules is; the pin says ``"complete": true``).

``PATCH_SCRIPTS``
  For what no patch can be, such as a project's own generator that works in its tree. They get ``TSB_SOURCE_DIR``, the
  package's own copy of the sources, and ``TSB_PYTHON``.

``OPTIONS``, ``ENVIRONMENT``
  Values may use ``@SOURCE_DIR@``, ``@BUILD_DIR@``, ``@INSTALL_DIR@`` and ``@PREFIX_<package>@`` (where a
  dependency is installed), and ``@PYTHON@`` (the interpreter for code generation; with ``PYTHON``, the one of that
  version, which ``tsb_find_python`` finds), and ``@COMMIT@`` (of the package's source as the pin names it; empty for a
  folder of the user's). They are replaced when the phase runs and the fingerprint keeps the placeholders, so that a
  build in another folder has the same fingerprint.

``SYSTEM``, ``MODULES``
  A name under SYSTEM is one of ``find_package()``, with the variables that begin with it, or a variable that
  ``find_library()`` or the like fills. A name under MODULES lets ``find_package()`` run the module, as modules also
  look at the compiler or find what DEPENDS installed; a file of the machine that it finds is an error, as any that is
  not declared. See ``tsb_isolate_package`` and ``z_tsb_check_found``.

``MACHINE``
  For what is found and not built, such as a CUDA toolkit: a record, which a check of the doctor exports as
  ``<name>_FILE``. The stage scripts get it as the file ``TSB_MACHINE`` (:command:`tsb_read_record`), and this project's
  folder as ``TSB_PROJECT_DIR``. It holds folders, so it is not an input of the fingerprint; what decides results, such
  as versions, goes into OPTIONS. The install tree may consist of links, never goes into the store, and is laid out anew
  when the record changes.

``HEAVY_SOURCES``
  A regular expression that matches the paths of sources that need much more memory than the others, with
  ``HEAVY_MEMORY_PER_JOB_MB`` of them: at most as many of them are compiled at once as half of the memory holds.

``INCLUDE``, ``INPUTS``, ``PATCH_SCRIPTS``, ``STAGE_SCRIPTS``, ``STAGE_INPUTS``
  Whole paths. Their content counts among the inputs. torchpkg's binary does not: a stage script that lets it make
  something names the folder of its sources that decide what.

``STEP_COSTS``
  Whole path of a file with lines ``<seconds> <output>``, ``*`` for any characters; the first that fits counts
  (``tools/step_costs.py``). The share that is shown is counted with it, and steps of ten seconds and more start
  before the others. It decides nothing of what is built.

Errors: an unknown argument, a name that is declared twice, an entry of ``OPTIONS`` without ``=``, a file that is not
there. A misspelt argument counts as an entry of the list before it, which ``engine/model/plan.py`` refuses.
#]]
include_guard(GLOBAL)
if(POLICY CMP0174) # CMake 3.31: a keyword may have an empty value, which is as good as none, without a warning
  cmake_policy(SET CMP0174 NEW)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/../model/tsb_json_object.cmake)

function(tsb_declare_package name)
  list(APPEND CMAKE_MESSAGE_CONTEXT "tsb_declare_package")
  set(
    one_value DESCRIPTION SOURCE BUILD_SYSTEM PYTHON STEP_COSTS MACHINE IN_PLACE HEAVY_SOURCES HEAVY_MEMORY_PER_JOB_MB
              MEMORY_PER_JOB_MB LINK_MEMORY_MB
  )
  set(
    multi_value SOURCES DEPENDS PROVIDES SYSTEM MODULES OPTIONS ENVIRONMENT INCLUDE INPUTS TARGETS PATCH_SCRIPTS
                STAGE_SCRIPTS STAGE_INPUTS LICENSE_FILES
  )
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_INSTALL;BUILD_ONLY" "${one_value}" "${multi_value}")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "package ${name}: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT name MATCHES "^[a-z0-9][a-z0-9-]*$")
    message(FATAL_ERROR "package '${name}': a name consists of lower-case letters, digits and '-'")
  endif()
  get_property(known GLOBAL PROPERTY TSB_PACKAGES)
  if(name IN_LIST known)
    message(FATAL_ERROR "package ${name} is declared twice; each package has one file in superbuild/")
  endif()
  if(NOT arg_DESCRIPTION)
    message(FATAL_ERROR "package ${name}: DESCRIPTION is missing")
  endif()
  if(NOT arg_BUILD_SYSTEM)
    set(arg_BUILD_SYSTEM cmake)
  endif()
  if(NOT arg_BUILD_SYSTEM MATCHES "^(cmake|make|none)$")
    message(FATAL_ERROR "package ${name}: BUILD_SYSTEM is '${arg_BUILD_SYSTEM}'; it must be cmake, make or none")
  endif()
  if((arg_BUILD_SYSTEM MATCHES "^(make|none)$" OR arg_NO_INSTALL) AND NOT arg_STAGE_SCRIPTS)
    message(FATAL_ERROR "package ${name}: BUILD_SYSTEM make and none, and NO_INSTALL, need STAGE_SCRIPTS")
  endif()
  if(arg_MACHINE AND NOT arg_BUILD_SYSTEM STREQUAL "none")
    message(FATAL_ERROR "package ${name}: MACHINE needs BUILD_SYSTEM none")
  endif()
  if(arg_MACHINE AND NOT EXISTS "${arg_MACHINE}")
    message(FATAL_ERROR "package ${name}: MACHINE is '${arg_MACHINE}'; it must be a file that exists")
  endif()
  if(arg_HEAVY_SOURCES AND NOT arg_HEAVY_MEMORY_PER_JOB_MB)
    message(FATAL_ERROR "package ${name}: HEAVY_SOURCES needs HEAVY_MEMORY_PER_JOB_MB")
  endif()
  foreach(pair IN LISTS arg_OPTIONS arg_ENVIRONMENT)
    if(NOT pair MATCHES "^[^=]+=")
      message(FATAL_ERROR "package ${name}: '${pair}' is not of the form NAME=VALUE")
    endif()
  endforeach()
  foreach(file IN LISTS arg_PATCH_SCRIPTS arg_STAGE_SCRIPTS arg_STAGE_INPUTS arg_INCLUDE arg_INPUTS arg_STEP_COSTS)
    if(NOT IS_ABSOLUTE "${file}" OR NOT EXISTS "${file}")
      message(FATAL_ERROR "package ${name}: there is no file '${file}'; give its whole path")
    endif()
  endforeach()
  foreach(setting IN ITEMS MEMORY_PER_JOB_MB=800 HEAVY_MEMORY_PER_JOB_MB=1000 LINK_MEMORY_MB=1000)
    string(REPLACE "=" ";" setting "${setting}")
    list(GET setting 0 key)
    list(GET setting 1 default)
    if(NOT arg_${key})
      set(arg_${key} ${default})
    endif()
    if(NOT arg_${key} MATCHES "^[0-9]+$")
      message(FATAL_ERROR "package ${name}: ${key} is '${arg_${key}}'; it must be a number of MB")
    endif()
  endforeach()

  set(arg_NAME "${name}")
  string(REPLACE "${CMAKE_SOURCE_DIR}/" "" arg_DECLARED_IN "${CMAKE_CURRENT_LIST_FILE}") # for messages
  tsb_json_object(
    json arg_ TEXTS NAME DECLARED_IN DESCRIPTION SOURCE BUILD_SYSTEM PYTHON STEP_COSTS MACHINE IN_PLACE HEAVY_SOURCES
    NO_INSTALL BUILD_ONLY LISTS ${multi_value} OBJECTS MEMORY_PER_JOB_MB HEAVY_MEMORY_PER_JOB_MB LINK_MEMORY_MB
  )
  foreach(provided IN LISTS arg_PROVIDES)
    set_property(GLOBAL APPEND PROPERTY TSB_PROVIDED "${provided}=${name}")
  endforeach()
  foreach(member IN ITEMS DEPENDS OPTIONS ENVIRONMENT PYTHON IN_PLACE)
    set_property(GLOBAL PROPERTY TSB_PACKAGE_${name}_${member} "${arg_${member}}")
  endforeach()
  set_property(GLOBAL PROPERTY TSB_PACKAGE_${name}_FEATURES "")
  set_property(GLOBAL APPEND PROPERTY TSB_PACKAGES ${name})
  set_property(GLOBAL PROPERTY TSB_PACKAGE_${name} "${json}")
endfunction()
