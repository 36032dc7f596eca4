# SPDX-License-Identifier: BSD-3-Clause
# hide_symbols.cmake on a library with every kind of C++ symbol, with each linker that is here.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)

set(source "${TSB_TEST_DIR}/source")
file(
  WRITE "${source}/library.cpp"
  "#include <functional>
#include <memory>
#include <vector>
namespace fmt {
struct Value { virtual ~Value(); };
Value::~Value() {}
int function() { static int once = function(); return once; }
template <class T> T generic(T value) { return value; }
template int generic<int>(int);
template <class T> std::function<int()> lambdas(T value) {
  return [value] { return std::function<int()>([] { return function(); })(); };
}
template std::function<int()> lambdas<int>(int);
struct Method { int get() const; int left() &; int right() const &&; };
int Method::get() const { static Method inside; return &inside == this; }
int Method::left() & { return 1; }
int Method::right() const && { return 2; }
std::shared_ptr<Value> shared() { return std::make_shared<Value>(); }
void grow(std::vector<Value>& values) { values.resize(values.size() + 1); }
inline int deep() {
  return [] { return [] {
    static Method inside;
    struct Local { virtual int get() { return inside.left(); } };
    return std::make_shared<Local>()->get();
  }(); }();
}
void fails(int which) {
  if (which == 1) throw static_cast<Value*>(nullptr);
  if (which == 2) throw static_cast<const Value* const*>(nullptr);
  throw static_cast<Value (*)(int)>(nullptr);
}
}
namespace at {
struct Tensor { virtual void clone(); virtual ~Tensor(); };
struct Printed { virtual void print(Tensor*, Tensor*, fmt::Value*); };
void Printed::print(Tensor*, Tensor*, fmt::Value*) {}
struct Report : Tensor, Printed { void print(Tensor*, Tensor*, fmt::Value*) override; };
void Report::print(Tensor*, Tensor*, fmt::Value*) {}
void Tensor::clone() {}
Tensor::~Tensor() {}
int uses(fmt::Method& method) { return method.get(); }
fmt::Value* makes() { return fmt::deep() ? new fmt::Value : nullptr; }
}
namespace fmt {
struct Both : at::Tensor, Value { void clone() override; ~Both() override; };
void Both::clone() {}
Both::~Both() {}
}
extern \"C\" int dgemm_();
int multiplies() { return dgemm_(); }
extern \"C\" int xnn_api() { return 1; }
extern \"C\" int xnn_other() { return 1; }
extern \"C\" int own() { return 1; }
"
)
file(
  WRITE "${source}/CMakeLists.txt"
  "cmake_minimum_required(VERSION 3.25)\nproject(Torch CXX)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)\nadd_library(blas STATIC blas.cpp)\nlink_libraries(blas)\nadd_library(shared SHARED library.cpp)
add_library(module MODULE library.cpp)\nadd_library(static STATIC library.cpp)\nadd_executable(program main.cpp)
target_link_libraries(program static)\n"
)
file(
  WRITE "${source}/blas.cpp"
  "extern \"C\" { int dgemm_(); int dgemm_kernel_ZEN() { return 1; } int dgemm_() { return dgemm_kernel_ZEN(); } }\n"
)
file(WRITE "${source}/main.cpp" "extern \"C\" int xnn_other();\nint main() { return xnn_other() - 1; }\n")
set(symbols "${TSB_TEST_DIR}/symbols.json")
file(
  WRITE "${symbols}"
  "{\"hidden\": [{\"library\": \"fmt\", \"names\": [\"fmt::\"]}, {\"library\": \"XNNPACK\", \"names\": [\"xnn_\"]},
  {\"library\": \"OpenBLAS\", \"names\": [\"openblas_\"], \"archive\": \"libblas.a\"}],
 \"exported\": [{\"names\": [\"xnn_api\", \"_ZN3fmt7genericI\"], \"why\": \"a test\"}]}\n"
)

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
  list(REMOVE_ITEM names "" "operator new(unsigned long, void*)" _init _fini __bss_start _edata _end)
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
