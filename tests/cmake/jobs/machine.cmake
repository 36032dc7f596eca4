# SPDX-License-Identifier: BSD-3-Clause
# Machines of files: what the kernel says there has to become these numbers.
include(${TSB_SOURCE_DIR}/cmake/jobs/detail/z_tsb_machine.cmake)
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)

function(machine name cpus available_kb groups)
  file(WRITE ${TSB_TEST_DIR}/${name}/proc/self/status "Name:\tcmake\nCpus_allowed_list:\t${cpus}\n")
  file(
    WRITE ${TSB_TEST_DIR}/${name}/proc/meminfo
    "MemTotal:       99999999 kB\nMemFree:          1024 kB\nMemAvailable:   ${available_kb} kB\n"
  )
  file(WRITE ${TSB_TEST_DIR}/${name}/proc/self/cgroup "${groups}\n")
endfunction()
function(group name file text)
  file(WRITE ${TSB_TEST_DIR}/${name}/sys/fs/cgroup/${file} "${text}\n")
endfunction()
function(check name cores available_mb)
  z_tsb_machine(it ${TSB_TEST_DIR}/${name})
  tsb_expect("cores of ${name}" EQUAL "${it_CORES}" "${cores}")
  tsb_expect("memory of ${name}" EQUAL "${it_AVAILABLE_MB}" "${available_mb}")
endfunction()

machine(bare "0-15" 8388608 "0::/user.slice")
check(bare 16 8192)

machine(pinned "0-1,4,6-7" 1048576 "0::/")
check(pinned 5 1024)

# 1.5 CPUs are 2 jobs; 4 GiB, of which 3 are used, and 1 of these is files that can go.
machine(container "0-31" 8388608 "0::/")
group(container cpu.max "150000 100000")
group(container memory.max 4294967296)
group(container memory.current 3221225472)
group(container memory.stat "anon 1\nfile 2\ninactive_file 1073741824")
check(container 2 2048)

# The tightest limit on the way to the root counts.
machine(nested "0-31" 8388608 "0::/outer/inner")
group(nested outer/cpu.max "300000 100000")
group(nested outer/inner/cpu.max "max 100000")
group(nested outer/memory.max 1073741824)
group(nested outer/memory.current 0)
group(nested outer/inner/memory.max max)
group(nested outer/inner/memory.current 0)
check(nested 3 1024)

machine(version1 "0-3" 8388608 "9:name=systemd:/x\n4:memory:/docker/1\n2:cpu,cpuacct:/docker/1")
group(version1 memory/memory.limit_in_bytes 2147483648)
group(version1 memory/memory.usage_in_bytes 1073741824)
group(version1 cpu,cpuacct/docker/1/cpu.cfs_quota_us 100000)
group(version1 cpu,cpuacct/docker/1/cpu.cfs_period_us 100000)
check(version1 1 1024)

# No /proc/meminfo: unknown, not nothing.
file(REMOVE ${TSB_TEST_DIR}/bare/proc/meminfo)
check(bare 16 "")
