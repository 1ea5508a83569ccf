/// An object type of the schema. Types are equal when their names are.
public struct Object: Sendable {
  /// Its name in the schema.
  public let typename: String
  private let facts: Facts<ObjectFacts>

  /// Creates a description of an object type.
  public init(
    typename: String, implementedInterfaces: [Interface] = [], keyFields: [String]? = nil,
    fieldPolicies: [String: [String]] = [:]
  ) {
    self.typename = typename
    facts = .stated(
      ObjectFacts(
        interfaces: implementedInterfaces,
        policies: TypePolicies(keyFields: keyFields, fields: fieldPolicies)))
  }

  init(typename: String, implementedInterfaces: [Interface], policies: TypePolicies) {
    self.typename = typename
    facts = .stated(ObjectFacts(interfaces: implementedInterfaces, policies: policies))
  }

  /// References the object type named `typename` of `schema`, which supplies all other facts on
  /// demand.
  public init(_ typename: String, of schema: any SchemaMetadata.Type) {
    self.typename = typename
    facts = .schema(schema)
  }

  private var stated: ObjectFacts? { facts.stated { $0.object(named: typename)?.facts } }

  /// The interfaces it implements.
  public var implementedInterfaces: [Interface] { stated?.interfaces ?? [] }
  /// The fields whose values identify its objects (`@typePolicy`), or `nil`.
  public var keyFields: [String]? { stated?.policies.keyFields }
  /// The arguments that determine the object that a field leads to (`@fieldPolicy`), by field.
  public var fieldPolicies: [String: [String]] { stated?.policies.fields ?? [:] }
  /// The policies of lists, by field.
  var listPolicies: [String: ListPolicy] { stated?.policies.lists ?? [:] }
  /// The fields that find objects, if this is the root type of queries.
  var lookups: [ObjectLookup] { stated?.policies.lookups ?? [] }
  /// Indicates whether generated code says that this is the root type of queries.
  var isQueryRoot: Bool { stated?.policies.isQueryRoot ?? false }
}

/// An interface type of the schema. Types are equal when their names are.
public struct Interface: Sendable {
  /// Its name in the schema.
  public let name: String
  private let facts: Facts<InterfaceFacts>

  /// Creates a description of an interface.
  public init(
    name: String, keyFields: [String]? = nil, fieldPolicies: [String: [String]] = [:],
    implementingObjects: [String]
  ) {
    self.name = name
    facts = .stated(
      InterfaceFacts(
        implementingObjects: implementingObjects,
        policies: TypePolicies(keyFields: keyFields, fields: fieldPolicies)))
  }

  init(name: String, implementingObjects: [String], policies: TypePolicies) {
    self.name = name
    facts = .stated(InterfaceFacts(implementingObjects: implementingObjects, policies: policies))
  }

  /// The interface named `name` of `schema`, which supplies all other facts on demand.
  public init(_ name: String, of schema: any SchemaMetadata.Type) {
    self.name = name
    facts = .schema(schema)
  }

  private var stated: InterfaceFacts? { facts.stated { $0.interface(named: name)?.facts } }

  /// The fields whose values identify its objects (`@typePolicy`), or `nil`.
  public var keyFields: [String]? { stated?.policies.keyFields }
  /// The arguments that determine the object that a field leads to (`@fieldPolicy`), by field.
  public var fieldPolicies: [String: [String]] { stated?.policies.fields ?? [:] }
  /// The policies of lists, by field.
  var listPolicies: [String: ListPolicy] { stated?.policies.lists ?? [:] }
  /// The names of the object types that implement it.
  public var implementingObjects: [String] { stated?.implementingObjects ?? [] }
}

/// A union type of the schema. Types are equal when their names are.
public struct Union: Sendable {
  /// Its name in the schema.
  public let name: String
  private let facts: Facts<[Object]>

  /// Creates a description of a union.
  public init(name: String, possibleTypes: [Object]) {
    self.name = name
    facts = .stated(possibleTypes)
  }

  /// The union named `name` of `schema`, which supplies all other facts on demand.
  public init(_ name: String, of schema: any SchemaMetadata.Type) {
    self.name = name
    facts = .schema(schema)
  }

  /// The object types of its members.
  public var possibleTypes: [Object] { facts.stated { $0.union(named: name)?.facts } ?? [] }
}

// MARK: - Comparing

// A schema has one type for each name.

extension Object: Hashable {
  /// Returns whether both types have the same name.
  public static func == (one: Object, other: Object) -> Bool { one.typename == other.typename }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(typename) }
}

extension Interface: Hashable {
  /// Returns whether both types have the same name.
  public static func == (one: Interface, other: Interface) -> Bool { one.name == other.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Union: Hashable {
  /// Returns whether both types have the same name.
  public static func == (one: Union, other: Union) -> Bool { one.name == other.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

// MARK: - What is known of a type

/// The facts about a type besides its name.
///
/// The constants of generated code refer to their schema instead of containing lists: the compiler
/// takes milliseconds for each list in a constant, and schemas have thousands of types.
private enum Facts<Stated: Sendable>: Sendable {
  case stated(Stated)
  case schema(any SchemaMetadata.Type)

  /// Facts.
  ///
  /// - Parameter find: Looks the type up among those of the schema.
  /// - Returns: `nil` when the schema has no such type.
  func stated(_ find: (SchemaTypes) -> Facts?) -> Stated? {
    switch self {
    case .stated(let stated): stated
    case .schema(let schema): find(schema.types)?.stated(find)
    }
  }
}

private struct ObjectFacts: Sendable {
  var interfaces: [Interface]
  var policies: TypePolicies
}

private struct InterfaceFacts: Sendable {
  var implementingObjects: [String]
  var policies: TypePolicies
}

/// The `@typePolicy` and the `@fieldPolicy` of a type.
struct TypePolicies: Sendable {
  var keyFields: [String]?
  var fields: [String: [String]] = [:]
  /// The policies of lists, by field.
  var lists: [String: ListPolicy] = [:]
  /// The fields that find objects.
  var lookups: [ObjectLookup] = []
  /// Indicates whether generated code says that the type is the root type of queries.
  var isQueryRoot = false
}
