import GraphQLSchema
import GraphQLSyntax

/// Checks whether constants in a schema are values of input types.
///
/// A stack of steps replaces recursion, so the depth of a value is not limited.
struct ConstantCoercion {
  /// A part of a value that has the wrong type.
  struct Problem {
    var message: String
    /// The position in the value: `.field[0]`.
    var path: String
    var span: SourceSpan
  }

  /// A pending step. The steps for the parts of a value are pushed after, and run before, those
  /// that follow the value.
  private enum Step {
    case check(Value, ResolvedType)
    case checkItem(Value, ResolvedType, index: Int)
    case checkField(ObjectField, of: Schema.NamedType.ID, in: Value)
    /// The check of an object as a whole, after that of its fields.
    case complete(ObjectField.List, of: Schema.NamedType.ID, in: Value)
    case leave
  }

  let schema: Schema
  var suggestions: Suggestions
  private var problems: [Problem] = []
  private var path: [String] = []
  private var steps: [Step] = []

  init(schema: Schema, suggestions: Suggestions) {
    self.schema = schema
    self.suggestions = suggestions
  }

  /// Returns the problems of `value` as a value of `type`, which must be an input type.
  mutating func problems(of value: Value, as type: ResolvedType) -> [Problem] {
    problems = []
    steps.append(.check(value, type))
    while let step = steps.popLast() {
      switch step {
      case .check(let value, let type): checkOne(value, as: type)
      case .checkItem(let value, let type, let index):
        enter("[\(index)]", value, type)
      case .checkField(let field, let type, let value): checkField(field, of: type, in: value)
      case .complete(let fields, let type, let value): complete(fields, of: type, in: value)
      case .leave: path.removeLast()
      }
    }
    return problems
  }

  /// Checks the value at `location` inside the current value next.
  private mutating func enter(_ location: String, _ value: Value, _ type: ResolvedType) {
    path.append(location)
    steps.append(.leave)
    steps.append(.check(value, type))
  }

  private mutating func checkOne(_ value: Value, as type: ResolvedType) {
    if case .null = value.content {
      if type.isNonNull {
        report(
          "Expected value of non-null type \"\(schema.spelling(type))\" not to be null.", value)
      }
    } else if let item = type.item {
      checkItems(of: value, as: item)
    } else {
      checkNamed(value, as: type.namedType)
    }
  }

  /// Checks the items of a list. A single value stands for a list with that item.
  private mutating func checkItems(of value: Value, as item: ResolvedType) {
    guard case .list(let items) = value.content else { return steps.append(.check(value, item)) }
    for (index, value) in schema.document[items].enumerated().reversed() {
      steps.append(.checkItem(value, item, index: index))
    }
  }

  private mutating func checkNamed(_ value: Value, as type: Schema.NamedType.ID) {
    switch schema[type].kind {
    case .scalar: checkScalar(value, as: type)
    case .enum: checkEnum(value, as: type)
    case .inputObject: checkObject(value, as: type)
    case .object, .interface, .union: break
    }
  }

  /// A Boolean value that indicates whether further problems are dropped.
  private var isFull: Bool { problems.count > DiagnosticList.maximumCount }

  private mutating func report(_ message: String, _ value: Value) {
    guard !isFull else { return }
    problems.append(Problem(message: message, path: path.joined(), span: value.span))
  }

  /// Returns the text of `value`, truncated if it is very long.
  private func text(_ value: Value) -> String {
    let bytes = schema.document.sources.bytes(of: value.span)
    guard bytes.count > Self.maximumLength else { return String(decoding: bytes, as: UTF8.self) }
    return String(decoding: bytes.prefix(Self.maximumLength), as: UTF8.self) + "…"
  }

  private static let maximumLength = 2000
}

// MARK: - Leaves

extension ConstantCoercion {
  private mutating func checkScalar(_ value: Value, as type: Schema.NamedType.ID) {
    let scalar = schema[type].name
    guard !LeafValues.accepts(value, as: scalar, in: schema.document) else { return }
    report(LeafValues.problem(of: value, as: scalar, spelled: text(value)), value)
  }

  private mutating func checkEnum(_ value: Value, as type: Schema.NamedType.ID) {
    let spelling: String
    switch value.content {
    case .enum(let symbol):
      guard schema.enumValue(symbol, of: type) == nil else { return }
      spelling = schema.spelling(symbol)
    case .string(let literal): spelling = schema.document.string(literal)
    default: spelling = text(value)
    }
    let schema = schema
    let candidates = suggestions.candidates(
      for: spelling, among: schema[schema[type].enumValues].lazy.map { schema.spelling($0.name) })
    report(
      LeafValues.problem(
        of: value, spelled: text(value), asEnum: schema.name(of: type), candidates), value)
  }
}

// MARK: - Input objects

extension ConstantCoercion {
  private mutating func checkObject(_ value: Value, as type: Schema.NamedType.ID) {
    guard case .object(let fields) = value.content else {
      return report(
        "Expected value of type \"\(schema.name(of: type))\" to be an object, "
          + "found: \(text(value)).", value)
    }
    steps.append(.complete(fields, of: type, in: value))
    for field in schema.document[fields].reversed() {
      steps.append(.checkField(field, of: type, in: value))
    }
  }

  private mutating func complete(
    _ list: ObjectField.List, of type: Schema.NamedType.ID, in value: Value
  ) {
    let name = schema.name(of: type)
    let fields = schema.document[list]
    let given = Set(fields.map(\.name.symbol))
    for id in schema[type].inputFields
    where schema[id].isRequired && !given.contains(schema[id].name) && !isFull {
      report(
        "Expected value of type \"\(name)\" to include required field "
          + "\"\(schema.spelling(schema[id].name))\", found: \(text(value)).", value)
    }
    if schema[type].isOneOf { checkOneOf(fields, of: name, value) }
  }

  private mutating func checkField(
    _ field: ObjectField, of type: Schema.NamedType.ID, in value: Value
  ) {
    guard let id = schema.inputField(field.name.symbol, of: type) else {
      let schema = schema
      let spelling = schema.spelling(field.name.symbol)
      let known = schema[schema[type].inputFields].lazy.map { schema.spelling($0.name) }
      return report(
        "Expected value of type \"\(schema.name(of: type))\" not to include unknown field "
          + "\"\(spelling)\".\(didYouMean(suggestions.candidates(for: spelling, among: known)))",
        value)
    }
    enter(".\(schema.spelling(field.name.symbol))", field.value, schema[id].type)
  }

  private mutating func checkOneOf(
    _ fields: ArraySlice<ObjectField>, of name: String, _ value: Value
  ) {
    guard fields.count == 1, let field = fields.first else {
      return report("Exactly one key must be specified for OneOf type \"\(name)\".", value)
    }
    if case .null = field.value.content {
      report(LeafValues.problem(ofNullIn: schema.spelling(field.name.symbol), of: name), value)
    }
  }
}
