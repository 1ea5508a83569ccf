import GraphQLSyntax

/// Makes a schema of the definitions of a document.
///
/// The schema is built as well as possible whatever is wrong with the definitions: what names an
/// unknown type is left out, of repeated members the first one counts, of repeated types,
/// directives and operation types the last one. The builder only notices that something is wrong,
/// as that costs nothing when all is well; the rules then find out what it is and where.
struct SchemaBuilder {
  /// Rules whose violation the builder cannot but notice.
  struct Suspicions: OptionSet {
    let rawValue: UInt8

    static let uniqueTypeNames = Suspicions(rawValue: 1 << 0)
    static let uniqueDirectiveNames = Suspicions(rawValue: 1 << 1)
    static let uniqueMemberNames = Suspicions(rawValue: 1 << 2)
    static let uniqueArgumentDefinitionNames = Suspicions(rawValue: 1 << 3)
    static let knownTypeNames = Suspicions(rawValue: 1 << 4)
    static let possibleTypeExtensions = Suspicions(rawValue: 1 << 5)

    /// What is wrong within a definition that is not made part of the schema.
    static let ofWhatIsLeftOut: Suspicions = [
      .uniqueMemberNames, .uniqueArgumentDefinitionNames, .knownTypeNames,
    ]
  }

  var schema: Schema
  var suspicions: Suspicions = []
  let document: Document
  /// Extensions of types, in the order of their texts, before they are sorted by type.
  private var pendingExtensions: [(type: UInt32, definition: TypeDefinition.ID)] = []

  /// Prepares for building upon `start`.
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

  /// The schema of the built-in definitions and those that follow them in `document`.
  ///
  /// - Parameters:
  ///   - document: Continues the document of `start`, whose definitions it has first.
  ///   - start: The schema to build upon: that of the built-in definitions, or an empty one.
  ///   - baseEnd: How many of the definitions belong to a schema that the others extend, or nil
  ///     when all of them are on a par.
  /// - Returns: The schema, and the rules that it may break.
  /// - Complexity: O(*n*) in the number of nodes.
  static func build(
    _ document: Document, upon start: Schema, baseEnd: Int? = nil
  ) -> (schema: Schema, suspicions: Suspicions) {
    var builder = SchemaBuilder(document, upon: start)
    let definitions = document.definitions[start.document.definitions.count...]
    builder.registerNames(of: definitions)
    builder.sortExtensions()
    builder.buildTypes()
    builder.buildDirectives()
    builder.findPossibleTypes()
    builder.findRoots(namedByDefault: document.definitions[..<(baseEnd ?? definitions.endIndex)])
    builder.schema.document = document
    return (builder.schema, builder.suspicions)
  }

  /// Starts a schema with the built-in definitions, which are all that `document` has.
  ///
  /// The document's last type is not defined: its fields are the meta-fields.
  static func buildBuiltIns(_ document: Document) -> Schema {
    var builder = SchemaBuilder(document, upon: Schema(document: document))
    builder.registerNames(of: document.definitions.dropLast())
    builder.buildTypes()
    builder.buildDirectives()
    builder.buildMetaFields(document.types.count - 1)
    builder.findPossibleTypes()
    builder.schema.countBuiltIns()
    return builder.schema
  }
}

// MARK: - Names

extension SchemaBuilder {
  /// Gives every type and every directive its ID.
  private mutating func registerNames(of definitions: ArraySlice<Definition>) {
    for definition in definitions {
      switch definition {
      case .type(let id):
        if !document[id].isExtension { registerType(id) }
      case .directive(let id): registerDirective(id)
      case .schema(let id): schema.schemaDefinitions.append(id)
      case .operation, .fragment: break
      }
    }
    for case .type(let id) in definitions where document[id].isExtension {
      registerExtension(id)
    }
  }

  private mutating func registerType(_ id: TypeDefinition.ID) {
    let node = document[id]
    let existing = schema.typesBySymbol[node.name.symbol.index]
    if existing != Schema.noElement {
      suspicions.formUnion([.uniqueTypeNames, .ofWhatIsLeftOut])
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
      suspicions.formUnion([.possibleTypeExtensions, .ofWhatIsLeftOut])
      return
    }
    pendingExtensions.append((type, id))
  }

