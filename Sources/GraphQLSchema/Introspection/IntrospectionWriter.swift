import GraphQLSyntax

extension Schema {
  /// Returns the result of a full introspection query against the schema, as JSON.
  ///
  /// - Parameter isWrapped: If `true`, the result is the value of `data`, as in a response.
  /// - Returns: JSON without insignificant white space.
  /// - Complexity: O(*n*), where *n* is the length of the result.
  public func introspection(isWrapped: Bool = false) -> String {
    var writer = IntrospectionWriter(self)
    writer.writeSchema()
    let text = String(decoding: writer.output, as: UTF8.self)
    return isWrapped ? "{\"data\":\(text)}" : text
  }
}

/// Writes the result of a full introspection query.
///
/// Spec: 4.2, "Schema Introspection".
///
/// The keys of an object are always the same, so they are written together with the marks around
/// them, and names without a search for characters to escape.
struct IntrospectionWriter {
  let schema: Schema
  private(set) var output: [UInt8] = []
  /// Decodes descriptions and prints default values.
  private var printer: Printer

  init(_ schema: Schema) {
    self.schema = schema
    printer = Printer(schema.document, .version17)
  }

  mutating func writeSchema() {
    write(#"{"__schema":{"description":"#)
    write(schema.descriptionLiteral)
    write(#","queryType":"#)
    write(root: schema.rootType(.query))
    write(#","mutationType":"#)
    write(root: schema.rootType(.mutation))
    write(#","subscriptionType":"#)
    write(root: schema.rootType(.subscription))
    write(#","types":"#)
    array(schema.introspectedTypes) { $0.write($1) }
    write(#","directives":"#)
    array(schema.effectiveDirectives) { $0.write($1) }
    write("}}")
  }

  private mutating func write(root type: Schema.NamedType.ID?) {
    guard let type else { return write("null") }
    write(#"{"name":"#)
    write(schema[type].name)
    write(#","kind":"#)
    write(schema[type].kind.introspectionName)
    write("}")
  }
}

// MARK: - Elements

extension IntrospectionWriter {
  private mutating func write(_ id: Schema.NamedType.ID) {
    let type = schema[id]
    let isComposite = type.kind == .object || type.kind == .interface
    write(#"{"kind":"#)
    write(type.kind.introspectionName)
    write(#","name":"#)
    write(type.name)
    write(#","description":"#)
    write(schema.literal(describing: id))
    write(#","specifiedByURL":"#)
    write(text: schema.specifiedByURL(of: id))
    write(#","isOneOf":"#)
    if type.kind == .inputObject { write(type.isOneOf) } else { write("null") }
    write(#","fields":"#)
    array(type.fields, unless: !isComposite) { $0.write($1) }
    write(#","inputFields":"#)
    array(type.inputFields, unless: type.kind != .inputObject) { $0.write($1) }
    write(#","interfaces":"#)
    array(schema[type.interfaces], unless: !isComposite) { $0.write(ResolvedType($1.type)) }
    write(#","enumValues":"#)
    array(type.enumValues, unless: type.kind != .enum) { $0.write($1) }
    write(#","possibleTypes":"#)
    array(schema.listedPossibleTypes(of: id), unless: !type.kind.isAbstract) {
      $0.write(ResolvedType($1))
    }
    write("}")
  }

  private mutating func write(_ id: Schema.Field.ID) {
    let field = schema[id]
    writeHead(field.name, schema.literal(describing: id))
    write(#","args":"#)
    array(field.arguments) { $0.write($1) }
    write(#","type":"#)
    write(field.type)
    writeDeprecation(field.isDeprecated ? schema.directives(of: id) : [])
  }

  private mutating func write(_ id: Schema.InputValue.ID) {
    let input = schema[id]
    writeHead(input.name, schema.literal(describing: id))
    write(#","type":"#)
    write(input.type)
    write(#","defaultValue":"#)
    write(defaultValue: input.hasDefaultValue ? schema.defaultValue(of: id) : nil)
    writeDeprecation(input.isDeprecated ? schema.directives(of: id) : [])
  }

  private mutating func write(_ id: Schema.EnumValue.ID) {
    writeHead(schema[id].name, schema.literal(describing: id))
    writeDeprecation(schema[id].isDeprecated ? schema.directives(of: id) : [])
  }

  private mutating func write(_ id: Schema.DirectiveDefinition.ID) {
    let directive = schema[id]
    writeHead(directive.name, schema.literal(describing: id))
    write(#","isRepeatable":"#)
    write(directive.isRepeatable)
    write(#","locations":"#)
    array(schema.document[schema.document[directive.definition].locations]) {
      $0.write($1.symbol)
    }
    write(#","args":"#)
    array(directive.arguments) { $0.write($1) }
    guard schema.hasDeprecatedDirectives else { return write("}") }
    writeDeprecation(directive.isDeprecated ? schema.directives(of: id)[...] : [])
  }

  /// Writes the first two members of most objects.
  private mutating func writeHead(_ name: Symbol, _ description: StringLiteral?) {
    write(#"{"name":"#)
    write(name)
    write(#","description":"#)
    write(description)
  }

  /// Writes the last two members of most objects.
  private mutating func writeDeprecation(_ directives: ArraySlice<Directive>) {
    guard let reason = schema.deprecationReason(in: directives) else {
      return write(#","isDeprecated":false,"deprecationReason":null}"#)
    }
    write(#","isDeprecated":true,"deprecationReason":"#)
    write(text: reason)
    write("}")
  }

  private mutating func write(defaultValue value: Value?) {
    guard let value else { return write("null") }
    printer.print(value)
    printer.output.withUnsafeBufferPointer { QuotedString.append($0, to: &output) }
    printer.rollBack(to: 0)
  }

  /// Writes a type reference from the outside in, without recursion.
  private mutating func write(_ type: ResolvedType) {
    var type = type
    var depth = 1
    while true {
      if type.isNonNull {
        write(#"{"kind":"NON_NULL","name":null,"ofType":"#)
        type = type.nullable
      } else if let item = type.item {
        write(#"{"kind":"LIST","name":null,"ofType":"#)
        type = item
      } else {
        break
      }
      depth += 1
    }
    write(#"{"kind":"#)
    write(schema[type.namedType].kind.introspectionName)
    write(#","name":"#)
    write(schema[type.namedType].name)
    write(#","ofType":null"#)
    for _ in 0..<depth { write("}") }
  }
}

// MARK: - JSON

extension IntrospectionWriter {
  private mutating func array<Items: Sequence>(
    _ items: Items, unless isNull: Bool = false, _ item: (inout Self, Items.Element) -> Void
  ) {
    guard !isNull else { return write("null") }
    write("[")
    var isFirst = true
    for element in items {
      if !isFirst { write(",") }
      isFirst = false
      item(&self, element)
    }
    write("]")
  }

  /// Writes the value of a literal as a string, or `null` for no literal.
  private mutating func write(_ literal: StringLiteral?) {
    guard let literal else { return write("null") }
    printer.withValue(of: literal) { value, _ in QuotedString.append(value, to: &output) }
  }

  private mutating func write(text: String?) {
    if let text { QuotedString.append(text, to: &output) } else { write("null") }
  }

  /// Writes a name as a string. Names need no escapes.
  private mutating func write(_ name: Symbol) {
    output.append(UInt8(ascii: "\""))
    schema.names.withUTF8(of: name) { output.append(contentsOf: $0) }
    output.append(UInt8(ascii: "\""))
  }

  private mutating func write(_ flag: Bool) {
    if flag { write("true") } else { write("false") }
  }

  private mutating func write(_ json: StaticString) {
    output.append(text: json)
  }
}

extension Schema {
  /// Returns the possible types of an abstract type. Those of a union have the order of its
  /// definition.
  fileprivate func listedPossibleTypes(of id: NamedType.ID) -> [NamedType.ID] {
    guard self[id].kind == .union else { return Array(possibleTypes(of: id)) }
    var seen: Set<NamedType.ID> = []
    return self[self[id].members].map(\.type).filter { seen.insert($0).inserted }
  }
}

extension TypeKind {
  /// The name of the kind in the enum `__TypeKind`, as JSON.
  fileprivate var introspectionName: StaticString {
    switch self {
    case .scalar: "\"SCALAR\""
    case .object: "\"OBJECT\""
    case .interface: "\"INTERFACE\""
    case .union: "\"UNION\""
    case .enum: "\"ENUM\""
    case .inputObject: "\"INPUT_OBJECT\""
    }
  }
}
