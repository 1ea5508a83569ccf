/// The syntax tree of any number of GraphQL sources, with their names and texts.
///
/// Parse one source with ``parsing(_:name:options:)``. To combine several files, call
/// ``parse(_:options:)`` once for each:
///
/// ```swift
/// var document = Document()
/// for file in files {
///   diagnostics += document.parse(Source(name: file.path, text: file.text))
/// }
/// ```
///
/// ## Walking a document
///
/// Nodes are plain values that hold no references. Each kind has one array in the document, and
/// nodes refer to each other by typed index: `document[id]` is a node, and `document[list]` a slice
/// of the nodes of a list. A list (`Field.List`, …) is itself a collection of IDs.
///
/// ```swift
/// func visit(_ selectionSet: SelectionSet) {
///   for id in selectionSet.selections {
///     switch document[id] {  // a `Selection`: one of three
///     case .field(let id):
///       let field = document[id]  // a `Field`
///       if field.name.symbol == .typename { continue }  // names compare as integers
///       print(document.spelling(field.name))  // "hero"
///       for id in field.arguments {
///         let argument = document[id]  // an `Argument`
///         if case .variable(let name) = argument.value.content { print(document.spelling(name)) }
///       }
///       if let inner = field.selectionSet { visit(inner) }
///     case .inlineFragment(let id): visit(document[id].selectionSet)
///     case .fragmentSpread(let id): print(document.spelling(document[id].name))
///     }
///   }
/// }
/// for definition in document.definitions {
///   switch definition {
///   case .operation(let id): visit(document[id].selectionSet)
///   case .fragment(let id): visit(document[id].selectionSet)
///   case .schema, .type, .directive: break  // definitions and extensions of a schema
///   }
/// }
/// ```
///
/// - A ``Name`` is a ``Symbol`` and a span. `document.spelling(name)` returns its text.
/// - A ``TypeReference`` is a name and its ``TypeWrapping``: `[Int!]!` without any indirection.
/// - A ``Value`` has its kind in `value.content`. `document.string(literal)` decodes a string.
/// - A ``TypeDefinition`` represents all six kinds of type and their extensions. The lists that a
///   kind does not use are empty.
/// - Every node has a `span`. `document.text(of: span)` returns its text, and `document.sources`
///   converts it to lines and columns.
/// - The `ID` of a node is its identity. To attach data to nodes, use an array indexed by
///   `id.index`.
///
/// A document can continue the names and sources of another, and then shares its symbols and
/// offsets: see ``init(names:sources:)``.
public struct Document: Sendable {
  /// The table of all names, which maps symbols to spellings and back.
  public internal(set) var names: NameTable
  /// The texts of all sources, laid end to end in one range of offsets.
  public internal(set) var sources: SourceMap

  /// All definitions and extensions, in the order of the sources.
  public internal(set) var definitions: [Definition] = []
  /// All operations, indexed by ID.
  public internal(set) var operations: [OperationDefinition] = []
  /// All fragment definitions, indexed by ID.
  public internal(set) var fragments: [FragmentDefinition] = []
  /// All `schema` definitions and extensions, indexed by ID.
  public internal(set) var schemas: [SchemaDefinition] = []
  /// All type definitions and extensions, indexed by ID.
  public internal(set) var types: [TypeDefinition] = []
  /// All `directive` definitions, indexed by ID.
  public internal(set) var directiveDefinitions: [DirectiveDefinition] = []

  // Executable documents.
  /// The entries of all selection sets. Those of one set are adjacent.
  public internal(set) var selections: [Selection] = []
  /// All selected fields, indexed by ID.
  public internal(set) var fields: [Field] = []
  /// All fragment spreads (`...Name`), indexed by ID.
  public internal(set) var fragmentSpreads: [FragmentSpread] = []
  /// All inline fragments, indexed by ID.
  public internal(set) var inlineFragments: [InlineFragment] = []
  /// The variables of all operations. Those of one operation are adjacent.
  public internal(set) var variableDefinitions: [VariableDefinition] = []

