import GraphQLSyntax

extension SchemaBuilder {
  mutating func buildTypes() {
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

  /// Calls `body` with the definition of `type`, then with each of its extensions.
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

  /// Records that `type` has a member `name` at `position`. Returns `false` if it already has one.
  private mutating func isNew(
    _ name: Symbol, of type: Schema.NamedType.ID, at position: Int
  ) -> Bool {
    guard schema.members.insert(name, in: type.rawValue, at: position) != nil else { return true }
    doubts.insert(.uniqueMemberNames)
    return false
  }

  /// Returns the type of a member, or `nil` if the type is unknown and the member is therefore
  /// omitted.
  ///
  /// An omitted member is not registered, so a repetition of its name has to be looked for
  /// separately.
  private mutating func resolve(memberType reference: TypeReference) -> ResolvedType? {
    let type = resolve(reference)
    if type == nil { doubts.insert(.uniqueMemberNames) }
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
        // A repetition of an omitted argument goes unnoticed here.
        doubts.insert(.uniqueArgumentDefinitionNames)
        continue
      }
      let isRepeated =
        nodes.count > MemberTable.maximumScannedCount
        ? schema.members.insert(name, in: key, at: schema.inputValues.count) != nil
        : schema.inputValues[start...].contains { $0.name == name }
      guard !isRepeated else {
        doubts.insert(.uniqueArgumentDefinitionNames)
        continue
      }
      appendInputValue(id, type, of: owner)
    }
    return list(from: start, to: schema.inputValues.count)
  }

  /// Appends an argument or an input field.
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

  mutating func buildDirectives() {
    for index in schema.builtIns.directives..<schema.directives.count {
      let directive = Schema.DirectiveDefinition.ID(rawValue: UInt32(index))
      let nodes = document[schema.directives[index].definition].arguments
      schema.directives[index].arguments = appendArguments(nodes, of: .directive(directive))
    }
  }

  mutating func buildMetaFields(_ index: Int) {
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
