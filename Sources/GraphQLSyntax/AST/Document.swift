/// Everything that was parsed: definitions from any number of sources, and the names and texts they
/// consist of.
///
/// ## Walking a document
///
/// Nodes are plain values without references. Each kind lies in one array of the document, and
/// nodes name each other by typed index: `document[id]` is the node, and a list of nodes
/// (`Field.List`, …) is a collection of such indices. `document[list]` is the same nodes as an
/// array slice.
///
/// ```swift
/// func visit(_ selectionSet: SelectionSet) {
///   for id in selectionSet.selections {
///     switch document[id] {                       // a `Selection`: one of three
///     case .field(let id):
///       let field = document[id]                  // a `Field`
///       if field.name.symbol == .typename { … }   // names compare as integers
///       print(document.spelling(field.name))      // "hero"
///       for id in field.arguments {
///         let argument = document[id]             // an `Argument`
///         if case .variable(let name) = argument.value.content { … }
///       }
///       if let inner = field.selectionSet { visit(inner) }
///     case .inlineFragment(let id): visit(document[id].selectionSet)
///     case .fragmentSpread(let id): found(document[id].name.symbol)
///     }
///   }
/// }
/// for definition in document.definitions {
///   switch definition {
///   case .operation(let id): visit(document[id].selectionSet)
///   case .fragment(let id): visit(document[id].selectionSet)
///   case .schema, .type, .directive: break        // definitions and extensions of a schema
///   }
/// }
/// ```
///
/// - A ``Name`` is a ``Symbol`` and a place. `document.spelling(name)` gives its text.
/// - A ``TypeReference`` is a name and its ``TypeWrapping``: `[Int!]!` without any indirection.
/// - A ``Value`` is switched over by `value.content`; `document.string(literal)` decodes a string.
/// - All six kinds of type, and their extensions, are one ``TypeDefinition`` with lists that do not
///   apply left empty.
/// - Every node has a `span`; `document.text(of: span)` is its text, and `document.sources` knows
///   lines and columns.
/// - A node's `ID` is its identity: use `id.index` with an array for facts about nodes.
///
/// Make a document with ``parse(_:options:)``, which may be called again to add further sources. A
/// document that continues another's `names` and `sources` can share symbols and offsets with it.
public struct Document: Sendable {
  /// Maps symbols to spellings.
  public internal(set) var names: NameTable
  /// The texts, and what offsets into them mean.
  public internal(set) var sources: SourceMap

  /// All definitions and extensions, in the order of the sources and of their texts.
  public internal(set) var definitions: [Definition] = []
  /// Every operation, at the index of its ID.
  public internal(set) var operations: [OperationDefinition] = []
  /// Every fragment definition, at the index of its ID.
  public internal(set) var fragments: [FragmentDefinition] = []
  /// Every `schema` definition and extension, at the index of its ID.
  public internal(set) var schemas: [SchemaDefinition] = []
  /// Every type definition and extension, at the index of its ID.
  public internal(set) var types: [TypeDefinition] = []
  /// Every `directive` definition, at the index of its ID.
  public internal(set) var directiveDefinitions: [DirectiveDefinition] = []

  // Executable documents.
  /// The entries of all selection sets; those of one set are adjacent.
  public internal(set) var selections: [Selection] = []
  /// Every selected field, at the index of its ID.
  public internal(set) var fields: [Field] = []
  /// Every `...Name`, at the index of its ID.
  public internal(set) var fragmentSpreads: [FragmentSpread] = []
  /// Every inline fragment, at the index of its ID.
  public internal(set) var inlineFragments: [InlineFragment] = []
  /// The variables of all operations; those of one operation are adjacent.
  public internal(set) var variableDefinitions: [VariableDefinition] = []

  // Both kinds of document.
  /// The arguments of all fields and directives; those of one list are adjacent.
  public internal(set) var arguments: [Argument] = []
  /// All applied directives; those of one place are adjacent.
  public internal(set) var directives: [Directive] = []
  /// The items of all list values; those of one list are adjacent.
  public internal(set) var values: [Value] = []
  /// The fields of all object values; those of one object are adjacent.
  public internal(set) var objectFields: [ObjectField] = []

  // Type system documents.
  /// The entries of all `schema` definitions; those of one are adjacent.
  public internal(set) var rootOperationTypes: [RootOperationType] = []
  /// The fields of all objects and interfaces; those of one type are adjacent.
  public internal(set) var fieldDefinitions: [FieldDefinition] = []
  /// All argument definitions and input fields; those of one list are adjacent.
  public internal(set) var inputValueDefinitions: [InputValueDefinition] = []
  /// The values of all enums; those of one enum are adjacent.
  public internal(set) var enumValueDefinitions: [EnumValueDefinition] = []
  /// Interfaces, members of unions, and locations of directives.
  public internal(set) var nameList: [Name] = []

  /// A document without any source.
  ///
  /// - Parameters:
  ///   - names: The table to continue, so that symbols made with it mean the same in this document.
  ///   - sources: The sources to continue, so that offsets into them mean the same in this
  ///     document. Their definitions are not of this document.
  public init(names: NameTable = NameTable(), sources: SourceMap = SourceMap()) {
    self.names = names
    self.sources = sources
  }
}

// MARK: - Nodes by ID

