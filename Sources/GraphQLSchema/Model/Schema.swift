public import GraphQLSyntax

/// A GraphQL type system: types, directives and root operation types, resolved and indexed.
///
/// Everything lies in flat arrays in the order of definition, the built-in scalars, the
/// introspection types and the specified directives first. Elements name each other by typed index:
/// `schema[id]` is the element, and lists, such as the fields of a type, are collections of IDs.
///
/// ```swift
/// guard let type = schema.type(named: symbol) else { return }
/// for id in schema[type].fields {
///   let field = schema[id]
///   print(schema.spelling(field.name), schema.spelling(field.type))  // "friends [Character]"
/// }
/// ```
///
/// Names are symbols of ``names``, the table that read the schema. Parse operations with
/// `Document(names: schema.names, sources: schema.document.sources)` and their symbols agree with
/// the schema's: finding a type is then an array access, finding a field one probe of a hash table.
///
/// What a schema was built from stays in ``document``: descriptions, default values, arguments of
/// applied directives and spans are in nodes of it. Introspection JSON is transcribed to SDL first,
/// so there are nodes for everything.
///
/// Spec: 3, "Type System".
public struct Schema: Sendable {
  /// The definitions, the built-in ones first.
  public internal(set) var document: Document

  /// All types: built-in ones, then those that were defined.
  public internal(set) var types: [NamedType] = []
  /// The fields of all object and interface types, and the three meta-fields.
  public internal(set) var fields: [Field] = []
  /// The arguments of all fields and directives, and the fields of all input objects.
  public internal(set) var inputValues: [InputValue] = []
  /// The values of all enums.
  public internal(set) var enumValues: [EnumValue] = []
  /// The directive definitions: built-in ones, then those that were defined.
  public internal(set) var directives: [DirectiveDefinition] = []
  /// The interfaces that types implement, and the members of unions.
  public internal(set) var mentions: [TypeMention] = []
  /// The extensions of types.
  public internal(set) var extensions: [TypeExtension] = []
  /// The definition of the schema, if there is one, then its extensions.
  public internal(set) var schemaDefinitions: [SchemaDefinition.ID] = []

  /// The root operation types, by the raw value of their kind.
  var roots: [RootOperation?] = [nil, nil, nil]
  /// Where the elements begin that are not built in.
  var builtIns = ElementCounts()
  /// The type of each symbol; `noElement` for names of other things.
  var typesBySymbol: [UInt32] = []
  /// The directive of each symbol; `noElement` for names of other things.
  var directivesBySymbol: [UInt32] = []
  /// Fields, enum values and input fields by their type, and arguments by their field or directive.
  var members = MemberTable(capacity: 0)
  /// The objects of each abstract type.
  var possible = PossibleTypes(typeCount: 0)
  /// `__typename`, `__schema` and `__type`.
  var metaFields = MetaFields()

  static let noElement = UInt32.max

  /// A schema with nothing in it yet, for the builder.
  init(document: Document) {
    self.document = document
  }

  /// Whether the built-in definitions are being built: they are not counted yet.
  var isBuildingBuiltIns: Bool { builtIns.types == 0 }

  /// Declares all elements that there are now to be built in.
  mutating func countBuiltIns() {
    builtIns = ElementCounts(
      types: types.count, fields: fields.count, inputValues: inputValues.count,
      enumValues: enumValues.count, directives: directives.count)
  }

  /// How many elements of each kind there are.
  struct ElementCounts: Sendable {
    var types = 0
    var fields = 0
    var inputValues = 0
    var enumValues = 0
    var directives = 0
  }

  /// The fields that types have without defining them.
  struct MetaFields: Sendable {
    var typename = Field.ID(rawValue: 0)
    var schema = Field.ID(rawValue: 0)
    var type = Field.ID(rawValue: 0)
  }
}

// MARK: - Elements by ID

extension Schema {
  /// The type at `id`.
  @inlinable
  public subscript(id: NamedType.ID) -> NamedType { types[id.index] }
  /// The field at `id`.
  @inlinable
  public subscript(id: Field.ID) -> Field { fields[id.index] }
  /// The argument or input field at `id`.
  @inlinable
  public subscript(id: InputValue.ID) -> InputValue { inputValues[id.index] }
  /// The enum value at `id`.
  @inlinable
  public subscript(id: EnumValue.ID) -> EnumValue { enumValues[id.index] }
  /// The directive definition at `id`.
  @inlinable
  public subscript(id: DirectiveDefinition.ID) -> DirectiveDefinition { directives[id.index] }
  /// The fields of a list.
  @inlinable
  public subscript(list: NodeList<Field>) -> ArraySlice<Field> { fields[list.indices] }
  /// The arguments or input fields of a list.
  @inlinable
  public subscript(list: NodeList<InputValue>) -> ArraySlice<InputValue> {
    inputValues[list.indices]
  }
  /// The enum values of a list.
  @inlinable
  public subscript(list: NodeList<EnumValue>) -> ArraySlice<EnumValue> { enumValues[list.indices] }
  /// The mentions of a list.
  @inlinable
  public subscript(list: NodeList<TypeMention>) -> ArraySlice<TypeMention> {
    mentions[list.indices]
  }
}
