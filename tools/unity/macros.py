# SPDX-License-Identifier: BSD-3-Clause
"""Finds members of a unit that the preprocessor would treat differently than alone, in silence."""

import re

COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
DIRECTIVE = re.compile(r'^[ \t]*#[ \t]*(define|undef|include|ifdef|ifndef)[ \t]+([\w<"][^\s(]*)', re.M)
WORD = re.compile(r"[A-Za-z_]\w*")
STATE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+(?:GCC[ \t]+(?:optimize|target|push_options)|pack|STDC)", re.M)
HARMLESS = re.compile(r"TORCH_ASSERT_(NO|ONLY_METHOD)_OPERATORS$")  # only makes a wrong #include an error

_words = {}


def words_of(path):
    if path not in _words:
        try:
            with open(path, errors="replace") as stream:
                _words[path] = frozenset(WORD.findall(COMMENT.sub(" ", stream.read())))
        except OSError:
            _words[path] = frozenset()
    return _words[path]


class Source:
    """What one source does to the preprocessor's state."""

    def __init__(self, path, headers):
        with open(path, errors="replace") as stream:
            text = re.sub(r"\\\n", " ", stream.read())
        self.path, self.headers = path, headers
        self.changes_pragma = bool(STATE.search(text))
        self.leaves, self.removes, self.before_include = set(), set(), set()
        defined = set()
        for kind, name in DIRECTIVE.findall(COMMENT.sub(lambda m: m.group() if m.group()[0] == '"' else " ", text)):
            if kind == "define" and not HARMLESS.match(name):
                defined.add(name)
                self.leaves.add(name)
            elif kind == "undef":
                self.leaves.discard(name)
                if name not in defined:
                    self.removes.add(name)
            elif kind == "include":
                self.before_include |= defined
        self.text = COMMENT.sub(" ", text)

    def uses(self, name):
        """Whether this source, or a header of it, would notice that name is defined already."""
        if any(name in words_of(header) for header in self.headers):
            return True
        first = re.search(rf"^.*\b{re.escape(name)}\b.*$", self.text, re.M)
        return bool(first) and not re.match(r"[ \t]*#[ \t]*(define|undef)[ \t]", first.group())


def conflicts(sources):
    """[(member, why)]: members that cannot stay in a unit of these sources, in this order."""
    found = []
    earlier = []
    for source in sources:
        why = ""
        if source.changes_pragma:
            why = "changes the compiler's state by a #pragma"
        for name in sorted(source.before_include):
            if any(name in words_of(header) for header in source.headers):
                why = why or f"defines {name} for a header to read"
        for name in sorted(source.removes):
            why = why or f"removes the macro {name}, which is not its own"
        for other in earlier:
            for name in sorted(other.leaves):
                if not why and source.uses(name):
                    why = f"would see the macro {name} of {other.path.rsplit('/', 1)[1]}"
        if why:
            found.append((source.path, why))
        else:
            earlier.append(source)
    return found
