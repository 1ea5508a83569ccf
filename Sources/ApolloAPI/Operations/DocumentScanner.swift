/// The text of an operation or a fragment, taken apart into its selections.
struct ScannedDefinition {
  /// A selection with the texts that it is written with again.
  struct Selection {
    enum Kind {
      case field(responseKey: String, name: String)
      /// An inline fragment, with the name after `on` if there is one.
      case inlineFragment(String?)
      /// A spread. Its text is that of its directives.
      case fragmentSpread(String)
    }

    var kind: Kind
    /// The text before the selection set: `metres: height(unit: METER) @include(if: $more)`.
    var text: String
    /// The variables in that text.
    var variables: Set<String>
    /// `nil` for a leaf and for a spread.
    var selections: [Selection]?
  }

  /// A variable definition: `$first: Int = 10`.
  struct Variable {
    var name: String
    var text: String
  }

  /// `query Heroes`, or `fragment HeroDetails on Hero`.
  var head: String
  /// The name after `on`, of a fragment.
  var typeCondition: String?
  var variables: [Variable]
  /// The directives of the definition.
  var directives: String
  /// The variables in the directives.
  var directiveVariables: Set<String>
  var selections: [Selection]
}

/// Takes the text of an operation or a fragment apart, as far as its selections can be left out
/// one by one. Values of arguments are copied as they are.
///
/// The grammar is that of the GraphQL specification, section 2. Generated documents use a part of
/// it. What the scanner does not know, such as arguments of fragments, is an error, and the text is
/// sent as a whole.
struct DocumentScanner {
  /// The text has something that the scanner does not know.
  struct UnknownText: Error {}

  private let text: [UInt8]
  private var position = 0
  private var depth = 0
  /// The deepest nesting of selections or values.
  private static let maximumDepth = 200

  private init(_ text: String) { self.text = Array(text.utf8) }

  /// Takes an operation apart, or returns `nil` if its text has something unknown.
  static func operation(_ text: String) -> ScannedDefinition? {
    var scanner = DocumentScanner(text)
    return try? scanner.scanOperation()
  }

  /// Takes a fragment apart, or returns `nil` if its text has something unknown.
  static func fragment(_ text: String) -> ScannedDefinition? {
    var scanner = DocumentScanner(text)
    return try? scanner.scanFragment()
  }

  // MARK: - Definitions

  /// OperationDefinition : OperationType Name VariableDefinitions? Directives? SelectionSet
  private mutating func scanOperation() throws(UnknownText) -> ScannedDefinition {
    let start = try peekedPosition()
    guard try scanName() == "query" else { throw UnknownText() }
    _ = try scanName()
    let head = self.text(from: start)
    let variables = try scanVariables()
    let (directives, used, _) = try scanDirectives()
    let selections = try scanSelectionSet()
    try expectEnd()
    return ScannedDefinition(
      head: head, typeCondition: nil, variables: variables, directives: directives,
      directiveVariables: used, selections: selections)
  }

  /// FragmentDefinition : `fragment` FragmentName `on` NamedType SelectionSet
  private mutating func scanFragment() throws(UnknownText) -> ScannedDefinition {
    let start = try peekedPosition()
    guard try scanName() == "fragment" else { throw UnknownText() }
    _ = try scanName()
    guard try scanName() == "on" else { throw UnknownText() }
    let type = try scanName()
    let head = self.text(from: start)
    let selections = try scanSelectionSet()
    try expectEnd()
    return ScannedDefinition(
      head: head, typeCondition: type, variables: [], directives: "", directiveVariables: [],
      selections: selections)
  }

  /// VariableDefinitions : `(` ( Variable `:` Type DefaultValue? Directives? )+ `)`
  private mutating func scanVariables() throws(UnknownText) -> [ScannedDefinition.Variable] {
    var variables: [ScannedDefinition.Variable] = []
    guard consume("(") else { return variables }
    while !consume(")") {
      let start = try peekedPosition()
      try expect("$")
      let name = try scanName()
      try expect(":")
      try scanType()
      var end = position
      if consume("=") {
        _ = try scanValue()
        end = position
      }
      let (directives, _, directivesEnd) = try scanDirectives()
      if !directives.isEmpty { end = directivesEnd }
      variables.append(.init(name: name, text: String(decoding: text[start..<end], as: UTF8.self)))
    }
    return variables
  }

