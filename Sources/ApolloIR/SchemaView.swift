import GraphQLSchema
import GraphQLSyntax

/// The queries of lowering to a schema.
struct SchemaView {
  let schema: Schema
  /// The directives about nulls and errors of fields.
  let nullability: Nullability
  /// The key fields of types.
  private let keys: KeyFields
  /// The ends of the aliases under which the key fields of some types are added, because their
  /// names are taken.
  private(set) var aliasEndings: [Schema.NamedType.ID: String] = [:]

  init(_ schema: Schema) {
    self.schema = schema
    keys = KeyFields(of: schema)
    nullability = Nullability(of: schema)
  }

  /// Returns whether the schema defines a directive for a location.
  func allowsDirective(_ name: Symbol, at location: DirectiveLocation) -> Bool {
    schema.directive(named: name).map { schema[$0].locations.contains(location) } ?? false
  }

  // MARK: - Types

  func type(named symbol: Symbol) -> Schema.NamedType.ID? { schema.type(named: symbol) }

  func name(of type: Schema.NamedType.ID) -> String { schema.spelling(schema[type].name) }

  func symbol(of type: Schema.NamedType.ID) -> Symbol { schema[type].name }

  func rootType(of kind: GraphQLSyntax.OperationKind) -> Schema.NamedType.ID? {
    schema.rootType(kind)
  }

  func isSame(_ type: Schema.NamedType.ID, orNarrowerThan other: Schema.NamedType.ID) -> Bool {
    schema.isSubtype(type, of: other)
  }

  /// Returns a type of the schema, with names in place of indices.
  func valueType(of type: ResolvedType) -> ValueType {
    valueType(type.wrapping, around: namedType(type.namedType))
  }

  /// Returns a type as it is written in a document, or `nil` if the schema lacks it.
  func valueType(of reference: GraphQLSyntax.TypeReference) -> ValueType? {
    schema.resolve(reference).map(valueType)
  }

  private func valueType(_ wrapping: TypeWrapping, around type: NamedType) -> ValueType {
    if wrapping.isNonNull { return .nonNull(valueType(wrapping.nullable, around: type)) }
    if let item = wrapping.item { return .list(valueType(item, around: type)) }
    return .named(type)
  }

  func namedType(_ id: Schema.NamedType.ID) -> NamedType {
    let type = schema[id]
    let kind: NamedType.Kind =
      switch type.kind {
      case .scalar: type.isBuiltIn ? .builtInScalar : .customScalar
      case .enum: .enum
      case .inputObject: .inputObject
      case .object, .interface, .union: .composite
      }
    return NamedType(name: schema.spelling(type.name), kind: kind)
  }

  // MARK: - Fields

  func field(named symbol: Symbol, of type: Schema.NamedType.ID) -> Schema.Field.ID? {
    schema.field(symbol, of: type)
  }

  func type(of field: Schema.Field.ID) -> Schema.NamedType.ID { schema[field].type.namedType }

  /// Returns the type of a field's objects, or `nil` for leaves and for `__typename`.
  func compositeType(
    of field: GraphQLSyntax.Field, on type: Schema.NamedType.ID
  ) -> Schema.NamedType.ID? {
    guard let id = self.field(named: field.name.symbol, of: type) else { return nil }
    let inner = self.type(of: id)
    return schema[inner].kind.isComposite ? inner : nil
  }

  /// Returns a field as it is written, without its child.
  func field(
    _ field: GraphQLSyntax.Field, on type: Schema.NamedType.ID, in document: Document
  ) -> Field? {
    let name = document.spelling(field.name)
    var lowered = selection(ofFieldNamed: name, on: type)
    lowered?.responseKey = document.spelling(field.responseName)
    if !field.arguments.isEmpty {
      lowered?.arguments = document[field.arguments].map {
        "\(document.spelling($0.name)): \(document.graphQL($0.value))"
      }.joined(separator: " ")
    }
    lowered?.span = field.alias?.span ?? field.name.span
    return lowered
  }

  /// Returns a field without alias, arguments and conditions.
  func selection(ofFieldNamed name: String, on type: Schema.NamedType.ID) -> Field? {
    if name == "__typename" {
      let string = ValueType.nonNull(.named(NamedType(name: "String", kind: .builtInScalar)))
      return Field(
        responseKey: name, name: name, arguments: "", type: string, conditions: [],
        span: SourceSpan(at: 0))
    }
    guard let symbol = schema.names.symbol(for: name), let id = field(named: symbol, of: type)
    else {
      return nil
    }
    return Field(
      responseKey: name, name: name, definition: id, arguments: "",
      type: valueType(of: schema[id].type), conditions: [], span: SourceSpan(at: 0))
  }

  // MARK: - Added fields

  /// Returns `__typename`, then the key fields.
  func implicitFields(of type: Schema.NamedType.ID) -> [AddedField] {
    [AddedField(name: "__typename")] + addedKeyFields(of: type)
  }

  /// Returns the fields that are added to a fragment on a type.
  ///
  /// There are none at the root of a subscription, as in the operation itself: each would be a
  /// second field, which servers refuse. The type of the object is known without `__typename`.
  ///
  /// A fragment on an interface that the root implements has them, for its type cases and for other
  /// objects. It cannot be at the root.
  ///
  /// Spec: 5.2.4.1, "Single Root Field".
  func implicitFields(ofFragmentOn type: Schema.NamedType.ID) -> [AddedField] {
    isSubscriptionRoot(type) ? [] : implicitFields(of: type)
  }

  func isSubscriptionRoot(_ type: Schema.NamedType.ID) -> Bool {
    schema.rootType(.subscription) == type
  }

