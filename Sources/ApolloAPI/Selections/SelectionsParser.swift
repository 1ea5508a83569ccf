/// Parses the literal of a definition. The grammar is in `Documentation/Design/0001-models.md`.
///
/// Literals come from a generator, so a malformed one is a programmer's error, and traps with its
/// position.
struct SelectionsParser {
  private let text: [UInt8]
  private let fragmentCount: Int
  private let leaves: [any LeafValue.Type]
  /// The names of the scalars among the leaves, by index.
  private var scalarNames: [Int: String] = [:]
  private var position = 0
  private var nodes: [SelectionNode?] = []
  private var hasConnections = false
  private var hasRequiredFields = false
  /// The response keys of the fields around the position.
  private var path: [String] = []
  private var listEdits: [ListEdit] = []

  /// The contents of a literal.
  struct Definition {
    var maxAge: MaxAge?
    var throwsOnFieldErrors: Bool
    var hasRequiredFields: Bool
    var hasConnections: Bool
    var variableDefaults: [String: JSONValue]
    var listEdits: [ListEdit]
    var nodes: [SelectionNode]
  }

  init(_ literal: String, fragmentCount: Int, leaves: [any LeafValue.Type]) {
    text = Array(literal.utf8)
    self.fragmentCount = fragmentCount
    self.leaves = leaves
  }

  /// Definition : Defaults? MaxAge? `@throwOnFieldError`? SelectionSet
  mutating func parseDefinition() -> Definition {
    let defaults = parseDefaults()
    let maxAge = parseMaxAge()
    let throwsOnFieldErrors = consumeDirective(Self.throwOnFieldError)
    _ = parseSelectionSet()
    guard peek() == nil else { fail("the end") }
    return Definition(
      maxAge: maxAge, throwsOnFieldErrors: throwsOnFieldErrors,
      hasRequiredFields: hasRequiredFields, hasConnections: hasConnections,
      variableDefaults: defaults, listEdits: listEdits,
      nodes: nodes.compactMap { $0 })
  }

  /// Defaults : `(` ( `$` Name `=` Value )+ `)`
  private mutating func parseDefaults() -> [String: JSONValue] {
    var defaults: [String: JSONValue] = [:]
    guard consume("(") else { return defaults }
    while !consume(")") {
      expect("$")
      let name = parseName()
      expect("=")
      guard let value = parseValue().constant else { fail("a value without variables") }
      defaults[name] = value
    }
    return defaults
  }

  // MARK: - Selections

  /// SelectionSet : TypeName `{` MergedKeys? Selection* `}`
  private mutating func parseSelectionSet() -> SelectionNode {
    let parentType = parseName()
    return parseSelectionSet(on: parentType)
  }

  private mutating func parseSelectionSet(on parentType: String) -> SelectionNode {
    expect("{")
    let index = nodes.count
    nodes.append(nil)
    let merged = parseMergedKeys()
    var selections: [Selection] = []
    while !consume("}") { selections.append(parseSelection()) }
    var conditions: [String: [InclusionCondition]] = [:]
    for field in merged where !field.conditions.isEmpty {
      conditions[field.key] = conditions[field.key] ?? field.conditions
    }
    let node = SelectionNode(
      index: index, parentType: parentType, selections: selections,
      keys: accessorKeys(of: selections, merged: merged.map(\.key)),
      mergedConditions: conditions)
    nodes[index] = node
    return node
  }

  /// MergedKeys : ( `+` ResponseKey Condition* )+
  private mutating func parseMergedKeys() -> [(key: String, conditions: [InclusionCondition])] {
    var merged: [(key: String, conditions: [InclusionCondition])] = []
    while consume("+") { merged.append((parseName(), parseConditions())) }
    return merged
  }

  /// The keys of the fields, each once, then the merged ones.
  private func accessorKeys(of selections: [Selection], merged: [String]) -> [String] {
    var seen: Set<String> = []
    var keys: [String] = []
    for case .field(let field) in selections where seen.insert(field.responseKey).inserted {
      keys.append(field.responseKey)
    }
    for key in merged where seen.insert(key).inserted { keys.append(key) }
    return keys
  }

  /// Selection : Field | InlineFragment | FragmentSpread
  private mutating func parseSelection() -> Selection {
    guard peek() == UInt8(ascii: ".") else { return .field(parseField()) }
    for _ in 0..<3 { expect(".") }
    if consume("#") {
      let index = parseIndex(below: fragmentCount, of: "fragments")
      return .fragmentSpread(index, parseConditions())
    }
    let node = parseSelectionSet()
    return .inlineFragment(node, parseConditions())
  }

