/// The schema that generated code was made from.
///
/// ```swift
/// enum SchemaMetadata: ApolloAPI.SchemaMetadata {
///   static let configuration: any ApolloAPI.SchemaConfiguration.Type =
///     SchemaConfiguration.self
///   static let types = GeneratedCode.SchemaTypes(
///     """
///     type Droid: Character
///     type Human: Character
///     interface Character: Droid, Human
///     union SearchResult: Droid, Human
///     """)
/// }
/// ```
public protocol SchemaMetadata: Sendable {
  /// The part of the schema's code that is edited by hand.
  static var configuration: any SchemaConfiguration.Type { get }
  /// The composite types that operations use.
  static var types: GeneratedCode.SchemaTypes { get }
  /// The maximum ages of types and fields (`@cacheControl`).
  static var maxAges: MaxAges { get }
  /// Indicates whether operations have maximum ages of their own. For generated code.
  static var _hasMaxAgesInOperations: Bool { get }
}

extension SchemaMetadata {
  /// No maximum ages.
  public static var maxAges: MaxAges { MaxAges() }

  /// No maximum ages in operations.
  public static var _hasMaxAgesInOperations: Bool { false }

  /// References the object type named `typename`, or `nil` when the generated code does not know
  /// it.
  public static func objectType(forTypename typename: String) -> Object? {
    types.object(named: typename)
  }

  /// Returns the cache key of an object, or `nil` to use ``Object/keyFields``.
  public static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? {
    configuration.cacheKeyInfo(for: type, object: object)
  }
}

/// Decisions about a schema, in the file `SchemaConfiguration.swift`, which is generated once and
/// edited by hand.
///
/// ```swift
/// enum SchemaConfiguration: ApolloAPI.SchemaConfiguration {
///   static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? {
///     try? CacheKeyInfo(jsonValue: object["id"])
///   }
/// }
/// ```
public protocol SchemaConfiguration: Sendable {
  /// Returns the cache key of an object, or `nil` to use the key fields of its type.
  ///
  /// - Parameters:
  ///   - type: The object's type; without interfaces when generated code does not know it.
  ///   - object: The object's leaf fields: `object["id"]`. An `ID` is a string, also if the server
  ///     sends a number.
  /// - Returns: The key, or `nil`.
  static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo?
}

/// The cache key of an object: a group, usually its type, and an id within the group.
///
/// ```swift
/// let key = CacheKeyInfo(id: "1000", uniqueKeyGroup: "Character")  // Character:1000
/// ```
public struct CacheKeyInfo: Hashable, Sendable {
  /// The id, unique within the group.
  public let id: String
  /// The group. Types with the same group share their ids. `nil` means the name of the object's
  /// type.
  public let uniqueKeyGroup: String?

  /// Creates a key from an id.
  public init(id: String, uniqueKeyGroup: String? = nil) {
    self.id = id
    self.uniqueKeyGroup = uniqueKeyGroup
  }

  /// Creates a key from the value of a field: a string, a number or a Boolean.
  ///
  /// - Throws: A ``ScalarError`` for a missing value or any other kind.
  public init(jsonValue: JSONValue?, uniqueKeyGroup: String? = nil) throws {
    let value = jsonValue ?? JSONValue.null
    switch value {
    case .string(let id): self.init(id: id, uniqueKeyGroup: uniqueKeyGroup)
    case .null, .array, .object:
      throw ScalarError(expected: "a cache key (string, number or Boolean)", found: value)
    case .bool, .int, .double, .decimal:
      self.init(id: value.description, uniqueKeyGroup: uniqueKeyGroup)
    }
  }
}