  // Both kinds of document.
  /// The arguments of all fields and directives. Those of one list are adjacent.
  public internal(set) var arguments: [Argument] = []
  /// All applied directives. Those of one node are adjacent.
  public internal(set) var directives: [Directive] = []
  /// The items of all list values. Those of one list are adjacent.
  public internal(set) var values: [Value] = []
  /// The fields of all object values. Those of one object are adjacent.
  public internal(set) var objectFields: [ObjectField] = []

  // Type system documents.
  /// The entries of all `schema` definitions. Those of one definition are adjacent.
  public internal(set) var rootOperationTypes: [RootOperationType] = []
  /// The fields of all objects and interfaces. Those of one type are adjacent.
  public internal(set) var fieldDefinitions: [FieldDefinition] = []
  /// All argument definitions and input fields. Those of one list are adjacent.
  public internal(set) var inputValueDefinitions: [InputValueDefinition] = []
  /// The values of all enums. Those of one enum are adjacent.
  public internal(set) var enumValueDefinitions: [EnumValueDefinition] = []
  /// The implemented interfaces, union members, and directive locations. Those of one list are
  /// adjacent.
  public internal(set) var nameList: [Name] = []

  /// Creates a document without definitions.
  ///
  /// - Parameters:
  ///   - names: The table to continue. Symbols of this table keep their meaning in the document.
  ///   - sources: The sources to continue. Offsets into these sources keep their meaning, but their
  ///     definitions do not belong to the document.
  public init(names: NameTable = NameTable(), sources: SourceMap = SourceMap()) {
    self.names = names
    self.sources = sources
  }
}

// MARK: - Nodes by ID

extension Document {
  /// Accesses the operation with the given ID.
  @inlinable
  public subscript(id: OperationDefinition.ID) -> OperationDefinition { operations[id.index] }
  /// Accesses the fragment definition with the given ID.
  @inlinable
  public subscript(id: FragmentDefinition.ID) -> FragmentDefinition { fragments[id.index] }
  /// Accesses the schema definition or extension with the given ID.
  @inlinable
  public subscript(id: SchemaDefinition.ID) -> SchemaDefinition { schemas[id.index] }
  /// Accesses the type definition or extension with the given ID.
  @inlinable
  public subscript(id: TypeDefinition.ID) -> TypeDefinition { types[id.index] }
  /// Accesses the directive definition with the given ID.
  @inlinable
  public subscript(id: DirectiveDefinition.ID) -> DirectiveDefinition {
    directiveDefinitions[id.index]
  }
  /// Accesses the selection with the given ID.
  @inlinable
  public subscript(id: NodeID<Selection>) -> Selection { selections[id.index] }
  /// Accesses the field with the given ID.
  @inlinable
  public subscript(id: Field.ID) -> Field { fields[id.index] }
  /// Accesses the fragment spread with the given ID.
  @inlinable
  public subscript(id: FragmentSpread.ID) -> FragmentSpread { fragmentSpreads[id.index] }
  /// Accesses the inline fragment with the given ID.
  @inlinable
  public subscript(id: InlineFragment.ID) -> InlineFragment { inlineFragments[id.index] }
  /// Accesses the variable definition with the given ID.
  @inlinable
  public subscript(id: VariableDefinition.ID) -> VariableDefinition {
    variableDefinitions[id.index]
  }
  /// Accesses the argument with the given ID.
  @inlinable
  public subscript(id: Argument.ID) -> Argument { arguments[id.index] }
  /// Accesses the applied directive with the given ID.
  @inlinable
  public subscript(id: Directive.ID) -> Directive { directives[id.index] }
  /// Accesses the list item with the given ID.
  @inlinable
  public subscript(id: Value.ID) -> Value { values[id.index] }
  /// Accesses the object field with the given ID.
  @inlinable
  public subscript(id: ObjectField.ID) -> ObjectField { objectFields[id.index] }
  /// Accesses the root operation type with the given ID.
  @inlinable
  public subscript(id: RootOperationType.ID) -> RootOperationType { rootOperationTypes[id.index] }
  /// Accesses the field definition with the given ID.
  @inlinable
  public subscript(id: FieldDefinition.ID) -> FieldDefinition { fieldDefinitions[id.index] }
  /// Accesses the argument definition or input field with the given ID.
  @inlinable
  public subscript(id: InputValueDefinition.ID) -> InputValueDefinition {
    inputValueDefinitions[id.index]
  }
  /// Accesses the enum value definition with the given ID.
  @inlinable
  public subscript(id: EnumValueDefinition.ID) -> EnumValueDefinition {
    enumValueDefinitions[id.index]
  }
  /// Accesses the name in `nameList` with the given ID.
  @inlinable
  public subscript(id: Name.ID) -> Name { nameList[id.index] }
}