  /// Field : ResponseKey ( `:` FieldName )? Arguments? Type MaxAge? Catch? NonNull? Required?
  ///   Connection? Edit* Condition*
  private mutating func parseField() -> FieldSelection {
    let key = parseName()
    let name = consume(":") ? parseName() : key
    let arguments = parseArguments()
    path.append(key)
    defer { path.removeLast() }
    let (type, child) = parseType(depth: 0)
    let maxAge = parseMaxAge()
    let caughtLevels = parseLevels(of: Self.catches)
    let certainLevels = parseLevels(of: Self.semanticNonNull)
    let requiredAction = parseRequiredAction()
    let connection = parseConnection()
    let edits = parseEdits()
    return FieldSelection(
      responseKey: key, name: name, arguments: arguments, type: type, child: child,
      maxAge: maxAge, conditions: parseConditions(), caughtLevels: caughtLevels,
      certainLevels: requiredAction == nil ? certainLevels : certainLevels | 1,
      requiredAction: requiredAction, connection: connection, listEdits: edits)
  }

  /// Required : `@required(action: "NONE")`
  private mutating func parseRequiredAction() -> FieldSelection.RequiredAction? {
    guard consumeDirective(Self.required) else { return nil }
    hasRequiredFields = true
    switch parseArguments().first?.value.constant?.stringValue {
    case "NONE": return .silent
    case "LOG": return .logged
    default: fail("an action")
    }
  }

  private static let required = Array("@required".utf8)

  /// Connection : `@connection(key: "Shop_products" filters: ["category"])`
  private mutating func parseConnection() -> FieldSelection.Connection? {
    guard consumeDirective(Self.connection) else { return nil }
    hasConnections = true
    var arguments: [String: JSONValue] = [:]
    for argument in parseArguments() {
      guard let value = argument.value.constant else { fail("a key and filters without variables") }
      arguments[argument.name] = value
    }
    return FieldSelection.Connection(
      key: arguments["key"]?.stringValue,
      filters: arguments["filters"]?.arrayValue?.compactMap(\.stringValue))
  }

  private static let connection = Array("@connection".utf8)

  /// Edit : `@appendEdge(connections: $lists include: [$flag] skip: [$flag])`
  private mutating func parseEdits() -> [ConditionalEdit] {
    var edits: [ConditionalEdit] = []
    while peek() == UInt8(ascii: "@"),
      let name = Self.edits.first(where: { text[position...].starts(with: $0.utf8) })
    {
      position += name.utf8.count
      let arguments = parseArguments()
      let connections = arguments.first { $0.name == "connections" }?.value
      let edit = ListEdit(
        action: action(of: name, arguments), path: path,
        lists: connections.map(lists) ?? [])
      if !listEdits.contains(edit) { listEdits.append(edit) }
      let included = variables(named: "include", in: arguments)
      let skipped = variables(named: "skip", in: arguments)
      edits.append(
        ConditionalEdit(
          edit: edit,
          conditions: included.map { .include(.variable($0)) }
            + skipped.map { .skip(.variable($0)) }))
    }
    return edits
  }

  private func action(
    of directive: String, _ arguments: [FieldSelection.Argument]
  ) -> ListEdit.Action {
    func text(_ name: String) -> String? {
      arguments.first { $0.name == name }?.value.constant?.stringValue
    }
    switch directive {
    case "@appendNode", "@prependNode":
      guard let type = text("edgeTypeName") else { fail("the type of the edges before this") }
      let nodeTypes = arguments.first { $0.name == "nodeTypes" }?.value.constant?.arrayValue
      return .insertNodes(
        edgeTypeName: type, nodeTypes: nodeTypes?.compactMap(\.stringValue),
        atEnd: directive == "@appendNode")
    case "@appendEdge", "@prependEdge": return .insertEdges(atEnd: directive == "@appendEdge")
    default:
      return .delete(typeName: text("typeName"), alsoRecords: directive == "@deleteRecord")
    }
  }

  private func variables(
    named name: String, in arguments: [FieldSelection.Argument]
  ) -> [String] {
    guard case .list(let values)? = arguments.first(where: { $0.name == name })?.value else {
      return []
    }
    return values.compactMap { if case .variable(let name) = $0 { name } else { nil } }
  }

  private func lists(in value: ArgumentValue) -> [ListEdit.List] {
    switch value {
    case .variable(let name): [.variable(name)]
    case .constant(.string(let text)): [.constant(text)]
    case .constant(.array(let elements)): elements.flatMap { lists(in: .constant($0)) }
    case .list(let elements): elements.flatMap(lists)
    case .constant, .object: []
    }
  }

  private static let edits = [
    "@appendNode", "@prependNode", "@appendEdge", "@prependEdge", "@deleteRecord", "@deleteEdge",
  ]

