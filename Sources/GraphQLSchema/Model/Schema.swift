public import GraphQLSyntax

/// A GraphQL type system: the types, directives and root operation types, resolved and indexed.
///
/// To create a schema, call `Schema.build(_:options:)` of `GraphQLValidation`. All elements are in
/// flat arrays and refer to each other by typed index: `schema[id]` is an element, and a list, such
/// as the fields of a type, is a collection of IDs:
///
/// ```swift
/// let source = Source(name: "schema.graphqls", text: "type Query { hero(id: ID!): String }")
/// let schema = Schema.build([.sdl(source)]).schema
/// if let query = schema.rootType(.query) {
///   for id in schema[query].fields {
///     let field = schema[id]
///     print(schema.spelling(field.name), schema.spelling(field.type))  // "hero String"
///   }
/// }
/// ```
///
/// **Names** are symbols of ``names``. Parse operations with `Document(names: schema.names,
/// sources: schema.document.sources)`, so that they share the symbols of the schema. Finding a type
/// is then an array access, and finding a field one probe of a hash table.
///
/// **Definitions** stay available in ``document``, which contains the descriptions, default values,
/// directive arguments and spans. Introspection JSON is transcribed to SDL first, so every element
/// has a definition.
///
/// **Order** is that of definition. The built-in scalars, introspection types and directives come
/// first.
///
/// Spec: 3, "Type System".
public struct Schema: Sendable {
  /// The document of all definitions, the built-in ones first.
  public internal(set) var document: Document

  /// All types, the built-in ones first.
  public internal(set) var types: [NamedType] = []
  /// The fields of all objects and interfaces, and the three meta-fields.
  public internal(set) var fields: [Field] = []
  /// The arguments of all fields and directives, and the fields of all input objects.
  public internal(set) var inputValues: [InputValue] = []
  /// The values of all enums.
  public internal(set) var enumValues: [EnumValue] = []
  /// All directive definitions, the built-in ones first.
  public internal(set) var directives: [DirectiveDefinition] = []
  /// A Boolean value that indicates whether introspection shows the deprecation of directives, as
  /// it does in the specification's draft.
  package internal(set) var hasDeprecatedDirectives = false
  /// The implemented interfaces of all types, and the members of all unions.
  public internal(set) var mentions: [TypeMention] = []
  /// The extensions of all types.
  public internal(set) var extensions: [TypeExtension] = []
  /// The schema definition, if there is one, and the schema extensions.
  public internal(set) var schemaDefinitions: [SchemaDefinition.ID] = []

  /// The root operation types, indexed by the raw value of the operation kind.
  var roots: [RootOperation?] = [nil, nil, nil]
  /// The numbers of built-in elements, which come first in each array.
  var builtIns = ElementCounts()
  /// The type of each symbol, or `noElement`.
  var typesBySymbol: [UInt32] = []
  /// The directive of each symbol, or `noElement`.
  var directivesBySymbol: [UInt32] = []
  /// The lookup table for fields, enum values, input fields and arguments.
  var members = MemberTable(capacity: 0)
  /// The object types of each abstract type.
  var possible = PossibleTypes(typeCount: 0)
  /// The fields `__typename`, `__schema` and `__type`.
  var metaFields = MetaFields()

  /// The index that stands for no element.
  static let noElement = UInt32.max

  /// Creates an empty schema, to be filled by the builder.
  init(document: Document) {
    self.document = document
  }

  /// A Boolean value that indicates whether the built-in definitions are being built.
  var isBuildingBuiltIns: Bool { builtIns.types == 0 }

  /// Declares all current elements as built in.
  mutating func countBuiltIns() {
    builtIns = ElementCounts(
      types: types.count, fields: fields.count, inputValues: inputValues.count,
      enumValues: enumValues.count, directives: directives.count)
  }

  /// The number of elements of each kind.
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
  /// Accesses the type with the given ID.
  @inlinable
  public subscript(id: NamedType.ID) -> NamedType { types[id.index] }
  /// Accesses the field with the given ID.
  @inlinable
  public subscript(id: Field.ID) -> Field { fields[id.index] }
  /// Accesses the argument or input field with the given ID.
  @inlinable
  public subscript(id: InputValue.ID) -> InputValue { inputValues[id.index] }
  /// Accesses the enum value with the given ID.
  @inlinable
  public subscript(id: EnumValue.ID) -> EnumValue { enumValues[id.index] }
  /// Accesses the directive definition with the given ID.
  @inlinable
  public subscript(id: DirectiveDefinition.ID) -> DirectiveDefinition { directives[id.index] }
  /// Accesses the fields of `list`.
  @inlinable
  public subscript(list: NodeList<Field>) -> ArraySlice<Field> { fields[list.indices] }
  /// Accesses the arguments or input fields of `list`.
  @inlinable
  public subscript(list: NodeList<InputValue>) -> ArraySlice<InputValue> {
    inputValues[list.indices]
  }
  /// Accesses the enum values of `list`.
  @inlinable
  public subscript(list: NodeList<EnumValue>) -> ArraySlice<EnumValue> { enumValues[list.indices] }
  /// Accesses the type references of `list`.
  @inlinable
  public subscript(list: NodeList<TypeMention>) -> ArraySlice<TypeMention> {
    mentions[list.indices]
  }
}