  /// Returns the key fields that are added to the selections on a type.
  func addedKeyFields(of type: Schema.NamedType.ID) -> [AddedField] {
    let names = keys.selected[type] ?? []
    let isOfObjects = keys.declared[type] == nil
    return names.map { name in
      AddedField(
        name: name, alias: aliasEndings[type].map { alias(of: name, type) + $0 },
        isOfObjects: isOfObjects)
    }
  }

  /// Gives the key fields of a type aliases that are no names in a document and its schema.
  ///
  /// Returns `false` if they have aliases already.
  mutating func addAliases(to type: Schema.NamedType.ID, besides names: NameTable) -> Bool {
    guard aliasEndings[type] == nil else { return false }
    let aliases = (keys.selected[type] ?? []).map { alias(of: $0, type) }
    var ending = ""
    var number = 2
    while aliases.contains(where: { names.symbol(for: $0 + ending) != nil }) {
      ending = "_\(number)"
      number += 1
    }
    aliasEndings[type] = ending
    return true
  }

  /// Returns the key fields that are added to an inline fragment on `type`, inside of a selection
  /// set on `outer`. Narrower types can have key fields that the type around them lacks.
  func addedKeyFields(
    ofFragmentOn type: Schema.NamedType.ID, in outer: Schema.NamedType.ID
  ) -> [AddedField] {
    let known = keys.selected[outer] ?? []
    return addedKeyFields(of: type).filter { !known.contains($0.name) }
  }

  /// Returns the object types that need inline fragments for their key fields in selections on an
  /// interface, because the interface lacks the fields.
  ///
  /// - Parameters:
  ///   - type: The interface.
  ///   - outer: The types of the selection sets around, which select key fields of the same object.
  /// - Returns: The types, in the order of the schema.
  func typesWithOwnKeys(
    in type: Schema.NamedType.ID, inside outer: [Schema.NamedType.ID]
  ) -> [Schema.NamedType.ID] {
    guard let types = keys.incomplete[type] else { return [] }
    let known = Set(outer.flatMap { keys.selected[$0] ?? [] })
    return types.filter { object in
      outer.allSatisfy { schema.isSubtype(object, of: $0) }
        && !(keys.selected[object] ?? []).allSatisfy(known.contains)
    }
  }

  /// Returns the fields that identify the objects of a type.
  func keyFields(of type: Schema.NamedType.ID) -> [String] { keys.declared[type] ?? [] }

  /// Returns a name for `id` of `Item` that other fields seldom have: `itemId`.
  private func alias(of field: String, _ type: Schema.NamedType.ID) -> String {
    let type = name(of: type)
    let first = type.prefix(1).lowercased() + type.dropFirst()
    return first + field.prefix(1).uppercased() + field.dropFirst()
  }

  // MARK: - Descriptions and directives

  func text(_ literal: GraphQLSyntax.StringLiteral?) -> String? {
    literal.map { schema.document.string($0) }
  }

  func deprecationReason(in directives: some Sequence<GraphQLSyntax.Directive>) -> String {
    Self.deprecationReason(in: directives, schema)
  }

  static func deprecationReason(
    in directives: some Sequence<GraphQLSyntax.Directive>, _ schema: Schema
  ) -> String {
    stringArgument("reason", of: "deprecated", in: directives, schema) ?? "No longer supported"
  }

  /// Reads each `@fieldPolicy(forField: "hero", keyArgs: "id")`, sorted by field. If a field has
  /// several, the first applies.
  func fieldPolicies(of type: Schema.NamedType.ID) -> [FieldPolicy] {
    var policies: [String: FieldPolicy] = [:]
    let lists = Set(listPolicies(of: type).map(\.field))
    for directive in schema.directives(of: type)
    where schema.document.spelling(directive.name) == "fieldPolicy" {
      guard let field = Self.stringArgument("forField", of: directive, schema),
        let arguments = Self.stringArgument("keyArgs", of: directive, schema),
        policies[field] == nil, !lists.contains(field)
      else { continue }
      policies[field] = FieldPolicy(field: field, keyArguments: Self.names(in: arguments))
    }
    return policies.values.sorted { $0.field < $1.field }
  }

  /// Returns the names of a list that is written as a string: `"a b"` or `"a, b"`.
  static func names(in text: String) -> [String] {
    text.split { $0 == " " || $0 == "," }.map(String.init)
  }

  static func stringArgument(
    _ name: String, of directiveName: String,
    in directives: some Sequence<GraphQLSyntax.Directive>, _ schema: Schema
  ) -> String? {
    for directive in directives where schema.document.spelling(directive.name) == directiveName {
      if let text = stringArgument(name, of: directive, schema) { return text }
    }
    return nil
  }

  static func stringArgument(
    _ name: String, of directive: GraphQLSyntax.Directive, _ schema: Schema
  ) -> String? {
    let document = schema.document
    for argument in document[directive.arguments] where document.spelling(argument.name) == name {
      if case .string(let literal) = argument.value.content { return document.string(literal) }
    }
    return nil
  }
}

extension Program {
  /// Returns the description of a field in the schema.
  package func description(of field: Field) -> String? {
    field.definition.flatMap { id in
      schema.document.string(schema.document[schema[id].definition].description)
    }
  }

  /// Returns the reason of a field's deprecation, or `nil` if it is not deprecated.
  package func deprecationReason(of field: Field) -> String? {
    guard let id = field.definition, schema[id].isDeprecated else { return nil }
    return SchemaView.deprecationReason(in: schema.directives(of: id), schema)
  }
}
