/// Reserved names of Swift, and their escaping.
package enum Identifier {
  /// Returns the name, in back ticks if Swift reads it as a keyword.
  package static func escaped(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  /// Returns an identifier without its back ticks.
  package static func unescaped(_ identifier: String) -> String {
    identifier.filter { $0 != "`" }
  }

  /// Returns the name as an argument label. Only one word needs back ticks there; around others
  /// they cause a warning.
  package static func label(_ name: String) -> String { name == "inout" ? "`inout`" : name }

  /// Words that need back ticks as names of declarations, in any position that the generator
  /// declares something in.
  package static let keywords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "as", "associatedtype", "await", "break", "case", "catch",
    "class", "continue", "default", "defer", "deinit", "do", "else", "enum", "extension",
    "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
    "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
    "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super",
    "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]
}
