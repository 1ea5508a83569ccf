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
struct IntrospectionWriter {
  let schema: Schema
  private(set) var output: [UInt8] = []

  init(_ schema: Schema) {
    self.schema = schema
  }

  mutating func writeSchema() {
    object {
      $0.key("__schema")
      $0.object {
        $0.member("description", $0.schema.description)
        for kind in OperationKind.allCases {
          $0.key("\(kind)Type")
          $0.write(root: $0.schema.rootType(kind))
        }
        $0.key("types")
        $0.array($0.schema.introspectedTypes) { $0.write($1) }
        $0.key("directives")
        $0.array($0.schema.effectiveDirectives) { $0.write($1) }
      }
    }
  }

  private mutating func write(root type: Schema.NamedType.ID?) {
    guard let type else { return write("null") }
    object {
      $0.member("name", $0.schema.name(of: type))
      $0.member("kind", $0.schema[type].kind.introspectionName)
    }
  }
}

// MARK: - Elements

extension IntrospectionWriter {
  private mutating func write(_ id: Schema.NamedType.ID) {
    let type = schema[id]
    let isComposite = type.kind == .object || type.kind == .interface
    object {
      $0.member("kind", type.kind.introspectionName)
      $0.member("name", $0.schema.name(of: id))
      $0.member("description", $0.schema.description(of: id))
      $0.member("specifiedByURL", $0.schema.specifiedByURL(of: id))
      $0.key("isOneOf")
      $0.write(type.kind == .inputObject ? "\(type.isOneOf)" : "null")
      $0.key("fields")
      $0.array(type.fields, unless: !isComposite) { $0.write($1) }
      $0.key("inputFields")
      $0.array(type.inputFields, unless: type.kind != .inputObject) { $0.write($1) }
      $0.key("interfaces")
      $0.array($0.schema[type.interfaces], unless: !isComposite) {
        $0.write(ResolvedType($1.type))
      }
      $0.key("enumValues")
      $0.array(type.enumValues, unless: type.kind != .enum) { $0.write($1) }
      $0.key("possibleTypes")
      let possible = $0.schema.listedPossibleTypes(of: id)
      $0.array(possible, unless: !type.kind.isAbstract) { $0.write(ResolvedType($1)) }
    }
  }

  private mutating func write(_ id: Schema.Field.ID) {
    object {
      $0.member("name", $0.schema.spelling($0.schema[id].name))
      $0.member("description", $0.schema.description(of: id))
      $0.key("args")
      $0.array($0.schema[id].arguments) { $0.write($1) }
      $0.key("type")
      $0.write($0.schema[id].type)
      $0.writeDeprecation($0.schema.directives(of: id))
    }
  }

  private mutating func write(_ id: Schema.InputValue.ID) {
    object {
      $0.member("name", $0.schema.spelling($0.schema[id].name))
      $0.member("description", $0.schema.description(of: id))
      $0.key("type")
      $0.write($0.schema[id].type)
      let value = $0.schema.defaultValue(of: id)
      let document = $0.schema.document
      $0.member("defaultValue", value.map { document.printed($0, .version17) })
      $0.writeDeprecation($0.schema.directives(of: id))
    }
  }

  private mutating func write(_ id: Schema.EnumValue.ID) {
    object {
      $0.member("name", $0.schema.spelling($0.schema[id].name))
      $0.member("description", $0.schema.description(of: id))
      $0.writeDeprecation($0.schema.directives(of: id))
    }
  }

  private mutating func write(_ id: Schema.DirectiveDefinition.ID) {
    let directive = schema[id]
    object {
      $0.member("name", $0.schema.spelling(directive.name))
      $0.member("description", $0.schema.description(of: id))
      $0.key("isRepeatable")
      $0.write("\(directive.isRepeatable)")
      $0.key("locations")
      let locations = $0.schema.document[$0.schema.document[directive.definition].locations]
      $0.array(locations) { $0.quote($0.schema.spelling($1.symbol)) }
      $0.key("args")
      $0.array(directive.arguments) { $0.write($1) }
    }
  }

  private mutating func writeDeprecation(_ directives: ArraySlice<Directive>) {
    let reason = directives.isEmpty ? nil : schema.deprecationReason(in: directives)
    key("isDeprecated")
    write("\(reason != nil)")
    member("deprecationReason", reason)
  }

  /// Writes a type reference from the outside in, without recursion.
  private mutating func write(_ type: ResolvedType) {
    var type = type
    var depth = 0
    while true {
      if type.isNonNull {
        write("{\"kind\":\"NON_NULL\",\"name\":null,\"ofType\":")
        type = type.nullable
      } else if let item = type.item {
        write("{\"kind\":\"LIST\",\"name\":null,\"ofType\":")
        type = item
      } else {
        break
      }
      depth += 1
    }
    object {
      $0.member("kind", $0.schema[type.namedType].kind.introspectionName)
      $0.member("name", $0.schema.name(of: type.namedType))
      $0.member("ofType", nil)
    }
    write(String(repeating: "}", count: depth))
  }
}

// MARK: - JSON

extension IntrospectionWriter {
  private mutating func object(_ members: (inout Self) -> Void) {
    write("{")
    members(&self)
    write("}")
  }

  /// Writes a key, after a comma unless it is the first key of the object.
  private mutating func key(_ name: String) {
    if output.last != UInt8(ascii: "{") { write(",") }
    quote(name)
    write(":")
  }

  private mutating func member(_ name: String, _ value: String?) {
    key(name)
    if let value { quote(value) } else { write("null") }
  }

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

  private mutating func quote(_ text: String) {
    QuotedString.append(text, to: &output)
  }

  private mutating func write(_ text: String) {
    output.append(contentsOf: text.utf8)
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
  /// The name of the kind in the enum `__TypeKind`.
  fileprivate var introspectionName: String {
    switch self {
    case .scalar: "SCALAR"
    case .object: "OBJECT"
    case .interface: "INTERFACE"
    case .union: "UNION"
    case .enum: "ENUM"
    case .inputObject: "INPUT_OBJECT"
    }
  }
}