  /// Type : NamedType | `[` Type `]`, with or without `!`
  private mutating func scanType() throws(UnknownText) {
    var depth = 0
    while consume("[") { depth += 1 }
    _ = try scanName()
    _ = consume("!")
    while depth > 0 {
      try expect("]")
      _ = consume("!")
      depth -= 1
    }
  }

  // MARK: - Selections

  private mutating func scanSelectionSet() throws(UnknownText) -> [ScannedDefinition.Selection] {
    depth += 1
    defer { depth -= 1 }
    guard depth < Self.maximumDepth else { throw UnknownText() }
    try expect("{")
    var selections: [ScannedDefinition.Selection] = []
    while !consume("}") { selections.append(try scanSelection()) }
    guard !selections.isEmpty else { throw UnknownText() }
    return selections
  }

  private mutating func scanSelection() throws(UnknownText) -> ScannedDefinition.Selection {
    try peek() == UInt8(ascii: ".") ? scanFragmentSelection() : scanField()
  }

  /// Field : Alias? Name Arguments? Directives? SelectionSet?
  private mutating func scanField() throws(UnknownText) -> ScannedDefinition.Selection {
    let start = try peekedPosition()
    let key = try scanName()
    var end = position
    var name = key
    if consume(":") {
      name = try scanName()
      end = position
    }
    var variables: Set<String> = []
    if peek() == UInt8(ascii: "(") {
      variables = try scanArguments()
      end = position
    }
    let (directives, used, directivesEnd) = try scanDirectives()
    if !directives.isEmpty { end = directivesEnd }
    let head = String(decoding: text[start..<end], as: UTF8.self)
    let selections = peek() == UInt8(ascii: "{") ? try scanSelectionSet() : nil
    return ScannedDefinition.Selection(
      kind: .field(responseKey: key, name: name), text: head, variables: variables.union(used),
      selections: selections)
  }

  /// FragmentSpread : `...` FragmentName Directives?
  /// InlineFragment : `...` TypeCondition? Directives? SelectionSet
  private mutating func scanFragmentSelection() throws(UnknownText) -> ScannedDefinition.Selection {
    let start = try peekedPosition()
    for _ in 0..<3 { try expect(".") }
    var end = position
    var typeCondition: String?
    if peek()?.isNameStart == true {
      let name = try scanName()
      guard name == "on" else {
        let (directives, variables, _) = try scanDirectives(allowing: ["include", "skip"])
        return ScannedDefinition.Selection(
          kind: .fragmentSpread(name), text: directives, variables: variables, selections: nil)
      }
      typeCondition = try scanName()
      end = position
    }
    let (directives, variables, directivesEnd) = try scanDirectives()
    if !directives.isEmpty { end = directivesEnd }
    let head = String(decoding: text[start..<end], as: UTF8.self)
    return ScannedDefinition.Selection(
      kind: .inlineFragment(typeCondition), text: head, variables: variables,
      selections: try scanSelectionSet())
  }

  /// Directives : ( `@` Name Arguments? )*
  ///
  /// - Parameter known: The directives that may occur, or `nil` for any.
  /// - Returns: The text, its variables, and its end.
  /// - Throws: ``UnknownText``.
  private mutating func scanDirectives(
    allowing known: Set<String>? = nil
  ) throws(UnknownText) -> (text: String, variables: Set<String>, end: Int) {
    guard peek() == UInt8(ascii: "@") else { return ("", [], position) }
    let start = position
    var end = position
    var variables: Set<String> = []
    while consume("@") {
      let name = try scanName()
      if let known, !known.contains(name) { throw UnknownText() }
      end = position
      if peek() == UInt8(ascii: "(") {
        variables.formUnion(try scanArguments())
        end = position
      }
    }
    return (String(decoding: text[start..<end], as: UTF8.self), variables, end)
  }