  private mutating func registerDirective(_ id: GraphQLSyntax.DirectiveDefinition.ID) {
    let node = document[id]
    let existing = schema.directivesBySymbol[node.name.symbol.index]
    if existing != Schema.noElement {
      suspicions.formUnion([.uniqueDirectiveNames, .ofWhatIsLeftOut])
    }
    var locations = DirectiveLocationSet()
    for name in document[node.locations] {
      if let location = DirectiveLocation(name.symbol) { locations.insert(location) }
    }
    let directive = Schema.DirectiveDefinition(
      name: node.name.symbol, locations: locations, isRepeatable: node.isRepeatable,
      isBuiltIn: schema.isBuildingBuiltIns, definition: id)
    if existing != Schema.noElement, !schema.directives[Int(existing)].isBuiltIn {
      schema.directives[Int(existing)] = directive
    } else {
      schema.directivesBySymbol[node.name.symbol.index] = UInt32(schema.directives.count)
      schema.directives.append(directive)
    }
  }

  /// Lists the extensions of each type next to each other.
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

// MARK: - Types

extension SchemaBuilder {
  private mutating func buildTypes() {
    for index in schema.builtIns.types..<schema.types.count {
      let type = Schema.NamedType.ID(rawValue: UInt32(index))
      switch schema.types[index].kind {
      case .scalar: break
      case .object, .interface:
        schema.types[index].interfaces = appendMentions(by: type) { $0.interfaces }
        schema.types[index].fields = appendFields(of: type)
      case .union: schema.types[index].members = appendMentions(by: type) { $0.members }
      case .enum: schema.types[index].enumValues = appendEnumValues(of: type)
      case .inputObject:
        forEachSite(of: type) { builder, site in
          if builder.isApplied(.oneOf, in: site.directives) {
            builder.schema.types[index].isOneOf = true
          }
        }
        schema.types[index].inputFields = appendInputFields(of: type)
      }
    }
  }

  /// Calls `body` with the definition of a type, then with its extensions.
  private mutating func forEachSite(
    of type: Schema.NamedType.ID, _ body: (inout Self, TypeDefinition) -> Void
  ) {
    body(&self, document[schema.types[type.index].definition])
    for index in schema.types[type.index].extensions.indices {
      body(&self, document[schema.extensions[index].definition])
    }
  }

  private mutating func appendMentions(
    by type: Schema.NamedType.ID, _ names: (TypeDefinition) -> Name.List
  ) -> NodeList<Schema.TypeMention> {
    let start = schema.mentions.count
    forEachSite(of: type) { builder, site in
      for id in names(site) {
        let name = builder.document[id]
        guard let mentioned = builder.resolve(name) else { continue }
        builder.schema.mentions.append(Schema.TypeMention(type: mentioned, span: name.span))
      }
    }
    return list(from: start, to: schema.mentions.count)
  }

  private mutating func appendFields(of type: Schema.NamedType.ID) -> NodeList<Schema.Field> {
    let start = schema.fields.count
    forEachSite(of: type) { builder, site in
      for id in site.fields {
        guard let fieldType = builder.resolve(memberType: builder.document[id].type),
          builder.isNew(
            builder.document[id].name.symbol, of: type, at: builder.schema.fields.count)
        else { continue }
        builder.appendField(id, fieldType, of: type)
      }
    }
    return list(from: start, to: schema.fields.count)
  }

  private mutating func appendField(
    _ id: FieldDefinition.ID, _ type: ResolvedType, of owner: Schema.NamedType.ID
  ) {
    let node = document[id]
    let field = Schema.Field.ID(rawValue: UInt32(schema.fields.count))
    let arguments = appendArguments(node.arguments, of: .field(field))
    schema.fields.append(
      Schema.Field(
        name: node.name.symbol, owner: owner, type: type,
        isDeprecated: isApplied(.deprecated, in: node.directives), arguments: arguments,
        definition: id))
  }

