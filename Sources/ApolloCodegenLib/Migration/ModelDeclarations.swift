/// The types and properties that generated Swift code declares, found by reading its tokens.
///
/// It reads the code of this generator and of Apollo iOS. Both write one declaration after the
/// other and have no conditional compilation, so braces are the only structure that counts.
struct ModelDeclarations {
  /// The types of properties by their paths: `HeroQuery.Data.Hero.name` → `String`. Only the last
  /// part of each name in a type is kept, because the code of both qualifies differently.
  private(set) var properties: [String: String] = [:]
  /// The paths of types and type aliases.
  private(set) var types: Set<String> = []
  /// The paths of classes.
  private(set) var classes: Set<String> = []
  /// The types that aliases stand for, as they are written, by the paths of the aliases.
  private var aliases: [String: String] = [:]

  /// A scope in braces. One that declares no type has no name.
  private var scopes: [String?] = []
  /// The name of the type whose braces are expected.
  private var pending: String?

  /// Reads files. The time is linear in their length.
  init(_ texts: [String]) {
    for text in texts {
      (scopes, pending) = ([], nil)
      for line in SwiftTokens.lines(of: text) { read(line) }
    }
  }

  private mutating func read(_ line: [Substring]) {
    var index = 0
    while index < line.count {
      switch line[index] {
      case "struct", "class", "enum", "extension", "protocol":
        if index + 1 < line.count { declare(line[index + 1], isClass: line[index] == "class") }
      case "typealias":
        readAlias(line, at: index)
      case "var":
        readProperty(line, at: index)
      case "{":
        scopes.append(pending)
        pending = nil
      case "}":
        _ = scopes.popLast()
      default: break
      }
      index += 1
    }
  }

  private mutating func readAlias(_ line: [Substring], at index: Int) {
    // The enums of 0.x spell out what every enum with raw values has.
    guard index + 1 < line.count, line[index + 1] != "RawValue",
      let path = path(of: line[index + 1])
    else { return }
    types.insert(path)
    guard index + 3 < line.count, line[index + 2] == "=" else { return }
    aliases[path] = line[index + 3].filter { $0 != "`" }
  }

  private mutating func declare(_ name: Substring, isClass: Bool) {
    pending = String(name)
    guard let path = path(of: name) else { return }
    types.insert(path)
    if isClass { classes.insert(path) }
  }

  private mutating func readProperty(_ line: [Substring], at index: Int) {
    guard !line[..<index].contains("static"), index + 3 < line.count, line[index + 2] == ":",
      !line[index + 1].hasPrefix("_"), let path = path(of: line[index + 1])
    else { return }
    let type = line[(index + 3)...].prefix { $0 != "{" && $0 != "=" }
    properties[path] = type.map { String($0.split(separator: ".").last ?? $0) }.joined()
  }

  // MARK: - Aliases

  /// Returns the type of a property. Its path may lead through aliases.
  func type(ofProperty path: String) -> String? {
    guard let dot = path.lastIndex(of: ".") else { return properties[path] }
    return properties[resolved(String(path[..<dot])) + path[dot...]]
  }

  /// Returns `true` if there is a type or an alias with a path, which may lead through aliases.
  func declares(_ path: String) -> Bool {
    types.contains(path) || types.contains(resolved(path))
  }

  /// Returns the path of the type that a path leads to.
  ///
  /// Aliases of generated code do not refer to themselves. The limit is for code that does not
  /// compile.
  private func resolved(_ path: String, limit: Int = 16) -> String {
    guard limit > 0, !aliases.isEmpty else { return path }
    var current = ""
    for name in path.split(separator: ".") {
      let enclosing = current
      current += enclosing.isEmpty ? String(name) : ".\(name)"
      if let target = aliases[current] {
        current = type(named: target, within: enclosing, limit: limit - 1) ?? current
      }
    }
    return current
  }

  /// Returns the path of the type that a name refers to within a type: the innermost one that is
  /// declared there, with or without the name of the module.
  private func type(named name: String, within scope: String, limit: Int) -> String? {
    let names = [name] + (name.firstIndex(of: ".").map { [String(name[$0...].dropFirst())] } ?? [])
    for name in names {
      var scope = scope
      while true {
        let path = resolved(scope.isEmpty ? name : "\(scope).\(name)", limit: limit)
        if types.contains(path), aliases[path] == nil { return path }
        guard !scope.isEmpty else { break }
        scope = scope.lastIndex(of: ".").map { String(scope[..<$0]) } ?? ""
      }
    }
    return nil
  }

  /// Returns the path of a declaration here. `nil` inside of a function or an accessor.
  private func path(of name: Substring) -> String? {
    guard scopes.allSatisfy({ $0 != nil }) else { return nil }
    return (scopes.compactMap(\.self) + [String(name)]).joined(separator: ".")
      .filter { $0 != "`" }
  }
}

/// The words and marks of Swift code, without comments and the contents of strings.
private enum SwiftTokens {
  /// Returns the tokens of each line. A name contains its dots and backquotes.
  static func lines(of text: String) -> [[Substring]] {
    var rest = text[...]
    var lines: [[Substring]] = []
    var line: [Substring] = []
    while let character = rest.first {
      if character.isNewline {
        lines.append(line)
        line = []
        rest = rest.dropFirst()
      } else if rest.hasPrefix("//") {
        rest = rest.drop { !$0.isNewline }
      } else if let string = stringLiteral(rest) {
        rest = rest[string...]
      } else if isPartOfName(character) {
        let name = rest.prefix { isPartOfName($0) || $0 == "." }
        line.append(name)
        rest = rest[name.endIndex...]
      } else {
        if !character.isWhitespace { line.append(rest.prefix(1)) }
        rest = rest.dropFirst()
      }
    }
    return lines + [line]
  }

  private static func isPartOfName(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || character == "`"
  }

  /// Returns the end of the string literal at the start of `text`, if there is one.
  private static func stringLiteral(_ text: Substring) -> Substring.Index? {
    let hashes = text.prefix { $0 == "#" }
    let quotes = text[hashes.endIndex...]
    guard quotes.first == "\"" else { return nil }
    let quote = quotes.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
    var rest = quotes.dropFirst(quote.count)
    while !rest.isEmpty, !rest.hasPrefix(quote + hashes) {
      // An escaped quotation mark ends nothing. In a raw string, a backslash escapes nothing alone.
      rest = rest.dropFirst(rest.first == "\\" && hashes.isEmpty ? 2 : 1)
    }
    return rest.index(
      rest.startIndex, offsetBy: quote.count + hashes.count, limitedBy: rest.endIndex)
  }
}
