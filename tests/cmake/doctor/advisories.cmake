# SPDX-License-Identifier: BSD-3-Clause
# The known vulnerabilities of the release that is built, or of those that there are; none of them is a problem.
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
set(additions "${TSB_TEST_DIR}/additions")
set(name releases/9.9.0/advisories.json)

# record(<out-var> <json of a last event> [<json members>])
function(record out event)
  set(range "{\"type\": \"ECOSYSTEM\", \"events\": [{\"introduced\": \"0\"}, ${event}]}")
  set(${out} "{\"id\": \"A\", \"affected\": [{\"ranges\": [${range}]}]${ARGN}}" PARENT_SCOPE)
endfunction()

# says(<text> [<record>...]): what is said about them.
function(says text)
  list(JOIN ARGN ", " records)
  file(WRITE "${additions}/${name}" "{\"advisories\": [${records}]}")
  doctor("TSB_ADDITIONS=${additions}" ARGUMENTS CHECKS advisories PYTORCH_VERSION 9.9.0)
  passes("-- PyTorch 9.9.0: ${text}: ${name}")
  tsb_expect("a line" LACKS "${output}" "-- PyTorch 2")
endfunction()

file(MAKE_DIRECTORY "${additions}/releases/9.9.0")
doctor("TSB_ADDITIONS=${additions}" ARGUMENTS CHECKS advisories PYTORCH_VERSION 9.9.0)
passes("-- PyTorch 9.9.0: its known vulnerabilities are not listed: there is no ${name}")

record(open [[{"last_affected": "9.9.0"}]])
record(old [[{"fixed": "9.9.1rc1"}]])
record(new [[{"fixed": "9.10.0"}]])
record(not_affected [[{"fixed": "9.11.0"}]] [[, "database_specific": {"status": "not_affected"}]])
says("0 known vulnerabilities")
says("1 known vulnerabilities" "${open}")
says(
  "3 known vulnerabilities, 2 of them fixed in later releases up to 9.10.0" "${new}" "${open}" "${old}"
  "${not_affected}"
)

# With no release chosen, each one has its line.
doctor("TSB_ADDITIONS=${additions}" ARGUMENTS CHECKS advisories)
passes("-- PyTorch 9.9.0: 3 known" "-- PyTorch 2.")

# A file of another shape is refused.
record(strange [[{"fixed": "evil;b"}]])
record(number [[{"fixed": 3}]])
set(record "${additions}/${name}: 'advisories' 0")

# refuses(<text of the file> <message>)
function(refuses text message)
  file(WRITE "${additions}/${name}" "${text}")
  doctor("TSB_ADDITIONS=${additions}" ARGUMENTS CHECKS advisories PYTORCH_VERSION 9.9.0)
  tsb_expect_end(1 "${message}")
endfunction()
refuses("[]" "${additions}/${name} is not a JSON object but of type ARRAY correct it")
refuses("{\"advisories\": {}}" "'advisories' in ${additions}/${name} is of type OBJECT it must be of type ARRAY")
refuses("{\"advisories\": [1]}" "${record} has no member 'affected.0.ranges.0.events' add it, of type ARRAY")
refuses(
  "{\"advisories\": [${number}]}"
  "'affected.0.ranges.0.events.1.fixed' in ${record} is of type NUMBER it must be of type STRING"
)
refuses("{\"advisories\": [${strange}]}" "${record} is fixed in 'evil;b', which is not a version correct it")
