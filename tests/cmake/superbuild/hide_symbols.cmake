# SPDX-License-Identifier: BSD-3-Clause
# hide_symbols.cmake on a library with every kind of C++ symbol, with each linker that is here.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)

set(source "${TSB_SOURCE_DIR}/tests/fixtures/hide-symbols")
set(symbols "${source}/symbols.json")

# build(<folder> <symbols.json or nothing> <linker>): sets `said`.
function(build folder inputs linker)
  file(
    WRITE "${TSB_TEST_DIR}/include.cmake"
    "set(TSB_INPUTS \"${inputs}\")\ninclude(\"${TSB_SOURCE_DIR}/superbuild/pytorch/hide_symbols.cmake\")\n"
  )
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -S "${source}" -B "${TSB_TEST_DIR}/${folder}" -G Ninja
            "-DCMAKE_CXX_FLAGS=-fuse-ld=${linker}" "-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES=${TSB_TEST_DIR}/include.cmake"
    OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY
  )
  execute_process(
    COMMAND "${CMAKE_COMMAND}" --build "${TSB_TEST_DIR}/${folder}" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY
  )
  set(said "${said}" PARENT_SCOPE)
endfunction()

# exported(<file>): sets `names` to what others may bind to, demangled.
function(exported file)
  execute_process(
    COMMAND nm --dynamic --defined-only --demangle --format=posix "${TSB_TEST_DIR}/${file}"
    OUTPUT_VARIABLE table COMMAND_ERROR_IS_FATAL ANY
  )
  string(REGEX REPLACE " [A-Za-z] [0-9a-f ]*\n" ";" names "${table}")
  list(FILTER names EXCLUDE REGEX "^([^f]|f[^m])*std::([^f]|f[^m])*$") # of headers, for no type of fmt
  list(FILTER names EXCLUDE REGEX "^operator (new|delete)\\(") # placement, which some compilers do not inline
  list(REMOVE_ITEM names "" _init _fini __bss_start _edata _end)
  list(REMOVE_DUPLICATES names)
  list(SORT names)
  set(names "${names}" PARENT_SCOPE)
endfunction()

foreach(linker IN ITEMS bfd gold lld)
  find_program(program_${linker} ld.${linker})
  if(NOT program_${linker})
    continue()
  endif()
  build(${linker} "${symbols}" ${linker})
  execute_process(
    COMMAND ninja -C "${TSB_TEST_DIR}/${linker}" -t commands -s libshared.so OUTPUT_VARIABLE
    command COMMAND_ERROR_IS_FATAL ANY
  )
  tsb_expect("${linker}: the link" CONTAINS "${command}" " env LC_ALL=C /")
  foreach(file IN ITEMS libshared.so libmodule.so)
    exported(${linker}/${file})
    tsb_expect(
      "${linker}: ${file}" EQUAL "${names}"
      "at::Printed::print(at::Tensor*, at::Tensor*, fmt::Value*);at::Report::print(at::Tensor*, at::Tensor*, fmt::Value*);at::Report::~Report();at::Tensor::clone();at::Tensor::~Tensor();at::makes();at::uses(fmt::Method&);int fmt::generic<int>(int);multiplies();non-virtual thunk to at::Report::print(at::Tensor*, at::Tensor*, fmt::Value*);own;typeinfo for at::Printed;typeinfo for at::Report;typeinfo for at::Tensor;typeinfo name for at::Printed;typeinfo name for at::Report;typeinfo name for at::Tensor;vtable for at::Printed;vtable for at::Report;vtable for at::Tensor;xnn_api"
    )
  endforeach()
endforeach()

build(open "" bfd)
tsb_expect("without a list" CONTAINS "${said}" "hidden symbols: none, the release has no symbols.json")
exported(open/libshared.so)
tsb_expect(
  "without a list" CONTAINS "${names}" "fmt::function();" "typeinfo for fmt::lambdas<int>(int)" ";dgemm_;"
  ";dgemm_kernel_ZEN;" "fmt::Method::left() &;" "fmt::Method::right() const &&;" ";typeinfo for fmt::Value (*)(int);"
  ";vtable for std::_Sp_counted_ptr_inplace<fmt::Value," "}::operator()() const::Local::get();"
)