  private mutating func appendEnumValues(
    of type: Schema.NamedType.ID
  ) -> NodeList<Schema.EnumValue> {
    let start = schema.enumValues.count
    forEachSite(of: type) { builder, site in
      for id in site.values {
        let node = builder.document[id]
        let position = builder.schema.enumValues.count
        guard builder.isNew(node.name.symbol, of: type, at: position) else { continue }
        builder.schema.enumValues.append(
          Schema.EnumValue(
            name: node.name.symbol, owner: type,
            isDeprecated: builder.isApplied(.deprecated, in: node.directives), definition: id))
      }
    }
    return list(from: start, to: schema.enumValues.count)
  }

  private mutating func appendInputFields(
    of type: Schema.NamedType.ID
  ) -> NodeList<Schema.InputValue> {
    let start = schema.inputValues.count
    forEachSite(of: type) { builder, site in
      for id in site.inputFields {
        guard let fieldType = builder.resolve(memberType: builder.document[id].type),
          builder.isNew(
            builder.document[id].name.symbol, of: type, at: builder.schema.inputValues.count)
        else { continue }
        builder.appendInputValue(id, fieldType, of: .inputObject(type))
      }
    }
    return list(from: start, to: schema.inputValues.count)
  }

  /// Whether `type` has no member named `name` yet; if so, one is expected at `position`.
  private mutating func isNew(
    _ name: Symbol, of type: Schema.NamedType.ID, at position: Int
  ) -> Bool {
    guard schema.members.insert(name, in: type.rawValue, at: position) != nil else { return true }
    suspicions.insert(.uniqueMemberNames)
    return false
  }

  /// The type of a field, or nil when it is unknown: then the field is left out, so nobody will notice
  /// whether its name is repeated, and it has to be looked at.
  private mutating func resolve(memberType reference: TypeReference) -> ResolvedType? {
    let type = resolve(reference)
    if type == nil { suspicions.insert(.uniqueMemberNames) }
    return type
  }
}

// MARK: - Arguments and directives

extension SchemaBuilder {
  private mutating func appendArguments(
    _ nodes: InputValueDefinition.List, of owner: Schema.InputValue.Owner
  ) -> NodeList<Schema.InputValue> {
    guard !nodes.isEmpty else { return .empty }
    let start = schema.inputValues.count
    let key = MemberTable.owner(ofArgumentsAt: list(from: start, to: start))
    for id in nodes {
      let name = document[id].name.symbol
      guard let type = resolve(document[id].type) else {
        // What is left out is not known to be repeated.
        suspicions.insert(.uniqueArgumentDefinitionNames)
        continue
      }
      let isRepeated =
        nodes.count > MemberTable.greatestScannedCount
        ? schema.members.insert(name, in: key, at: schema.inputValues.count) != nil
        : schema.inputValues[start...].contains { $0.name == name }
      guard !isRepeated else {
        suspicions.insert(.uniqueArgumentDefinitionNames)
        continue
      }
      appendInputValue(id, type, of: owner)
    }
    return list(from: start, to: schema.inputValues.count)
  }

  /// Appends an argument or input field.
  private mutating func appendInputValue(
    _ id: InputValueDefinition.ID, _ type: ResolvedType, of owner: Schema.InputValue.Owner
  ) {
    let node = document[id]
    schema.inputValues.append(
      Schema.InputValue(
        name: node.name.symbol, owner: owner, type: type,
        isDeprecated: isApplied(.deprecated, in: node.directives),
        hasDefaultValue: node.defaultValue != nil, definition: id))
  }

  private mutating func buildDirectives() {
    for index in schema.builtIns.directives..<schema.directives.count {
      let directive = Schema.DirectiveDefinition.ID(rawValue: UInt32(index))
      let nodes = document[schema.directives[index].definition].arguments
      schema.directives[index].arguments = appendArguments(nodes, of: .directive(directive))
    }
  }

