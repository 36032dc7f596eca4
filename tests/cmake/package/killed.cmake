# SPDX-License-Identifier: BSD-3-Clause
# Killed in the middle of a compile: the same command goes on, finished objects are not compiled again.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
write_trees()
file(READ "${box}/trees/a/CMakeLists.txt" text)
string(REPLACE "a.c more.c" "a.c more.c late.c" text "${text}")
file(WRITE "${box}/trees/a/CMakeLists.txt" "${text}")
file(WRITE "${box}/trees/a/late.c" "int a_late(void) { return 3; }\n")
add_source(a 1.0)
declare("${declaration_of_a} OPTIONS TEXT=x)" a)
# Notes what is compiled, and hangs at late.c (after half an object) until the file `go on` is there.
file(
  WRITE "${box}/launcher"
  "#!/bin/sh
for word; do case $word in *.c) source=\${word##*/} ;; *.o) object=$word ;; esac; done
echo \"$source\" >>\"${box}/compiled\"
if [ \"$source\" = late.c ] && [ ! -e \"${box}/go on\" ]; then
  echo half >\"$object\"
  while [ \"$(grep -c . \"${box}/compiled\")\" -lt 3 ] || [ ! -e more.done ]; do touch more.done; sleep 0.1; done
  echo $$ >\"${box}/hanging\"
  exec sleep 30
fi
exec \"$@\"\n"
)
file(CHMOD "${box}/launcher" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
set(ENV{TEST_LAUNCHER} "${box}/launcher")
configure()

# In a process group of its own, which is killed as a whole.
execute_process(
  COMMAND
    sh -c
    "setsid sh -c 'echo $$ >\"$2/group\"; exec \"$0\" --build \"$1\" --target a' \"$0\" \"$1\" \"$2\" >/dev/null 2>&1 &"
    "${CMAKE_COMMAND}" "${build}" "${box}"
)
set(objects "${build}/packages/a/build/CMakeFiles/a.dir")
foreach(attempt RANGE 300)
  if(EXISTS "${box}/hanging" AND EXISTS "${build}/packages/a/build/.ninja_log")
    file(STRINGS "${build}/packages/a/build/.ninja_log" finished REGEX "\\.c\\.o")
    list(LENGTH finished count)
    if(count EQUAL 2)
      break()
    endif()
  endif()
  execute_process(COMMAND sleep 0.1)
endforeach()
tsb_expect("the hanging compiler" EXISTS "${box}/hanging")
file(READ "${box}/group" group)
string(STRIP "${group}" group)
file(READ "${box}/hanging" compiler)
string(STRIP "${compiler}" compiler)
# The runner and Ninja give each of their children a process group. All are stopped before one is killed: the runner
# ends the inner Ninja when the outer one dies, and a Ninja that is asked to end removes half an object. What a real
# kill leaves running is the lock's to end.
set(chain "")
set(pid ${compiler})
while(pid AND NOT pid EQUAL group)
  list(PREPEND chain ${pid})
  execute_process(COMMAND ps -o ppid= -p ${pid} OUTPUT_VARIABLE pid)
  string(STRIP "${pid}" pid)
endwhile()
execute_process(COMMAND kill -STOP -- -${group} ${chain})
execute_process(COMMAND kill -KILL -- -${group} ${chain})
tsb_expect("half an object" EXISTS "${objects}/late.c.o")
tsb_expect("library" ABSENT "${build}/packages/a/build/liba.a")
file(STRINGS "${box}/compiled" compiled)
list(SORT compiled)
tsb_expect("compiled before" EQUAL "${compiled}" "a.c;late.c;more.c")
file(REMOVE "${box}/compiled")

file(WRITE "${box}/go on" "")
make(good a)
expect_ran("the same command again" a-build a-stage)
file(STRINGS "${box}/compiled" compiled)
tsb_expect("compiled again" EQUAL "${compiled}" "late.c")
