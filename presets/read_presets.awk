# SPDX-License-Identifier: BSD-3-Clause
# awk -f read_presets.awk CMakePresets.json [CMakeUserPresets.json]
#
# Prints "name<TAB>title<TAB>needs" of each workflow preset in the files and in those that they include; the needs are those
# that the configure preset and what it inherits say in `vendor`. For bootstrap.sh: it runs where CMake may still be missing.

BEGIN {
  for (i = 1; i < ARGC; i++) files[++file_count] = ARGV[i]
  for (i = 1; i <= file_count; i++) if (!(files[i] in done)) read(files[i])
  for (i = 1; i <= workflow_count; i++)
    printf "%s\t%s\t%s\n", workflows[i], title[workflows[i]], needs_of(configured_by[workflows[i]])
}

# The strings and brackets of a file. way[1], way[2], ...: the members of the objects that a string is in.
function read(file, folder, line, token, text, depth) {
  done[file] = 1
  folder = file
  sub(/[^\/]*$/, "", folder)
  while ((getline line < file) > 0)
    while (match(line, /"([^"\\]|\\.)*"|[][{}]/)) {
      token = substr(line, RSTART, 1)
      text = substr(line, RSTART + 1, RLENGTH - 2)
      line = substr(line, RSTART + RLENGTH)
      if (token ~ /[[{]/) {
        way[++depth] = ""
        if (depth == 3) preset++
      } else if (token ~ /[]}]/) {
        depth--
      } else if (line ~ /^[ \t]*:/) {
        way[depth] = text
      } else if (way[1] == "include") {
        files[++file_count] = (text ~ /^\// ? "" : folder) text
      } else if (way[1] == "configurePresets") {
        configure_preset(depth, text)
      } else if (way[1] == "workflowPresets") {
        workflow_preset(depth, text)
      }
    }
  close(file)
}

function configure_preset(depth, text) {
  if (way[3] == "name") number[text] = preset
  if (way[3] == "inherits") inherits[preset] = inherits[preset] " " text
  if (way[3] == "vendor" && way[depth] == "needs") needs[preset] = needs[preset] " " text
}

function workflow_preset(depth, text) {
  if (way[3] == "name") {
    workflow = text
    if (!(text in title)) workflows[++workflow_count] = text
    title[text] = ""
  }
  if (way[3] == "displayName") title[workflow] = text
  # The first step configures.
  if (depth == 5 && way[5] == "name" && !(workflow in configured_by)) configured_by[workflow] = text
}

function needs_of(name, text, parents, count, i) {
  text = needs[number[name]]
  count = split(inherits[number[name]], parents, " ")
  for (i = 1; i <= count; i++) text = text needs_of(parents[i])
  return text
}