  /// Catch : `@catch(levels: [0 1])`
  /// NonNull : `@semanticNonNull(levels: [0 1])`
  private mutating func parseLevels(of directive: [UInt8]) -> UInt32 {
    guard consumeDirective(directive) else { return 0 }
    guard case .constant(let levels)? = parseArguments().first?.value,
      let levels = levels.arrayValue
    else { fail("a list of levels") }
    return levels.reduce(0) { $0 | 1 << UInt32($1.intValue ?? 0) }
  }

  private static let catches = Array("@catch".utf8)
  private static let semanticNonNull = Array("@semanticNonNull".utf8)
  private static let throwOnFieldError = Array("@throwOnFieldError".utf8)

  private mutating func consumeDirective(_ directive: [UInt8]) -> Bool {
    guard peek() == UInt8(ascii: "@"), text[position...].starts(with: directive) else {
      return false
    }
    position += directive.count
    return true
  }

  /// Arguments : `(` ( Name `:` Value )* `)`
  private mutating func parseArguments() -> [FieldSelection.Argument] {
    var arguments: [FieldSelection.Argument] = []
    guard consume("(") else { return arguments }
    while !consume(")") {
      let name = parseName()
      expect(":")
      arguments.append(.init(name: name, value: parseValue()))
    }
    return arguments
  }

  /// Type : Leaf `!`? | SelectionSet `!`? | `[` Type `]` `!`?
  private mutating func parseType(depth: Int) -> (FieldType, child: SelectionNode?) {
    if consume("[") {
      guard depth < FieldType.maximumRank else { fail("fewer nested lists") }
      let (element, child) = parseType(depth: depth + 1)
      expect("]")
      return (element.asListElement(nonNullList: consume("!")), child)
    }
    var (type, child) = parseNamedType()
    if consume("!") { type.nonNull = 1 }
    return (type, child)
  }

  private mutating func parseNamedType() -> (FieldType, child: SelectionNode?) {
    if consume("#") { return (parseLeaf(), nil) }
    let name = parseName()
    if peek() == UInt8(ascii: "{") {
      return (FieldType(base: .object), parseSelectionSet(on: name))
    }
    switch name {
    case "String": return (FieldType(base: .string), nil)
    case "Int": return (FieldType(base: .int), nil)
    case "Float": return (FieldType(base: .double), nil)
    case "Boolean": return (FieldType(base: .bool), nil)
    case "ID": return (FieldType(base: .id), nil)
    default: fail("a built-in scalar or a selection set, not '\(name)'")
    }
  }

  /// Leaf : `#` Index ( `:` Name )?
  private mutating func parseLeaf() -> FieldType {
    let index = parseIndex(below: leaves.count, of: "leaves")
    if consume(":") { scalarNames[index] = parseName() }
    return FieldType(base: .leaf(leaves[index]), scalarName: scalarNames[index])
  }

  /// MaxAge : `@cacheControl(maxAge: …)` | `@cacheControl(inheritMaxAge: true)`
  private mutating func parseMaxAge() -> MaxAge? {
    guard consumeDirective(Self.cacheControl) else { return nil }
    let arguments = parseArguments()
    switch (arguments.first?.name, arguments.first?.value) {
    case ("maxAge", .constant(.int(let seconds))): return .seconds(Int(seconds))
    case ("inheritMaxAge", .constant(.bool(true))): return .inherited
    default: fail("a maximum age")
    }
  }

  private static let cacheControl = Array("@cacheControl".utf8)

  /// Condition : `@include(if: …)` | `@skip(if: …)` | `@defer(label: "…" if: …)`
  private mutating func parseConditions() -> [InclusionCondition] {
    var conditions: [InclusionCondition] = []
    while consume("@") {
      let name = parseName()
      let arguments = parseArguments()
      switch name {
      case "include": conditions.append(.include(flag(of: arguments)))
      case "skip": conditions.append(.skip(flag(of: arguments)))
      case "defer":
        let label = arguments.first { $0.name == "label" }?.value.constant?.stringValue
        conditions.append(.defer(label: label, flag(of: arguments)))
      default: fail("include, skip or defer, not '@\(name)'")
      }
    }
    return conditions
  }

  private func flag(of arguments: [FieldSelection.Argument]) -> InclusionCondition.Flag {
    switch arguments.first(where: { $0.name == "if" })?.value {
    case .variable(let name): return .variable(name)
    case .constant(.bool(let value)): return .literal(value)
    case nil: return .literal(true)
    default: fail("a Boolean or a variable for 'if'")
    }
  }

  // MARK: - Values

  /// A GraphQL value, which may contain variables.
  private mutating func parseValue() -> ArgumentValue {
    switch peek() {
    case UInt8(ascii: "$"):
      position += 1
      return .variable(parseName())
    case UInt8(ascii: "\""): return .constant(.string(parseString()))
    case UInt8(ascii: "["): return parseList()
    case UInt8(ascii: "{"): return parseObject()
    case let byte? where byte == UInt8(ascii: "-") || byte.isASCIIDigit:
      return .constant(parseNumber())
    default: return .constant(keyword(parseName()))
    }
  }

