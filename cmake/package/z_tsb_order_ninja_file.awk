# SPDX-License-Identifier: BSD-3-Clause
# Puts the expensive steps of a build.ninja first, the most expensive one at the top:
#
#   awk -v costs=<step costs> -f z_tsb_order_ninja_file.awk
#
# Of the steps that can start Ninja takes the one that stands first; from 1.12 on, among those with equally many steps
# after them (https://github.com/ninja-build/ninja/pull/2177). A compile of minutes that starts last leaves all cores but
# one idle at the end. <step costs> has lines "<seconds> <output>", * for any characters; the first that fits counts.

function to_regex(pattern) {
  gsub(/[][\\.^$+?(){}|]/, "\\\\&", pattern)
  gsub(/[*]/, ".*", pattern)
  return "^" pattern "$"
}

function line_for(output, i) {
  for (i = 1; i <= patterns; i++)
    if (output ~ regex[i]) return i
  return 0
}

BEGIN {
  least = 10 # seconds; which of the others comes first makes no difference
  while (costs != "" && (getline line < costs) > 0) {
    if (line !~ /^[0-9.]+ /) continue
    split(line, words, " ")
    patterns++
    seconds[patterns] = words[1] + 0
    regex[patterns] = to_regex(words[2])
  }
}

/^build / {
  any = 1
  output = $2
  sub(/:$/, "", output)
  found = line_for(output)
  first = found && seconds[found] >= least ? found : 0
}
/^[^ ]/ && !/^build / { first = 0 }
!any { print; next }
first { statements[first] = statements[first] $0 "\n"; next }
{ rest[++lines] = $0 }

END {
  for (;;) {
    best = 0
    for (i = 1; i <= patterns; i++)
      if (i in statements && (!best || seconds[i] > seconds[best])) best = i
    if (!best) break
    printf "%s\n", statements[best]
    delete statements[best]
  }
  for (i = 1; i <= lines; i++) print rest[i]
}
