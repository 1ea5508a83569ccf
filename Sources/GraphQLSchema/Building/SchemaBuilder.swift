import GraphQLSyntax

/// Builds a schema from the definitions of a document.
///
/// Every document results in a schema, whatever its errors:
///
/// - A member of an unknown type is omitted.
/// - Of several members with the same name, the first one is used.
/// - Of several types, directives or root operation types with the same name, the last one is used.
///
/// The builder does not report these errors. It only records which rules may be violated, which
/// costs nothing for a valid document. Validation then checks these rules.
struct SchemaBuilder {
  var schema: Schema
  var doubts: SchemaDoubts = []
  let document: Document
  /// The extensions of types, in the order of the text. They are later sorted by type.
  private var pendingExtensions: [(type: UInt32, definition: TypeDefinition.ID)] = []

  /// Creates a builder that adds to `start`.
  private init(_ document: Document, upon start: Schema) {
    schema = start
    self.document = document
    let missing = document.names.count - schema.typesBySymbol.count
    schema.typesBySymbol.append(contentsOf: repeatElement(Schema.noElement, count: missing))
    schema.directivesBySymbol.append(contentsOf: repeatElement(Schema.noElement, count: missing))
    reserveCapacity()
  }

  private mutating func reserveCapacity() {
    schema.types.reserveCapacity(document.types.count)
    schema.fields.reserveCapacity(document.fieldDefinitions.count)
    schema.inputValues.reserveCapacity(document.inputValueDefinitions.count)
    schema.enumValues.reserveCapacity(document.enumValueDefinitions.count)
    schema.mentions.reserveCapacity(document.nameList.count)
    schema.members.reserveCapacity(
      document.fieldDefinitions.count + document.inputValueDefinitions.count
        + document.enumValueDefinitions.count)
  }

  /// Builds the schema of `document`.
  ///
  /// - Parameters:
  ///   - document: The document, which starts with all definitions of `start`.
  ///   - start: The schema of the built-in definitions, or an empty schema.
  ///   - baseEnd: The number of definitions that belong to a base schema, which the others extend,
  ///     or `nil` if there is no base schema.
  /// - Returns: The schema, and the rules that it may violate.
  /// - Complexity: O(*n*), where *n* is the number of nodes.
  static func build(
    _ document: Document, upon start: Schema, baseEnd: Int? = nil
  ) -> (schema: Schema, doubts: SchemaDoubts) {
    var builder = SchemaBuilder(document, upon: start)
    let definitions = document.definitions[start.document.definitions.count...]
    builder.registerNames(of: definitions)
    builder.sortExtensions()
    builder.buildTypes()
    builder.buildDirectives()
    builder.findPossibleTypes()
    builder.findRoots(namedByDefault: document.definitions[..<(baseEnd ?? definitions.endIndex)])
    builder.schema.document = document
    return (builder.schema, builder.doubts)
  }

  /// Builds the schema of the built-in definitions, which are all that `document` contains.
  ///
  /// The last type of the document is not a part of the schema: its fields are the meta-fields.
  static func buildBuiltIns(
    _ document: Document, hasDeprecatedDirectives: Bool
  ) -> Schema {
    var builder = SchemaBuilder(document, upon: Schema(document: document))
    builder.registerNames(of: document.definitions.dropLast())
    builder.buildTypes()
    builder.buildDirectives()
    builder.buildMetaFields(document.types.count - 1)
    builder.findPossibleTypes()
    builder.schema.countBuiltIns()
    builder.schema.hasDeprecatedDirectives = hasDeprecatedDirectives
    return builder.schema
  }
}

// MARK: - Names

extension SchemaBuilder {
  /// Assigns an ID to every type and every directive.
  private mutating func registerNames(of definitions: ArraySlice<Definition>) {
    for definition in definitions {
      switch definition {
      case .type(let id):
        if !document[id].isExtension { registerType(id) }
      case .directive(let id):
        if !document[id].isExtension { registerDirective(id) }
      case .schema(let id): schema.schemaDefinitions.append(id)
      case .operation, .fragment: break
      }
    }
    for case .type(let id) in definitions where document[id].isExtension {
      registerExtension(id)
    }
    for case .directive(let id) in definitions where document[id].isExtension {
      registerDirectiveExtension(id)
    }
  }

