/// An object type of the schema. Two are equal when they have the same name.
public struct Object: Sendable {
  /// Its name in the schema.
  public let typename: String
  private let facts: Facts<ObjectFacts>

  /// Describes an object type.
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

  /// The object type named `typename` of `schema`, which is asked for everything else when it is needed.
  public init(_ typename: String, of schema: any SchemaMetadata.Type) {
    self.typename = typename
    facts = .schema(schema)
  }

  private var stated: ObjectFacts? { facts.stated { $0.object(named: typename)?.facts } }

  /// The interfaces it implements.
  public var implementedInterfaces: [Interface] { stated?.interfaces ?? [] }
  /// The fields whose values tell its objects apart (`@typePolicy`), or `nil`.
  public var keyFields: [String]? { stated?.policies.keyFields }
  /// The arguments of its fields that say which object a field leads to (`@fieldPolicy`), by field.
  public var fieldPolicies: [String: [String]] { stated?.policies.fields ?? [:] }
}

/// An interface type of the schema. Two are equal when they have the same name.
public struct Interface: Sendable {
  /// Its name in the schema.
  public let name: String
  private let facts: Facts<InterfaceFacts>

  /// Describes an interface.
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

  /// The interface named `name` of `schema`, which is asked for everything else when it is needed.
  public init(_ name: String, of schema: any SchemaMetadata.Type) {
    self.name = name
    facts = .schema(schema)
  }

  private var stated: InterfaceFacts? { facts.stated { $0.interface(named: name)?.facts } }

  /// The fields whose values tell its objects apart (`@typePolicy`), or `nil`.
  public var keyFields: [String]? { stated?.policies.keyFields }
  /// The arguments of its fields that say which object a field leads to (`@fieldPolicy`), by field.
  public var fieldPolicies: [String: [String]] { stated?.policies.fields ?? [:] }
  /// The names of the object types that implement it.
  public var implementingObjects: [String] { stated?.implementingObjects ?? [] }
}

/// A union type of the schema. Two are equal when they have the same name.
public struct Union: Sendable {
  /// Its name in the schema.
  public let name: String
  private let facts: Facts<[Object]>

  /// Describes a union.
  public init(name: String, possibleTypes: [Object]) {
    self.name = name
    facts = .stated(possibleTypes)
  }

  /// The union named `name` of `schema`, which is asked for everything else when it is needed.
  public init(_ name: String, of schema: any SchemaMetadata.Type) {
    self.name = name
    facts = .schema(schema)
  }

  /// The object types it may stand for.
  public var possibleTypes: [Object] { facts.stated { $0.union(named: name)?.facts } ?? [] }
}

// MARK: - Comparing

// A schema has one type of a name.

extension Object: Hashable {
  /// Whether the types have the same name.
  public static func == (one: Object, other: Object) -> Bool { one.typename == other.typename }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(typename) }
}

extension Interface: Hashable {
  /// Whether the types have the same name.
  public static func == (one: Interface, other: Interface) -> Bool { one.name == other.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Union: Hashable {
  /// Whether the types have the same name.
  public static func == (one: Union, other: Union) -> Bool { one.name == other.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

// MARK: - What is known of a type

/// What is known of a type besides its name.
///
/// The constants of generated code name their schema instead of stating it: the compiler needs milliseconds for each list in a
/// constant, and schemas have thousands of types.
private enum Facts<Stated: Sendable>: Sendable {
  case stated(Stated)
  case schema(any SchemaMetadata.Type)

  /// What is known of a type.
  ///
  /// - Parameter find: Finds what the types of the schema say.
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

/// What `@typePolicy` and `@fieldPolicy` say of a type.
struct TypePolicies: Sendable {
  var keyFields: [String]?
  var fields: [String: [String]] = [:]
}
