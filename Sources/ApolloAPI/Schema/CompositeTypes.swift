/// An object type of the schema.
public struct Object: Hashable, Sendable {
  /// Its name in the schema.
  public let typename: String
  /// The interfaces it implements.
  public let implementedInterfaces: [Interface]
  /// The fields whose values tell its objects apart (`@typePolicy`), or `nil`.
  public let keyFields: [String]?
  /// The arguments of its fields that say which object a field leads to (`@fieldPolicy`), by field.
  public let fieldPolicies: [String: [String]]

  /// Describes an object type.
  public init(
    typename: String, implementedInterfaces: [Interface] = [], keyFields: [String]? = nil,
    fieldPolicies: [String: [String]] = [:]
  ) {
    self.typename = typename
    self.implementedInterfaces = implementedInterfaces
    self.keyFields = keyFields
    self.fieldPolicies = fieldPolicies
  }
}

/// An interface type of the schema.
public struct Interface: Hashable, Sendable {
  /// Its name in the schema.
  public let name: String
  /// The fields whose values tell its objects apart (`@typePolicy`), or `nil`.
  public let keyFields: [String]?
  /// The arguments of its fields that say which object a field leads to (`@fieldPolicy`), by field.
  public let fieldPolicies: [String: [String]]
  /// The names of the object types that implement it.
  public let implementingObjects: [String]

  /// Describes an interface.
  public init(
    name: String, keyFields: [String]? = nil, fieldPolicies: [String: [String]] = [:],
    implementingObjects: [String]
  ) {
    self.name = name
    self.keyFields = keyFields
    self.fieldPolicies = fieldPolicies
    self.implementingObjects = implementingObjects
  }
}

/// A union type of the schema.
public struct Union: Hashable, Sendable {
  /// Its name in the schema.
  public let name: String
  /// The object types it may stand for.
  public let possibleTypes: [Object]

  /// Describes a union.
  public init(name: String, possibleTypes: [Object]) {
    self.name = name
    self.possibleTypes = possibleTypes
  }
}
