import GraphQLSchema
import GraphQLSyntax

/// The names that a document can use: those of the schema, except scalars that are not a part of
/// it, and those that the document defines itself.
struct NameScope {
  /// The types and directives that the document defines.
  let ownDefinitions: OwnDefinitions
  /// The locations of directives for the client, in addition to those that the schema allows.
  let clientDirectives: [String: DirectiveLocationSet]
  private let unreferencedScalars: UnreferencedScalars

  /// The scope of the definitions of a schema, which can use exactly the names of the schema.
  static let schema = NameScope(
    ownDefinitions: OwnDefinitions(), clientDirectives: [:],
    unreferencedScalars: UnreferencedScalars())

  private init(
    ownDefinitions: OwnDefinitions, clientDirectives: [String: DirectiveLocationSet],
    unreferencedScalars: UnreferencedScalars
  ) {
    self.ownDefinitions = ownDefinitions
    self.clientDirectives = clientDirectives
    self.unreferencedScalars = unreferencedScalars
  }

  /// Creates the scope of an executable document.
  init(
    of document: Document, against schema: Schema,
    clientDirectives: [String: DirectiveLocationSet]
  ) {
    self.init(
      ownDefinitions: OwnDefinitions(of: document), clientDirectives: clientDirectives,
      unreferencedScalars: UnreferencedScalars(in: schema))
  }

  /// Returns `true` if the schema defines `name` without being part of it.
  func excludes(_ name: Symbol) -> Bool { unreferencedScalars.contains(name) }
}

/// The types and directives that an executable document defines, although it should not.
///
/// The definitions are reported as errors. They are not used, but references to them are accepted.
struct OwnDefinitions {
  let types: Set<Symbol>
  /// The last definition of each name.
  let directives: [Symbol: DirectiveDefinition]

  /// Creates the definitions of a document that has none.
  init() {
    types = []
    directives = [:]
  }

  init(of document: Document) {
    types = Set(document.types.lazy.filter { !$0.isExtension }.map(\.name.symbol))
    directives = Dictionary(
      document.directiveDefinitions.lazy.filter { !$0.isExtension }.map { ($0.name.symbol, $0) },
      uniquingKeysWith: { $1 })
  }
}

/// The built-in scalars that are not a part of a schema, because nothing in it refers to them.
///
/// `String` and `Boolean` are a part of every schema, because introspection uses them.
private struct UnreferencedScalars {
  private var int = false
  private var float = false
  private var id = false

  /// Creates an empty set.
  init() {}

  init(in schema: Schema) {
    (int, float, id) = (true, true, true)
    for field in schema.definedFields { recordUse(of: schema[field].type, schema) }
    for value in schema.definedInputValues { recordUse(of: schema[value].type, schema) }
  }

  /// Returns whether `name` is the name of an unreferenced scalar.
  func contains(_ name: Symbol) -> Bool {
    switch name {
    case .int: int
    case .float: float
    case .id: id
    default: false
    }
  }

  private mutating func recordUse(of type: ResolvedType, _ schema: Schema) {
    switch schema[type.namedType].name {
    case .int: int = false
    case .float: float = false
    case .id: id = false
    default: break
    }
  }
}