  private mutating func registerType(_ id: TypeDefinition.ID) {
    let node = document[id]
    let existing = schema.typesBySymbol[node.name.symbol.index]
    if existing != Schema.noElement {
      doubts.formUnion([.uniqueTypeNames, .inOmittedDefinitions])
      guard !schema.types[Int(existing)].isBuiltIn else { return }
    }
    let type = Schema.NamedType(
      name: node.name.symbol, kind: node.kind, isBuiltIn: schema.isBuildingBuiltIns, definition: id)
    if existing != Schema.noElement {
      schema.types[Int(existing)] = type
    } else {
      schema.typesBySymbol[node.name.symbol.index] = UInt32(schema.types.count)
      schema.types.append(type)
    }
  }

  private mutating func registerExtension(_ id: TypeDefinition.ID) {
    let node = document[id]
    let type = schema.typesBySymbol[node.name.symbol.index]
    guard type != Schema.noElement, !schema.types[Int(type)].isBuiltIn,
      schema.types[Int(type)].kind == node.kind
    else {
      doubts.formUnion([.possibleTypeExtensions, .inOmittedDefinitions])
      return
    }
    pendingExtensions.append((type, id))
  }

  private mutating func registerDirective(_ id: GraphQLSyntax.DirectiveDefinition.ID) {
    let node = document[id]
    let existing = schema.directivesBySymbol[node.name.symbol.index]
    if existing != Schema.noElement {
      doubts.formUnion([.uniqueDirectiveNames, .inOmittedDefinitions])
    }
    var locations = DirectiveLocationSet()
    for name in document[node.locations] {
      if let location = DirectiveLocation(name.symbol) { locations.insert(location) }
    }
    var directive = Schema.DirectiveDefinition(
      name: node.name.symbol, locations: locations, isRepeatable: node.isRepeatable,
      isBuiltIn: schema.isBuildingBuiltIns, definition: id)
    directive.isDeprecated = isApplied(.deprecated, in: node.directives)
    if existing != Schema.noElement, !schema.directives[Int(existing)].isBuiltIn {
      schema.directives[Int(existing)] = directive
    } else {
      schema.directivesBySymbol[node.name.symbol.index] = UInt32(schema.directives.count)
      schema.directives.append(directive)
    }
  }

  private mutating func registerDirectiveExtension(_ id: GraphQLSyntax.DirectiveDefinition.ID) {
    let node = document[id]
    let directive = Int(schema.directivesBySymbol[node.name.symbol.index])
    guard directive != Schema.noElement, !schema.directives[directive].isBuiltIn else {
      doubts.insert(.possibleTypeExtensions)
      return
    }
    schema.directives[directive].extensions.append(id)
    if isApplied(.deprecated, in: node.directives) {
      schema.directives[directive].isDeprecated = true
    }
  }

  /// Sorts the extensions by type.
  private mutating func sortExtensions() {
    guard !pendingExtensions.isEmpty else { return }
    pendingExtensions.sort {
      $0.type != $1.type ? $0.type < $1.type : $0.definition.rawValue < $1.definition.rawValue
    }
    for (type, definition) in pendingExtensions {
      let known = schema.types[Int(type)].extensions
      let start = known.isEmpty ? UInt32(schema.extensions.count) : known.start
      schema.extensions.append(Schema.TypeExtension(definition: definition))
      schema.types[Int(type)].extensions = NodeList(
        start: start, end: UInt32(schema.extensions.count))
    }
  }
}

// MARK: - Parts

extension SchemaBuilder {
  mutating func resolve(_ reference: TypeReference) -> ResolvedType? {
    resolve(reference.name).map { ResolvedType($0, reference.wrapping) }
  }

  mutating func resolve(_ name: Name) -> Schema.NamedType.ID? {
    let type = schema.typesBySymbol[name.symbol.index]
    if type != Schema.noElement { return Schema.NamedType.ID(rawValue: type) }
    doubts.insert(.knownTypeNames)
    return nil
  }

  func isApplied(_ name: Symbol, in directives: Directive.List) -> Bool {
    !directives.isEmpty && document[directives].contains { $0.name.symbol == name }
  }

  func list<Element>(from start: Int, to end: Int) -> NodeList<Element> {
    NodeList(start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end))
  }
}
