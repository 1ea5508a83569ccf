package import GraphQLSchema
package import GraphQLSyntax

/// The operations and fragments of a project, with every name resolved against its schema.
///
/// Selection sets are in one array, in the order of the source, followed by those that merging
/// adds. There is one for each selection set of the source, so the size of a program is
/// proportional to that of its documents.
package struct Program: Sendable {
  package let schema: Schema
  package var types = ReferencedTypes()
  /// Fragments and operations in the order of the sources.
  package var definitions: [Definition] = []
  package var selectionSets: [SelectionSet] = []
  /// Fields whose response key belongs to a field that is added to every object of their selection
  /// set.
  package var hiddenFields: [HiddenField] = []
  /// The errors of the documents as they are sent, at the selections of the source that cause them.
  /// A program with errors is not for use.
  package var documentProblems: [Diagnostic] = []
  /// `true` if operations or fragments have maximum ages (`@cacheControl`).
  package var hasMaxAges = false

  package init(schema: Schema) { self.schema = schema }

  // Yields in place: a selection set has many arrays, and reading one must not retain the others.

  package subscript(id: SelectionSet.ID) -> SelectionSet {
    _read { yield selectionSets[id.index] }
    _modify { yield &selectionSets[id.index] }
  }

  package subscript(id: Definition.ID) -> Definition {
    _read { yield definitions[id.index] }
    _modify { yield &definitions[id.index] }
  }
}

/// A field with the response key of `__typename` or of a key field, which are added to what is
/// sent.
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
  /// The span of the name.
  package var span: SourceSpan
  package var description: String?
  package var root: SelectionSet.ID
  package var variables: [Variable] = []
  /// The maximum age of all data of an operation (`@cacheControl`).
  package var maxAge: MaxAgeRule?
  /// The treatment of nulls and errors of its fields.
  package var nullability = DefinitionNullability()
  /// The text that is sent for this definition alone, on one line.
  package var text: String = ""
  /// Every fragment that an operation names, directly or not, sorted by name. They are sent with
  /// it. A fragment does not list its own.
  package var fragments: [ID] = []
  /// The fragments that the definition itself spreads, in order of appearance. `#0`, `#1` … refer
  /// to them in its literal.
  package var spreadFragments: [ID] = []
  /// The fragments that only spreads name which are never included, such as
  /// `...Details @skip(if: true)`. Their text is sent, and no model shows them.
  package var excludedFragments: [ID] = []
  /// The modules that the definition itself imports with `@import`, sorted. Its models show their
  /// fragments.
  package var importedModules: [String] = []
  /// The modules that only its fragments import with `@import`, sorted.
  package var modulesOfFragments: [String] = []
  /// `true` if a part of its data, or of a fragment that it uses, may arrive later than the rest.
  package var isDeferred = false
  /// `true` if its models can be changed: it is an operation on the local cache, or a fragment that
  /// is marked as one or used by one.
  package var isMutable = false
  /// `true` if its models have memberwise initializers. The fragments that it uses have them too,
  /// because objects in between need them.
  package var hasInitializers = false

  /// The fragments that the text of the definition names.
  var namedFragments: [ID] { spreadFragments + excludedFragments }

  /// `true` for an operation on the local cache, which is never sent.
  package var isLocalCacheMutation: Bool { isMutable && kind != .fragment }
}

/// A variable of an operation.
package struct Variable: Sendable {
  package var name: String
  package var type: ValueType
  package var defaultValue: InputLiteral?
  package var span: SourceSpan
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
