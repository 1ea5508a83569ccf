package import GraphQLSchema
package import GraphQLSyntax

/// What is to be generated: every operation and fragment of a project, with every name resolved
/// against its schema.
///
/// Selection sets lie in one array, in the order in which they were written, with those that
/// merging had to add behind them. There is one for each selection set that somebody wrote, so a
/// program is as large as its documents.
package struct Program: Sendable {
  package let schema: Schema
  package var types = ReferencedTypes()
  /// Fragments and operations in the order of the sources.
  package var definitions: [Definition] = []
  package var selectionSets: [SelectionSet] = []
  /// Fields that are read under the name of another one, which every object of their selection set has.
  package var hiddenFields: [HiddenField] = []

  package init(schema: Schema) { self.schema = schema }

  package subscript(id: SelectionSet.ID) -> SelectionSet {
    get { selectionSets[id.index] }
    set { selectionSets[id.index] = newValue }
  }

  package subscript(id: Definition.ID) -> Definition {
    get { definitions[id.index] }
    set { definitions[id.index] = newValue }
  }
}

/// A field whose place in a response is taken by `__typename` or a key field, which are added to what is sent.
package struct HiddenField: Hashable, Sendable {
  package var responseKey: String
  package var parentTypeName: String
  package var span: SourceSpan
}

/// An operation or a named fragment.
package struct Definition: Sendable {
  package struct ID: Hashable, Comparable, Sendable {
    package let index: Int
    package init(_ index: Int) { self.index = index }
    package static func < (left: ID, right: ID) -> Bool { left.index < right.index }
  }

  package enum Kind: Hashable, Sendable {
    case query, mutation, subscription, fragment
  }

  package var kind: Kind
  package var name: String
  /// Where the name is written.
  package var span: SourceSpan
  package var description: String?
  package var root: SelectionSet.ID
  package var variables: [Variable] = []
  /// The text that is sent to a server for this definition alone, on one line.
  package var text: String = ""
  /// Every fragment that an operation uses, directly or not, sorted by name: what is sent with it. Fragments do not list theirs.
  package var fragments: [ID] = []
  /// The fragments that the definition spreads itself, in order of appearance: what `#0`, `#1` …
  /// stand for in its literal.
  package var spreadFragments: [ID] = []
  /// Modules named by `@import` of the definition itself, sorted. Their fragments show in its models.
  package var importedModules: [String] = []
  /// Modules that are named by `@import` of its fragments only, sorted.
  package var modulesOfFragments: [String] = []
  /// Whether a part of its data, or of a fragment's that it uses, may come later than the rest.
  package var isDeferred = false
  /// Whether its models can be changed: it is an operation on the local cache, or a fragment that is
  /// marked as one or used by one.
  package var isMutable = false
  /// Whether its models have memberwise initializers. Those of the fragments that it uses do too:
  /// without them, nobody could make the objects in between.
  package var hasInitializers = false

  /// Whether it is an operation on the local cache, which is never sent.
  package var isLocalCacheMutation: Bool { isMutable && kind != .fragment }
}

/// A variable of an operation.
package struct Variable: Sendable {
  package var name: String
  package var type: ValueType
  package var defaultValue: InputLiteral?
  package var span: SourceSpan
  /// Whether the text that is sent mentions it.
  package var isSent = true
}

/// A constant value in a document or schema.
package indirect enum InputLiteral: Hashable, Sendable {
  case null
  case int(String)
  case float(String)
  case string(String)
  case boolean(Bool)
  case enumValue(String)
  case list([InputLiteral])
  case object([Member])

  package struct Member: Hashable, Sendable {
    package var name: String
    package var value: InputLiteral
  }
}
