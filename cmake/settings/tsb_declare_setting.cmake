# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_declare_setting
-------------------

Declares a setting: a variable that a user may give with ``-D``, in a preset of their own, in a cache editor or in the
environment. :command:`tsb_read_settings` reads it, and the table in docs/settings.md is made from the declarations. ::

  tsb_declare_setting(
    <name>                         # TSB_JOBS; with a free part TSB_LOCAL_<source>, or <digits> for digits only
    TYPE <type>
    [VALUES <value>...]            # a STRING is one of these, a LIST has some of them
    [MATCHES <regex> <what>]       # a STRING, or each element of a LIST; in words: "a version of Python, such as 3.12"
    [DEFAULT <value>] [DEFAULT_TEXT <text>]  # the text stands for it in documents: "from the free memory"
    [EXISTS | HOLDS <pattern>...]  # a PATH or FILEPATH must be there; a file that fits one of these must be in it
    [WRITTEN]                      # a PATH for our files: neither the build folder nor one with the project's own
    [FROM PRESET | FROM ENVIRONMENT]
    [COMPILED]                     # has no effect with a prebuilt backend, for which PyTorch is not compiled
    [PART <member>]                # has no effect with a release whose backend's version lacks it: release.json
    [PACKED]                       # has no effect in a build to develop in, of which nothing is packed
    [SECRET]                       # no message shows its value
    [SEE <page of docs/>]
    HELP <sentence>)              # no argument may hold a ;

========  ==============================================================================================================
type      value
========  ==============================================================================================================
BOOL      ``ON`` or ``OFF``, also as 1, 0, yes, no, true, false; empty when it is not set
NUMBER    a positive integer up to 9999
STRING    text
LIST      words with ``;``, ``,`` or blanks between; one that is there twice counts once
GROUPS    the same with ``;`` or blanks between, and ``,`` in a word
OPTIONS   ``<name>=<value>`` with ``;`` between; ``,`` or blanks will do before what begins with a name and ``=``
PATH      a folder; FILEPATH: a file. It may begin with ``~``, and a relative one starts at the project's folder
PROGRAM   a path, or the name of a program on the PATH
PLACES    folders, and addresses that begin with http, https or file, with ``;`` between; ``,`` or blanks will do before
          what begins with ``/``, ``~``, ``.`` or an address
PLACE     a folder, or an address that begins with http, https or s3
========  ==============================================================================================================

``FROM PRESET``
  Is what a preset is made of, and read from the cache alone: the environment would change what its name promises.
``FROM ENVIRONMENT``
  Is read whenever a step or a test runs, so ``-D`` would have no effect.

One of ``backends/<kind>/settings.cmake`` has an effect with backends of this kind alone.

Each is the property ``TSB_SETTING_<name>``; ``TSB_SETTINGS`` has the names, in order.
#]]
include_guard(GLOBAL)

function(tsb_declare_setting name)
  set_property(GLOBAL APPEND PROPERTY TSB_SETTINGS "${name}")
  set(kind "")
  if(CMAKE_CURRENT_LIST_DIR MATCHES "/backends/([^/]+)$")
    set(kind KIND ${CMAKE_MATCH_1})
  endif()
  set_property(GLOBAL PROPERTY "TSB_SETTING_${name}" "${ARGN}" ${kind})
  z_tsb_setting(of "${name}")
  if(of_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "setting ${name}: unknown arguments: ${of_UNPARSED_ARGUMENTS}")
  endif()
endfunction()

# z_tsb_setting(<prefix> <name>): <prefix>_TYPE and the like, as they were declared.
macro(z_tsb_setting prefix name)
  get_property(z_tsb_words GLOBAL PROPERTY "TSB_SETTING_${name}")
  cmake_parse_arguments(
    ${prefix} "COMPILED;EXISTS;PACKED;SECRET;WRITTEN" "TYPE;DEFAULT;DEFAULT_TEXT;FROM;SEE;HELP;KIND;PART"
    "VALUES;MATCHES;HOLDS" ${z_tsb_words}
  )
endmacro()

# z_tsb_load_settings(): includes all declarations: settings.cmake, and that of each backend.
macro(z_tsb_load_settings)
  include(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/settings.cmake)
  tsb_list_data(z_tsb_backends backends)
  foreach(z_tsb_backend IN LISTS z_tsb_backends)
    tsb_find_data(z_tsb_file "backends/${z_tsb_backend}/settings.cmake")
    if(z_tsb_file)
      include("${z_tsb_file}")
    endif()
  endforeach()
endmacro()