  // MARK: - Values

  /// Arguments : `(` ( Name `:` Value )+ `)`
  ///
  /// - Returns: The variables in the values.
  private mutating func scanArguments() throws(UnknownText) -> Set<String> {
    var variables: Set<String> = []
    try expect("(")
    while !consume(")") {
      _ = try scanName()
      try expect(":")
      variables.formUnion(try scanValue())
    }
    return variables
  }

  /// Returns the variables in a value.
  private mutating func scanValue() throws(UnknownText) -> Set<String> {
    depth += 1
    defer { depth -= 1 }
    guard depth < Self.maximumDepth else { throw UnknownText() }
    var variables: Set<String> = []
    switch peek() {
    case UInt8(ascii: "$"):
      try expect("$")
      variables.insert(try scanName())
    case UInt8(ascii: "["):
      try expect("[")
      while !consume("]") { variables.formUnion(try scanValue()) }
    case UInt8(ascii: "{"):
      try expect("{")
      while !consume("}") {
        _ = try scanName()
        try expect(":")
        variables.formUnion(try scanValue())
      }
    case UInt8(ascii: "\""): try scanString()
    case let byte? where byte == UInt8(ascii: "-") || byte.isASCIIDigit: scanNumber()
    default: _ = try scanName()
    }
    return variables
  }

  private mutating func scanNumber() {
    while position < text.count,
      text[position].isASCIIDigit || "+-.eE".utf8.contains(text[position])
    {
      position += 1
    }
  }

  /// A string, or a block string.
  private mutating func scanString() throws(UnknownText) {
    let quotes = text[position...].prefix { $0 == UInt8(ascii: "\"") }.count
    if quotes == 2 || quotes >= 6 {
      position += quotes == 2 ? 2 : 6  // an empty string
      return
    }
    position += min(quotes, 3)
    let end = quotes >= 3 ? 3 : 1
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: "\\") where end == 1: position += 2
      case UInt8(ascii: "\\")
      where text[(position + 1)...].prefix(3).elementsEqual("\"\"\"".utf8):
        position += 4
      case UInt8(ascii: "\"")
      where text[position...].prefix { $0 == UInt8(ascii: "\"") }.count >= end:
        position += end
        return
      default: position += 1
      }
    }
    throw UnknownText()
  }

  // MARK: - Tokens

  private mutating func scanName() throws(UnknownText) -> String {
    guard let first = peek(), first.isNameStart else { throw UnknownText() }
    let name = text[position...].prefix { $0.isNameStart || $0.isASCIIDigit }
    position += name.count
    return String(decoding: name, as: UTF8.self)
  }

  /// Returns the next byte that is not ignored, without consuming it.
  private mutating func peek() -> UInt8? {
    while position < text.count {
      switch text[position] {
      case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","): position += 1
      case UInt8(ascii: "#"):
        while position < text.count, text[position] != 0x0A, text[position] != 0x0D {
          position += 1
        }
      default: return text[position]
      }
    }
    return nil
  }

  /// The position of the next token.
  private mutating func peekedPosition() throws(UnknownText) -> Int {
    guard peek() != nil else { throw UnknownText() }
    return position
  }

  private func text(from start: Int) -> String {
    String(decoding: text[start..<position], as: UTF8.self)
  }

  /// Consumes a character if it comes next. Otherwise nothing is consumed.
  private mutating func consume(_ character: Unicode.Scalar) -> Bool {
    let start = position
    guard peek() == UInt8(ascii: character) else {
      position = start
      return false
    }
    position += 1
    return true
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(UnknownText) {
    guard consume(character) else { throw UnknownText() }
  }

  private mutating func expectEnd() throws(UnknownText) {
    guard peek() == nil else { throw UnknownText() }
  }
}

extension UInt8 {
  fileprivate var isNameStart: Bool { isASCIILetter || self == UInt8(ascii: "_") }
}