  private func keyword(_ name: String) -> JSONValue {
    switch name {
    case "null": .null
    case "true": .bool(true)
    case "false": .bool(false)
    default: .string(name)
    }
  }

  private mutating func parseList() -> ArgumentValue {
    expect("[")
    var elements: [ArgumentValue] = []
    while !consume("]") { elements.append(parseValue()) }
    let constants = elements.compactMap(\.constant)
    return constants.count == elements.count ? .constant(.array(constants)) : .list(elements)
  }

  private mutating func parseObject() -> ArgumentValue {
    expect("{")
    var members: [String: ArgumentValue] = [:]
    while !consume("}") {
      let name = parseName()
      expect(":")
      members[name] = parseValue()
    }
    let constants = members.compactMapValues(\.constant)
    return constants.count == members.count ? .constant(.object(constants)) : .object(members)
  }

  /// A string with the escapes of GraphQL, which are JSON's and `\u{…}`.
  private mutating func parseString() -> String {
    expect("\"")
    var scalars = String.UnicodeScalarView()
    var plain: [UInt8] = []
    while let byte = next(), byte != UInt8(ascii: "\"") {
      guard byte == UInt8(ascii: "\\") else {
        plain.append(byte)
        continue
      }
      scalars.append(contentsOf: String(decoding: plain, as: UTF8.self).unicodeScalars)
      plain.removeAll()
      scalars.append(parseEscape())
    }
    scalars.append(contentsOf: String(decoding: plain, as: UTF8.self).unicodeScalars)
    return String(scalars)
  }

  private mutating func parseEscape() -> Unicode.Scalar {
    switch next() {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "u"): return parseUnicodeEscape()
    case let byte?: return Unicode.Scalar(byte)
    case nil: fail("the rest of an escape")
    }
  }

  private mutating func parseUnicodeEscape() -> Unicode.Scalar {
    var value: UInt32
    if position < text.count, text[position] == UInt8(ascii: "{") {
      position += 1
      let digits = text[position...].prefix { $0 != UInt8(ascii: "}") }
      position += digits.count + 1
      value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) ?? .max
    } else {
      value = parseFourHexDigits()
      if value & 0xFC00 == 0xD800 {  // a surrogate pair: `\uD83D\uDE80`
        position += 2
        value = 0x10000 + (value & 0x3FF) << 10 + (parseFourHexDigits() & 0x3FF)
      }
    }
    guard let scalar = Unicode.Scalar(value) else { fail("a Unicode scalar") }
    return scalar
  }

  private mutating func parseFourHexDigits() -> UInt32 {
    let digits = text[min(position, text.count)...].prefix(4)
    position += digits.count
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16) ?? .max
  }

  private mutating func parseNumber() -> JSONValue {
    let digits = text[position...].prefix {
      $0.isASCIIDigit || "+-.eE".utf8.contains($0)
    }
    position += digits.count
    let number = String(decoding: digits, as: UTF8.self)
    if let value = Int64(number) { return .int(value) }
    // A `Double` rounds: two fields with long numbers could get one key.
    return JSONReader.number(number)
  }

  // MARK: - Tokens

  private mutating func parseName() -> String {
    _ = peek()
    let name = text[position...].prefix {
      $0.isASCIIDigit || $0.isASCIILetter || $0 == UInt8(ascii: "_")
    }
    guard !name.isEmpty else { fail("a name") }
    position += name.count
    return String(decoding: name, as: UTF8.self)
  }

  private mutating func parseIndex(below count: Int, of list: String) -> Int {
    guard let index = Int(parseName()), index < count else { fail("an index into '\(list)'") }
    return index
  }

  /// Returns the next byte that is neither white space nor a comma, without consuming it.
  private mutating func peek() -> UInt8? {
    while position < text.count {
      let byte = text[position]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 || byte == 0x2C else {
        return byte
      }
      position += 1
    }
    return nil
  }

  private mutating func next() -> UInt8? {
    guard position < text.count else { return nil }
    defer { position += 1 }
    return text[position]
  }

  private mutating func consume(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ character: Unicode.Scalar) {
    guard consume(character) else { fail("'\(character)'") }
  }

  private func fail(_ expected: String) -> Never {
    let rest = String(decoding: text[min(position, text.count)...].prefix(20), as: UTF8.self)
    preconditionFailure(
      "A selections literal is malformed at byte \(position), before '\(rest)': expected \(expected)"
    )
  }
}

extension ArgumentValue {
  /// The value when it has no variables.
  var constant: JSONValue? {
    if case .constant(let value) = self { value } else { nil }
  }
}
