/// The policy that derives a field's objects from its arguments: `hero(id: "1")` is the hero with
/// that id, whichever field fetched it.
///
/// ```swift
/// extension SchemaConfiguration: FieldPolicy.Provider {
///   static func cacheKey(
///     for field: FieldPolicy.Field, inputData: FieldPolicy.InputData
///   ) -> CacheKeyInfo? {
///     guard field.name == "hero" else { return nil }
///     return try? CacheKeyInfo(jsonValue: inputData["id"], uniqueKeyGroup: "Character")
///   }
/// }
/// ```
///
/// In the schema, a directive declares a policy:
///
/// ```graphql
/// extend type Query @fieldPolicy(forField: "hero", keyArgs: "id")
/// ```
///
/// In code, `SchemaConfiguration` conforms to ``Provider``. A policy applies only when the cache
/// has no value for the field itself, and it leads only to objects that the cache has. A policy of
/// the schema is evaluated once for each set of variables, a provider at each place of the response
/// where a value is missing.
public enum FieldPolicy {
  /// A field policy in code. It takes precedence over `@fieldPolicy`.
  public protocol Provider {
    /// Returns the cache key of the object that a field leads to, or `nil` for no policy.
    ///
    /// - Parameters:
    ///   - field: The field, which has one object.
    ///   - inputData: The arguments of the field.
    /// - Returns: The key. Without a group, it is tried for every type that the field can have.
    static func cacheKey(for field: Field, inputData: InputData) -> CacheKeyInfo?

    /// Returns the cache keys of the objects that a list field leads to, in order, or `nil` for no
    /// policy.
    ///
    /// - Parameters:
    ///   - listField: The field, which has a list of objects.
    ///   - inputData: The arguments of the field.
    /// - Returns: The keys. Without a group, they are tried for every type that the field can have.
    static func cacheKeyList(for listField: Field, inputData: InputData) -> [CacheKeyInfo]?

    /// Returns the cache key of the object that a field leads to at one place of the response, or
    /// `nil` for no policy.
    ///
    /// Implement it instead of ``cacheKey(for:inputData:)`` if the place matters.
    ///
    /// - Parameters:
    ///   - field: The field, which has one object.
    ///   - inputData: The arguments of the field.
    ///   - path: The position of the field in the response, with the field itself.
    /// - Returns: The key. Without a group, it is tried for every type that the field can have.
    static func cacheKey(for field: Field, inputData: InputData, path: ResponsePath)
      -> CacheKeyInfo?

    /// Returns the cache keys of the objects that a list field leads to at one place of the
    /// response, in order, or `nil` for no policy.
    ///
    /// Implement it instead of ``cacheKeyList(for:inputData:)`` if the place matters.
    ///
    /// - Parameters:
    ///   - listField: The field, which has a list of objects.
    ///   - inputData: The arguments of the field.
    ///   - path: The position of the field in the response, with the field itself.
    /// - Returns: The keys. Without a group, they are tried for every type that the field can have.
    static func cacheKeyList(for listField: Field, inputData: InputData, path: ResponsePath)
      -> [CacheKeyInfo]?
  }

  /// A field whose objects are looked up.
  public struct Field: Hashable, Sendable {
    /// Its name in the schema.
    public let name: String
    /// Its alias, if it has one.
    public let alias: String?
    /// The type of the object around the field, if it is known.
    public let parentType: String?
    /// The type of its objects: an object type, an interface or a union.
    public let type: String

    /// The key in the response: the alias, or the name.
    public var responseKey: String { alias ?? name }

    /// Creates a description of a field.
    public init(name: String, alias: String? = nil, parentType: String?, type: String) {
      self.name = name
      self.alias = alias
      self.parentType = parentType
      self.type = type
    }
  }

  /// The arguments of a field, with the values of their variables.
  public struct InputData: Hashable, Sendable {
    private let arguments: [String: JSONValue]

    /// Creates arguments.
    public init(_ arguments: [String: JSONValue]) {
      self.arguments = arguments
    }

    /// The value of an argument, or `nil` when it is absent.
    public subscript(name: String) -> JSONValue? { arguments[name] }
  }
}

extension FieldPolicy.Provider {
  /// Returns `nil`.
  public static func cacheKey(
    for field: FieldPolicy.Field, inputData: FieldPolicy.InputData
  ) -> CacheKeyInfo? { nil }

  /// Returns `nil`.
  public static func cacheKeyList(
    for listField: FieldPolicy.Field, inputData: FieldPolicy.InputData
  ) -> [CacheKeyInfo]? { nil }

  /// Returns the key that ``FieldPolicy/Provider/cacheKey(for:inputData:)`` decides, for any path.
  public static func cacheKey(
    for field: FieldPolicy.Field, inputData: FieldPolicy.InputData, path: ResponsePath
  ) -> CacheKeyInfo? { cacheKey(for: field, inputData: inputData) }

  /// Returns the keys that ``FieldPolicy/Provider/cacheKeyList(for:inputData:)`` decides, for any
  /// path.
  public static func cacheKeyList(
    for listField: FieldPolicy.Field, inputData: FieldPolicy.InputData, path: ResponsePath
  ) -> [CacheKeyInfo]? { cacheKeyList(for: listField, inputData: inputData) }
}
