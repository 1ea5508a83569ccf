/// What generated code knows of its schema.
///
/// ```swift
/// public enum SchemaMetadata: ApolloAPI.SchemaMetadata {
///   public static let configuration: any ApolloAPI.SchemaConfiguration.Type = SchemaConfiguration.self
///   public static let types = SchemaTypes(
///     objects: [Objects.Droid, Objects.Human], interfaces: [Interfaces.Character], unions: [Unions.SearchResult])
/// }
/// ```
public protocol SchemaMetadata: Sendable {
  /// The part of the schema's code that its user edits.
  static var configuration: any SchemaConfiguration.Type { get }
  /// The composite types that operations use.
  static var types: SchemaTypes { get }
}

extension SchemaMetadata {
  /// The object type named `typename`, or `nil` when the generated code does not know it.
  public static func objectType(forTypename typename: String) -> Object? {
    types.object(named: typename)
  }

  /// The address of an object in the cache, or `nil` to let ``Object/keyFields`` decide.
  public static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? {
    configuration.cacheKeyInfo(for: type, object: object)
  }
}

/// Decisions about a schema that its user makes by editing `SchemaConfiguration.swift`.
public protocol SchemaConfiguration: Sendable {
  /// Returns the address of an object in the cache, or `nil` to let the key fields of its type decide.
  ///
  /// - Parameters:
  ///   - type: the object's type; without interfaces when the generated code does not know it.
  ///   - object: the object's leaf fields, as the server sent them: `object["id"]`.
  /// - Returns: the address, or `nil`.
  static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo?
}

/// The address of an object in the cache: a group, usually its type, and an id within it.
public struct CacheKeyInfo: Hashable, Sendable {
  /// Tells the objects of one group apart.
  public let id: String
  /// Types with the same group share their ids; `nil` stands for the name of the object's type.
  public let uniqueKeyGroup: String?

  /// An address from an id.
  public init(id: String, uniqueKeyGroup: String? = nil) {
    self.id = id
    self.uniqueKeyGroup = uniqueKeyGroup
  }

  /// An address from the value of a field: a string, a number or a Boolean.
  ///
  /// - Throws: a ``ScalarError`` when the value is missing or something else.
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