  private mutating func buildMetaFields(_ index: Int) {
    guard let owner = schema.type(named: .introspectionSchema) else { return }
    for id in document.types[index].fields {
      switch document[id].name.symbol {
      case .typename: schema.metaFields.typename = nextField
      case .introspectionSchemaField: schema.metaFields.schema = nextField
      default: schema.metaFields.type = nextField
      }
      guard let type = resolve(document[id].type) else { continue }
      appendField(id, type, of: owner)
    }
  }

  private var nextField: Schema.Field.ID { Schema.Field.ID(rawValue: UInt32(schema.fields.count)) }
}

// MARK: - Relations

extension SchemaBuilder {
  private mutating func findPossibleTypes() {
    var possible = PossibleTypes(typeCount: schema.types.count)
    let implementers = implementersByInterface()
    for (index, type) in schema.types.enumerated() {
      let id = Schema.NamedType.ID(rawValue: UInt32(index))
      switch type.kind {
      case .union:
        let members = schema.mentions[type.members.indices].map(\.type)
        possible.append(members.filter { schema[$0].kind == .object }, for: id)
      case .interface:
        possible.append(implementers.members[implementers.ranges[index]], for: id)
      case .scalar, .object, .enum, .inputObject: break
      }
    }
    schema.possible = possible
  }

  /// The objects that mention each type as an interface, ascending, by counting.
  private func implementersByInterface() -> (
    members: [Schema.NamedType.ID], ranges: [Range<Int>]
  ) {
    var ends = Array(repeating: 0, count: schema.types.count + 1)
    for type in schema.types where type.kind == .object {
      for mention in schema.mentions[type.interfaces.indices] { ends[mention.type.index + 1] += 1 }
    }
    for index in 1..<ends.count { ends[index] += ends[index - 1] }
    let starts = ends
    var members = Array(repeating: Schema.NamedType.ID(rawValue: 0), count: ends.last ?? 0)
    for (index, type) in schema.types.enumerated() where type.kind == .object {
      for mention in schema.mentions[type.interfaces.indices] {
        members[ends[mention.type.index]] = Schema.NamedType.ID(rawValue: UInt32(index))
        ends[mention.type.index] += 1
      }
    }
    return (members, zip(starts, ends).map { $0..<max($0, $1) })
  }

  /// Finds the root operation types: what `schema` says, or else the types with the usual names.
  private mutating func findRoots(namedByDefault definitions: ArraySlice<Definition>) {
    if !schema.schemaDefinitions.contains(where: { !document[$0].isExtension }) {
      for case .type(let id) in definitions { setDefaultRoot(id) }
    }
    for id in schema.schemaDefinitions {
      for root in document[document[id].rootOperationTypes] {
        guard let type = resolve(root.type) else { continue }
        schema.roots[Int(root.kind.rawValue)] = Schema.RootOperation(
          type: type, span: root.type.span)
      }
    }
  }

  private mutating func setDefaultRoot(_ id: TypeDefinition.ID) {
    let kind: OperationKind? =
      switch document[id].name.symbol {
      case .queryType: .query
      case .mutationType: .mutation
      case .subscriptionType: .subscription
      default: nil
      }
    guard let kind, !document[id].isExtension,
      let type = schema.type(named: document[id].name.symbol)
    else { return }
    schema.roots[Int(kind.rawValue)] = Schema.RootOperation(type: type, span: nil)
  }
}

// MARK: - Parts

extension SchemaBuilder {
  private mutating func resolve(_ reference: TypeReference) -> ResolvedType? {
    resolve(reference.name).map { ResolvedType($0, reference.wrapping) }
  }

  private mutating func resolve(_ name: Name) -> Schema.NamedType.ID? {
    let type = schema.typesBySymbol[name.symbol.index]
    if type != Schema.noElement { return Schema.NamedType.ID(rawValue: type) }
    suspicions.insert(.knownTypeNames)
    return nil
  }

  private func isApplied(_ name: Symbol, in directives: Directive.List) -> Bool {
    !directives.isEmpty && document[directives].contains { $0.name.symbol == name }
  }

  private func list<Element>(from start: Int, to end: Int) -> NodeList<Element> {
    NodeList(start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end))
  }
}
