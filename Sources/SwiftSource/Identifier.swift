/// Names that Swift reserves, and how to say them anyway.
package enum Identifier {
  /// The name, in back ticks where Swift would read a keyword instead.
  package static func escaped(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  /// The name as a label of an argument, where only one word is read as a keyword; back ticks around others are a warning.
  package static func label(_ name: String) -> String { name == "inout" ? "`inout`" : name }

  /// Words that cannot be the name of a declaration without back ticks, in any position where we
  /// declare something.
  package static let keywords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "as", "associatedtype", "await", "break", "case", "catch",
    "class", "continue", "default", "defer", "deinit", "do", "else", "enum", "extension",
    "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
    "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
    "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super",
    "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]
}
