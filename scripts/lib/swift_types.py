"""Which types a module of Swift declares, in which file, and which of them each declaration uses.

Names are resolved as far as the text allows: by the types around a use, by the path before it (`Outer.Inner`), and by the generic
parameters in scope. Members are listed by their names, and so are their uses; which belongs to which is not resolved. Neither is
what is inferred.
"""

import collections
import pathlib

from swift_source import Source

DECLARING = {"struct", "class", "enum", "actor", "protocol", "extension", "typealias"}
STARTS_DECLARATION = DECLARING | {"func", "var", "let", "init", "subscript", "case", "associatedtype", "deinit", "import"}

Declaration = collections.namedtuple("Declaration", "name kind file line private")
Use = collections.namedtuple("Use", "name file line user")
"""A use of the type `name`. `user` is the type whose declaration or extension it is in, or `None`."""

Member = collections.namedtuple("Member", "owner file private")
"""A property, function or case of the type `owner`."""


class Scope:
    """A pair of braces: the type that it belongs to, if any, and the generic parameters that it introduces."""

    def __init__(self, type_path=None, generics=()):
        self.type_path = type_path
        self.generics = set(generics)


class Module:
    """The declarations and uses of all files below a folder."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        paths = (path.relative_to(self.folder) for path in self.folder.rglob("*.swift"))
        # The files of tutorials are not part of the module.
        self.files = sorted(str(path) for path in paths if not path.parts[0].endswith(".docc"))
        self.declarations = collections.defaultdict(list)
        self.generics = collections.defaultdict(set)
        self.aliases = set()
        self.uses = []
        self.members = collections.defaultdict(list)
        """The members of types by their names."""
        self.member_uses = []
        """Names behind a dot."""
        codes = {file: Source((self.folder / file).read_text(encoding="utf-8")).code for file in self.files}
        for resolving in (False, True):
            for file in self.files:
                _Walk(self, file, codes[file], resolving).walk()

    def resolve(self, name, path, file):
        """The full name of the type that `name` means inside of the type `path`, or `None`."""
        parts = path.split(".") if path else []
        for count in range(len(parts), -1, -1):
            candidate = ".".join(parts[:count] + [name])
            if any(not found.private or found.file == file for found in self.declarations.get(candidate, ())):
                return candidate
        return None

    def homes(self, name, file):
        """The files that declare a type, as seen from a file: a private type of the same name hides the others."""
        found = self.declarations.get(name, [])
        return [one.file for one in found if one.file == file] or [one.file for one in found if not one.private]


class _Walk:
    """One pass over a file: the first collects declarations, the second resolves uses."""

    def __init__(self, module, file, code, resolving):
        self.module, self.file, self.code, self.resolving = module, file, code, resolving
        self.scopes = []
        self.pending = None  # the scope that the next brace opens
        self.parentheses = 0
        self.stack = []  # the depths of parentheses outside of each brace

    def walk(self):
        code, index = self.code, 0
        while index < len(code):
            token = code[index]
            text = token.text
            if text in "([" and token.kind == "mark":
                self.parentheses += 1
            elif text in ")]" and token.kind == "mark":
                self.parentheses -= 1
            elif text == "{":
                self.open()
            elif text == "}":
                self.close()
            elif text in STARTS_DECLARATION and token.kind == "keyword" and self.previous(index) != ".":
                index = self.declare(index)
                continue
            elif token.kind == "name":
                index = self.use(index)
                continue
            index += 1

    def previous(self, index):
        return self.code[index - 1].text if index > 0 else ""

    def at(self, index):
        return self.code[index] if index < len(self.code) else None

    def text(self, index):
        return self.code[index].text if index < len(self.code) else ""

    # Scopes

    def open(self):
        if self.pending and self.parentheses == self.pending[1]:
            scope, self.pending = self.pending[0], None
        else:
            scope = Scope()
        self.scopes.append(scope)
        self.stack.append((self.parentheses, self.pending))
        self.parentheses, self.pending = 0, None

    def close(self):
        if self.scopes:
            self.scopes.pop()
            self.parentheses, self.pending = self.stack.pop()
            if self.parentheses == 0:
                self.pending = None

    @property
    def path(self):
        if self.pending and self.pending[0].type_path:
            return self.pending[0].type_path
        for scope in reversed(self.scopes):
            if scope.type_path:
                return scope.type_path
        return None

    def is_generic(self, name):
        scopes = self.scopes + ([self.pending[0]] if self.pending else [])
        return any(name in scope.generics for scope in scopes)

    # Declarations

    def declare(self, index):
        keyword = self.code[index].text
        following = self.at(index + 1)
        if keyword == "class" and (following is None or following.kind != "name"):
            return index + 1  # `class func`, or a protocol of classes
        self.declare_member(index, keyword)
        if keyword == "case" and self.parentheses == 0:
            self.pending = None
            return index + 1
        if keyword == "import" and following is not None and following.kind == "keyword":
            return index + 3  # `import enum Module.Type`
        if keyword in ("var", "let", "deinit", "import", "case"):
            if self.parentheses == 0 and keyword != "case":
                self.pending = None
            return index + (2 if following is not None and following.kind == "name" else 1)
        if keyword == "associatedtype":
            self.pending = None
            if self.path and following is not None:
                self.module.generics[self.path].add(following.text)
            return index + 2
        if keyword in ("func", "init", "subscript"):
            if keyword == "init" and self.text(index + 1) not in ("(", "<", "?", "!", "?(", "!("):
                return index + 1
            position = index + 1
            if keyword == "func":
                position += 1
            elif keyword == "init":
                while self.text(position) in ("?", "!"):
                    position += 1
            names, _ = self.generic_parameters(position)
            self.pending = (Scope(None, names), self.parentheses)
            return index + 2 if keyword == "func" else index + 1
        return self.declare_type(index, keyword)

    def declare_member(self, index, keyword):
        owner = self.scopes[-1].type_path if self.scopes else None
        if self.resolving or owner is None or self.parentheses or keyword not in ("var", "let", "func", "case"):
            return
        # Several cases are separated by commas.
        while self.at(index + 1) is not None and self.at(index + 1).kind == "name":
            self.module.members[self.text(index + 1).strip("`")].append(Member(owner, self.file, self.is_private(index)))
            index += 2
            if keyword != "case":
                return
            if self.text(index) == "(":
                index = self.after_parentheses(index)
            if self.text(index) != ",":
                return

    def after_parentheses(self, index):
        depth = 0
        while self.at(index) is not None:
            depth += {"(": 1, ")": -1}.get(self.text(index), 0)
            index += 1
            if depth == 0:
                break
        return index

    def declare_type(self, index, keyword):
        position, parts = index + 1, []
        while self.at(position) is not None and self.at(position).kind == "name":
            parts.append(self.text(position).strip("`"))
            position += 1
            if keyword == "extension" and self.text(position) == ".":
                position += 1
            else:
                break
        if not parts:
            return index + 1
        self.pending = None
        line = self.code[index].line
        around = self.path
        if keyword == "extension":
            # Its uses are resolved like others; a foreign type is nothing of this module's.
            target = self.module.resolve(parts[0], None, self.file) if self.resolving else None
            full = ".".join(parts)
            if target is not None:
                self.module.uses.append(Use(full if full in self.module.declarations else target, self.file, line, full))
            self.pending = (Scope(full, self.module.generics.get(full, ())), self.parentheses)
            return position
        full = ".".join(([around] if around else []) + parts)
        names, end = self.generic_parameters(position)
        if not self.resolving:
            self.module.declarations[full].append(Declaration(full, keyword, self.file, line, self.is_private(index)))
            self.module.generics[full].update(names)
            if keyword == "typealias":
                self.module.aliases.add(full)
        if keyword == "typealias":
            return position
        self.pending = (Scope(full, set(names) | self.module.generics[full]), self.parentheses)
        return position

    def is_private(self, index):
        position = index - 1
        while position >= 0 and self.code[position].line >= self.code[index].line - 1:
            token = self.code[position]
            if token.kind not in ("keyword", "name"):
                return False
            if token.text in ("private", "fileprivate"):
                return True
            position -= 1
        return False

    def generic_parameters(self, position):
        """The names in the generic parameter clause that begins at a position, and the position after it."""
        if self.text(position) != "<":
            return [], position
        names, depth, expecting = [], 0, True
        while position < len(self.code):
            token = self.code[position]
            if token.kind == "operator" and set(token.text) <= set("<>"):
                depth += token.text.count("<") - token.text.count(">")
                if depth <= 0:
                    return names, position + 1
            elif token.text == "," and depth == 1:
                expecting = True
            elif token.kind == "name" and expecting and token.text != "each":
                names.append(token.text)
                expecting = False
            position += 1
        return names, position

    # Uses

    def use(self, index):
        """Resolves the path `A.B.C` that begins at a position, and returns the position after it."""
        code, module = self.code, self.module
        position, token = index + 1, code[index]
        name = token.text.strip("`")
        if self.resolving and self.previous(index) == ".":
            self.module.member_uses.append(Use(name, self.file, token.line, self.path))
        if not self.resolving or self.previous(index) == ".":
            return position
        # A label or the name of a parameter is no use.
        if self.is_generic(name) and not (self.path and module.resolve(name, self.path, self.file) == f"{self.path}.{name}"):
            return position
        if name == module.folder.name and self.text(position) == "." and self.at(position + 1) is not None:
            name, position = self.text(position + 1), position + 2
            found = name if name in module.declarations else None
        else:
            found = module.resolve(name, self.path, self.file)
        if found is None or (self.text(position) == ":" and self.previous(index) in ("(", ",") and name[:1].islower()):
            return position
        while self.text(position) == "." and f"{found}.{self.text(position + 1)}" in module.declarations:
            self.record(found, token)
            found, position = f"{found}.{self.text(position + 1)}", position + 2
        self.record(found, token)
        return position

    def record(self, name, token):
        self.module.uses.append(Use(name, self.file, token.line, self.path))
