# SPDX-License-Identifier: BSD-3-Clause
# Folders on one file system share its space; what they hold already counts.
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
tool(
  df
  [[echo 'Filesystem 1048576-blocks Used Available Capacity Mounted on'
case $2 in
  */one*) echo '/dev/a disk 100 50 5000 50% /mnt/one' ;;
  *) echo '/dev/b 100 50 700 50% /mnt/two of it' ;;
esac]]
)
tool(du "echo '400 '")
foreach(folder IN ITEMS one/build one/store two)
  file(MAKE_DIRECTORY ${TSB_TEST_DIR}/${folder})
endforeach()
set(build ${TSB_TEST_DIR}/one/build)
set(store ${TSB_TEST_DIR}/one/store)

doctor(ARGUMENTS CHECKS disk DISK ${build} 4000 ${store} 1000 ${TSB_TEST_DIR}/two/new 700)
passes("-- disk: 5000 MB free below ${build}, ${store} -- disk: 700 MB free below ${TSB_TEST_DIR}/two/new")
doctor(ARGUMENTS CHECKS disk DISK ${build} 4000 ${store} 1800)
passes() # what is there counts
doctor(ARGUMENTS CHECKS disk DISK ${build} 4000 ${store} 1801 ${TSB_TEST_DIR}/two 10)
fails(1 "disk: 5001 MB more are needed, 5000 MB are free, below ${build}, ${store} -> free some space")
doctor(TSB_DOCTOR_SKIP=memory,disk ARGUMENTS CHECKS disk DISK ${build} 99999)
passes("-- disk: skipped (TSB_DOCTOR_SKIP)")
doctor(ARGUMENTS CHECKS disk DISK ${build})
tsb_expect_end(1 "tsb_doctor: DISK takes pairs of a folder and a number")
