# SPDX-License-Identifier: BSD-3-Clause
# z_tsb_edit_ninja_file.cmake runs this over a package's build.ninja:
#
#   awk -v heavy=<regex> -f z_tsb_edit_ninja_file.awk build.ninja
#
# Exit status 3: <regex> is not empty, and no compile matches it.

function is_werror(word) {
  return word ~ /^--?Werror(=.*)?$/
}

# Options for the host's compiler, as nvcc takes them: separated by commas.
function host_options(list, words, count, i, result) {
  count = split(list, words, /,/)
  for (i = 1; i <= count; i++)
    if (!is_werror(words[i])) result = result (result == "" ? "" : ",") words[i]
  return result
}

function without_werror(flags, cuda, words, count, i, word, result) {
  count = split(flags, words, / /)
  for (i = 1; i <= count; i++) {
    word = words[i]
    if (cuda) sub(/^--compiler-options/, "-Xcompiler", word)
    if (cuda && word == "-Xcompiler" && i < count) word = word "=" words[++i]
    if (is_werror(word)) {
      # nvcc: -Werror all-warnings
      if (cuda && word !~ /=/ && words[i + 1] ~ /^[a-z]/) i++
      continue
    }
    if (cuda && word ~ /^-Xcompiler=/) {
      word = host_options(substr(word, 12))
      if (word == "") continue
      word = "-Xcompiler=" word
    }
    if (word == "-pedantic-errors") word = "-pedantic"
    result = result " " word
  }
  return substr(result, 2)
}

/^build / { cuda = /: CUDA_COMPILER__/ }
/^  FLAGS = .*-(Werror|pedantic-errors)/ { $0 = "  FLAGS = " without_werror(substr($0, 11), cuda) }
{ print }
heavy != "" && /^build [^ ]*[.]o: / && $0 ~ heavy {
  print "  pool = heavy"
  heavy_compiles++
}
END { if (heavy != "" && !heavy_compiles) exit 3 }