// MARK: - Lists of nodes

extension Document {
  /// Accesses the selections of `list`, in the order of the text.
  @inlinable
  public subscript(list: NodeList<Selection>) -> ArraySlice<Selection> { selections[list.indices] }
  /// Accesses the variable definitions of `list`, in the order of the text.
  @inlinable
  public subscript(list: VariableDefinition.List) -> ArraySlice<VariableDefinition> {
    variableDefinitions[list.indices]
  }
  /// Accesses the arguments of `list`, in the order of the text.
  @inlinable
  public subscript(list: Argument.List) -> ArraySlice<Argument> { arguments[list.indices] }
  /// Accesses the applied directives of `list`, in the order of the text.
  @inlinable
  public subscript(list: Directive.List) -> ArraySlice<Directive> { directives[list.indices] }
  /// Accesses the items of a list value, in the order of the text.
  @inlinable
  public subscript(list: Value.List) -> ArraySlice<Value> { values[list.indices] }
  /// Accesses the fields of an object value, in the order of the text.
  @inlinable
  public subscript(list: ObjectField.List) -> ArraySlice<ObjectField> { objectFields[list.indices] }
  /// Accesses the root operation types of `list`, in the order of the text.
  @inlinable
  public subscript(list: RootOperationType.List) -> ArraySlice<RootOperationType> {
    rootOperationTypes[list.indices]
  }
  /// Accesses the field definitions of `list`, in the order of the text.
  @inlinable
  public subscript(list: FieldDefinition.List) -> ArraySlice<FieldDefinition> {
    fieldDefinitions[list.indices]
  }
  /// Accesses the argument definitions or input fields of `list`, in the order of the text.
  @inlinable
  public subscript(list: InputValueDefinition.List) -> ArraySlice<InputValueDefinition> {
    inputValueDefinitions[list.indices]
  }
  /// Accesses the enum value definitions of `list`, in the order of the text.
  @inlinable
  public subscript(list: EnumValueDefinition.List) -> ArraySlice<EnumValueDefinition> {
    enumValueDefinitions[list.indices]
  }
  /// Accesses the names of `list`, in the order of the text.
  @inlinable
  public subscript(list: Name.List) -> ArraySlice<Name> { nameList[list.indices] }
}

// MARK: - Texts

extension Document {
  /// Returns the spelling of `name`.
  public func spelling(_ name: Name) -> String { names[name.symbol] }

  /// Returns the spelling of `symbol`.
  public func spelling(_ symbol: Symbol) -> String { names[symbol] }

  /// Returns the text of `span`, exactly as written.
  public func text(of span: SourceSpan) -> String { sources.text(of: span) }

  /// Returns the line and column where `span` starts.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the source. For many spans, use a
  ///   ``LocationTable``.
  public func location(of span: SourceSpan) -> SourceLocation {
    sources.location(of: span.start)
  }
}
