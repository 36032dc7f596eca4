# SPDX-License-Identifier: BSD-3-Clause
# Every kind of source comes out as its pin says; what cannot be unpacked is said, and the old tree stays.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
set(out "${box}/out")
function(unpack expected entry)
  string(JSON entry SET "${entry}" status "\"ok\"")
  execute_process(
    COMMAND
      sh "${scripts}/../detail/run_script.sh" ${CMAKE_COMMAND} "-DTSB_SOURCE=${entry}" "-DTSB_DESTINATION=${out}" -P
      "${scripts}/unpack_source.cmake"
    RESULT_VARIABLE code
    ERROR_VARIABLE text
    OUTPUT_VARIABLE text
  )
  tsb_expect("exit code of ${entry}: ${text}" EQUAL ${code} ${expected})
  tsb_expect("the words" LACKS "${text}" "CMake Error")
  tsb_expect("the folder beside" ABSENT "${out}.unpacking")
  tsb_expect("the old folder" ABSENT "${out}.replaced")
  set(text "${text}" PARENT_SCOPE)
endfunction()
function(entry_of out kind archive)
  set(entry "{}")
  string(JSON entry SET "${entry}" kind "\"${kind}\"")
  string(JSON entry SET "${entry}" archive "\"${archive}\"")
  while(ARGN)
    list(POP_FRONT ARGN member value)
    string(JSON entry SET "${entry}" ${member} "${value}")
  endwhile()
  set(${out} "${entry}" PARENT_SCOPE)
endfunction()

make_archive("${box}/demo.tar" demo-1.0)
entry_of(entry archive "${box}/demo.tar" strip 1)
unpack(0 "${entry}")
tsb_expect("strip" EXISTS "${out}/hello.txt")
entry_of(entry archive "${box}/demo.tar" strip 0)
unpack(0 "${entry}")
tsb_expect("no strip" EXISTS "${out}/demo-1.0/hello.txt")
tsb_expect("nothing of the tree before" ABSENT "${out}/hello.txt")
entry_of(
  entry
  archive
  "${box}/demo.tar"
  strip
  1
  subdir
  "\"below\""
  into
  "\"a/b\""
  license_file
  "\"hello.txt\""
)
unpack(0 "${entry}")
tsb_expect("subdir and into" EXISTS "${out}/a/b/deep.txt")
file(READ "${out}/LICENSE" licence)
tsb_expect("license_file" EQUAL "${licence}" "hello from demo-1.0\n")
execute_process(
  COMMAND sh "${scripts}/detail/hash_tree.sh" "${box}/tree/demo-1.0" "${box}/list"
  COMMAND_ERROR_IS_FATAL ANY
)
entry_of(entry folder "${box}/tree/demo-1.0" list "\"${box}/list\"")
unpack(0 "${entry}")
tsb_expect("folder" EXISTS "${out}/hello.txt")

# From here on everything fails, and the tree of the last success stays.
file(READ "${box}/demo.tar" half LIMIT 700)
file(WRITE "${box}/half.tar.gz" "${half}")
entry_of(entry archive "${box}/half.tar.gz" strip 0)
unpack(3 "${entry}")
tsb_expect("a broken archive" CONTAINS "${text}" "unpack: ${box}/half.tar.gz cannot be unpacked")
entry_of(entry archive "${box}/demo.tar" strip 2)
unpack(3 "${entry}")
tsb_expect("a wrong strip" CONTAINS "${text}" "does not have everything in one folder, but its pin has \"strip\": 2")
entry_of(entry archive "${box}/demo.tar" strip 1 subdir "\"nowhere\"")
unpack(3 "${entry}")
tsb_expect("a wrong subdir" CONTAINS "${text}" "demo.tar has no folder 'nowhere'")
entry_of(entry archive "${box}/demo.tar" strip 1 license_file "\"COPYING\"")
unpack(3 "${entry}")
tsb_expect("a wrong licence" CONTAINS "${text}" "has no file 'COPYING', which its pin names as its licence")
entry_of(entry archive "${box}/gone.tar" strip 1)
unpack(3 "${entry}")
tsb_expect("no archive" CONTAINS "${text}" "unpack: ${box}/gone.tar is gone since it was fetched")
tsb_expect("no archive" CONTAINS "${text}" "Run the same command again: it is fetched again.")
entry_of(entry archive "" strip 1)
unpack(3 "${entry}")
tsb_expect("nothing fetched" CONTAINS "${text}" "there is nothing to unpack")
tsb_expect("nothing fetched" CONTAINS "${text}" "run the target fetch")
# Another file of the same size and time, which the cache's memory of it does not show.
make_archive("${box}/right.tar" demo-1.0)
set(right ${sha256})
make_archive("${box}/evil.tar" evil-1.0)
file(COPY_FILE "${box}/evil.tar" "${box}/demo-1.tar")
file(WRITE "${box}/demo-1.tar.ok" "{}")
entry_of(entry archive "${box}/demo-1.tar" strip 1 sha256 "\"${right}\"")
unpack(3 "${entry}")
tsb_expect(
  "a changed archive"
  CONTAINS
  "${text}"
  "demo-1.tar changed since it was fetched: sha256 expected ${right}, got ${sha256} It was moved aside to"
)
tsb_expect("moved aside" EXISTS "${box}/demo-1.tar.wrong")
tsb_expect("the memory" ABSENT "${box}/demo-1.tar.ok")
file(COPY_FILE "${box}/right.tar" "${box}/demo-1.tar")
unpack(0 "${entry}")
unpack(0 "${entry}")
entry_of(entry basket "${box}/demo.tar")
unpack(3 "${entry}")
tsb_expect("an unknown kind" CONTAINS "${text}" "of no known kind ('basket')")
tsb_expect("the tree of before" EXISTS "${out}/hello.txt")