extension Document {
  /// The operation that `id` identifies.
  @inlinable
  public subscript(id: OperationDefinition.ID) -> OperationDefinition { operations[id.index] }
  /// The fragment definition that `id` identifies.
  @inlinable
  public subscript(id: FragmentDefinition.ID) -> FragmentDefinition { fragments[id.index] }
  /// The schema definition or extension that `id` identifies.
  @inlinable
  public subscript(id: SchemaDefinition.ID) -> SchemaDefinition { schemas[id.index] }
  /// The type definition or extension that `id` identifies.
  @inlinable
  public subscript(id: TypeDefinition.ID) -> TypeDefinition { types[id.index] }
  /// The directive definition that `id` identifies.
  @inlinable
  public subscript(id: DirectiveDefinition.ID) -> DirectiveDefinition {
    directiveDefinitions[id.index]
  }
  /// The selection that `id` identifies.
  @inlinable
  public subscript(id: NodeID<Selection>) -> Selection { selections[id.index] }
  /// The field that `id` identifies.
  @inlinable
  public subscript(id: Field.ID) -> Field { fields[id.index] }
  /// The fragment spread that `id` identifies.
  @inlinable
  public subscript(id: FragmentSpread.ID) -> FragmentSpread { fragmentSpreads[id.index] }
  /// The inline fragment that `id` identifies.
  @inlinable
  public subscript(id: InlineFragment.ID) -> InlineFragment { inlineFragments[id.index] }
  /// The variable definition that `id` identifies.
  @inlinable
  public subscript(id: VariableDefinition.ID) -> VariableDefinition {
    variableDefinitions[id.index]
  }
  /// The argument that `id` identifies.
  @inlinable
  public subscript(id: Argument.ID) -> Argument { arguments[id.index] }
  /// The applied directive that `id` identifies.
  @inlinable
  public subscript(id: Directive.ID) -> Directive { directives[id.index] }
  /// The list item that `id` identifies.
  @inlinable
  public subscript(id: Value.ID) -> Value { values[id.index] }
  /// The object field that `id` identifies.
  @inlinable
  public subscript(id: ObjectField.ID) -> ObjectField { objectFields[id.index] }
  /// The root operation type that `id` identifies.
  @inlinable
  public subscript(id: RootOperationType.ID) -> RootOperationType { rootOperationTypes[id.index] }
  /// The field definition that `id` identifies.
  @inlinable
  public subscript(id: FieldDefinition.ID) -> FieldDefinition { fieldDefinitions[id.index] }
  /// The argument or input field definition that `id` identifies.
  @inlinable
  public subscript(id: InputValueDefinition.ID) -> InputValueDefinition {
    inputValueDefinitions[id.index]
  }
  /// The enum value definition that `id` identifies.
  @inlinable
  public subscript(id: EnumValueDefinition.ID) -> EnumValueDefinition {
    enumValueDefinitions[id.index]
  }
  /// The name of `nameList` that `id` identifies.
  @inlinable
  public subscript(id: Name.ID) -> Name { nameList[id.index] }
}

// MARK: - Lists of nodes

extension Document {
  /// The selections of `list`, in the order of the text.
  @inlinable
  public subscript(list: NodeList<Selection>) -> ArraySlice<Selection> { selections[list.indices] }
  /// The variable definitions of `list`, in the order of the text.
  @inlinable
  public subscript(list: VariableDefinition.List) -> ArraySlice<VariableDefinition> {
    variableDefinitions[list.indices]
  }
  /// The arguments of `list`, in the order of the text.
  @inlinable
  public subscript(list: Argument.List) -> ArraySlice<Argument> { arguments[list.indices] }
  /// The applied directives of `list`, in the order of the text.
  @inlinable
  public subscript(list: Directive.List) -> ArraySlice<Directive> { directives[list.indices] }
  /// The list items of `list`, in the order of the text.
  @inlinable
  public subscript(list: Value.List) -> ArraySlice<Value> { values[list.indices] }
  /// The object fields of `list`, in the order of the text.
  @inlinable
  public subscript(list: ObjectField.List) -> ArraySlice<ObjectField> { objectFields[list.indices] }
  /// The root operation types of `list`, in the order of the text.
  @inlinable
  public subscript(list: RootOperationType.List) -> ArraySlice<RootOperationType> {
    rootOperationTypes[list.indices]
  }
  /// The field definitions of `list`, in the order of the text.
  @inlinable
  public subscript(list: FieldDefinition.List) -> ArraySlice<FieldDefinition> {
    fieldDefinitions[list.indices]
  }
  /// The argument and input field definitions of `list`, in the order of the text.
  @inlinable
  public subscript(list: InputValueDefinition.List) -> ArraySlice<InputValueDefinition> {
    inputValueDefinitions[list.indices]
  }
  /// The enum value definitions of `list`, in the order of the text.
  @inlinable
  public subscript(list: EnumValueDefinition.List) -> ArraySlice<EnumValueDefinition> {
    enumValueDefinitions[list.indices]
  }
  /// The names of `list`, in the order of the text.
  @inlinable
  public subscript(list: Name.List) -> ArraySlice<Name> { nameList[list.indices] }
}

// MARK: - Texts

extension Document {
  /// The text of a name.
  public func spelling(_ name: Name) -> String { names[name.symbol] }

  /// The text of a symbol.
  public func spelling(_ symbol: Symbol) -> String { names[symbol] }

  /// The text that `span` covers, as written.
  public func text(of span: SourceSpan) -> String { sources.text(of: span) }

  /// The place where `span` starts, in lines and columns.
  ///
  /// - Complexity: O(length of the source). Use a ``LocationTable`` for many.
  public func location(of span: SourceSpan) -> SourceLocation {
    sources.location(of: span.start)
  }
}
