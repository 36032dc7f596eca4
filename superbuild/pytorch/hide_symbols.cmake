# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
hide_symbols
------------

Keeps the symbols of third-party libraries that are linked into PyTorch's shared libraries from being exported. A
program that has another fmt, XNNPACK or MKL of its own would otherwise call the one or the other, whichever was loaded
first.

Runs inside PyTorch's project, through ``CMAKE_PROJECT_TOP_LEVEL_INCLUDES`` or ``CMAKE_PROJECT_Torch_INCLUDE``, and
links every shared library with a version script
(https://sourceware.org/binutils/docs/ld/VERSION.html), whether a symbol comes from a static library, from a header or
from an object of PyTorch's own build. Static libraries are not linked and keep all.

Templates of the standard library for a type of such a library (``std::_Sp_counted_ptr_inplace<gloo::...>``) are hidden
as well. Still exported: functions whose names begin like nothing in the list.

``TSB_INPUTS``
  Has the path of the release's ``symbols.json``, merged: of the package's ``INPUTS``. Without one nothing is hidden::

    {"hidden": [{"library": "fmt", "names": ["fmt::"]},
                {"library": "OpenBLAS", "names": ["openblas_"], "archive": "libopenblas.a"}],
     "exported": [{"library": "SLEEF", "names": ["Sleef_"], "why": "..."}]}

  A name is a C++ namespace when it ends in ``::``, else how the symbol (of C++: the mangled one) begins. Everything in
  an ``archive`` is hidden: for a library whose names have nothing in common (``dgemm_``). ``exported`` names those that
  are meant to be exported, and goes before the names of ``hidden``. The row ``third-party-symbols`` of
  ``torchpkg check`` compares the libraries with the same list.
#]]
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/model/tsb_set_record.cmake")

# Sets <out> to the linker's patterns for everything in a C++ namespace. Few of them: GNU ld compares each with every
# symbol.
function(z_tsb_namespace_patterns out namespace)
  string(LENGTH "${namespace}" length)
  set(named "${length}${namespace}*")
  # Functions, with their qualifiers; tables, descriptions of types, guards; what is local to one of these.
  set(patterns "_ZNK[RO]${named}")
  foreach(begin IN ITEMS _Z _ZZ _ZZZ _ZZZZ "_Z[TG]?" "_Z[TG]?Z" "_Z[TG]?ZZ" "_Z[TG]?ZZZ")
    list(APPEND patterns "${begin}N${named}" "${begin}N[KRO]${named}")
  endforeach()
  # Thunks. Digits one by one: a "*" would also find the type of a parameter of somebody else's thunk.
  foreach(begin IN ITEMS hn[0-9] hn[0-9][0-9] hn[0-9][0-9][0-9] v0_n[0-9][0-9] v0_n[0-9][0-9][0-9])
    list(APPEND patterns "_ZT${begin}_N${named}" "_ZT${begin}_NK${named}")
  endforeach()
  # Templates of the standard library with such a type, as std::shared_ptr makes them; pointers to such a type.
  foreach(begin IN ITEMS _ZS _ZNS _ZNKS _ZN9__gnu_cx _ZNK9__gnu_cx _ZZNS _ZZNKS "_Z[TG]?S" "_Z[TG]?NS")
    list(APPEND patterns "${begin}[a-z]*N${named}")
  endforeach()
  list(APPEND patterns "_ZT[IS][PRKFAM]*N${named}")
  set(${out} "${patterns}" PARENT_SCOPE)
endfunction()

# Sets <out> to the linker's patterns for one list of symbols.json, and <out-archives> to the archives in it. Reads the
# record symbols.
function(z_tsb_symbol_patterns out out_archives list)
  set(patterns "")
  set(archives "")
  foreach(index IN LISTS symbols_${list})
    foreach(name IN LISTS symbols_${list}_${index}_names)
      if(name MATCHES "^(.+)::$")
        z_tsb_namespace_patterns(of_name "${CMAKE_MATCH_1}")
      else()
        set(of_name "${name}*")
      endif()
      list(APPEND patterns ${of_name})
    endforeach()
    list(APPEND archives ${symbols_${list}_${index}_archive})
  endforeach()
  set(${out} "${patterns}" PARENT_SCOPE)
  set(${out_archives} "${archives}" PARENT_SCOPE)
endfunction()

function(z_tsb_hide_symbols)
  set(file ${TSB_INPUTS})
  list(FILTER file INCLUDE REGEX "/symbols[.]json$")
  if(NOT file)
    message(STATUS "hidden symbols: none, the release has no symbols.json")
    return()
  endif()
  file(READ "${file}" json)
  tsb_set_record(symbols json)
  z_tsb_symbol_patterns(global ignored exported)
  z_tsb_symbol_patterns(local archives hidden)
  set(script "{\n")
  foreach(section IN ITEMS global local)
    if(${section})
      list(JOIN ${section} ";\n  " lines)
      string(APPEND script "${section}:\n  ${lines};\n")
    endif()
  endforeach()
  string(APPEND script "};\n")
  string(SHA256 hash "${script}") # in the name, so that another script is another command and links anew
  string(SUBSTRING "${hash}" 0 12 hash)
  set(map "${CMAKE_BINARY_DIR}/hidden_symbols-${hash}.map")
  file(CONFIGURE OUTPUT "${map}" CONTENT "${script}" @ONLY)
  set(shared "$<IN_LIST:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY;MODULE_LIBRARY>")
  add_link_options("$<${shared}:LINKER:--version-script=${map}>")
  foreach(archive IN LISTS archives)
    add_link_options("$<${shared}:LINKER:--exclude-libs=${archive}>")
  endforeach()
  # In another locale GNU ld compares wide characters: three times the CPU time for libtorch_cpu.
  foreach(language IN ITEMS C CXX)
    set(CMAKE_${language}_LINKER_LAUNCHER env LC_ALL=C ${CMAKE_${language}_LINKER_LAUNCHER} PARENT_SCOPE)
  endforeach()
endfunction()

z_tsb_hide_symbols()
