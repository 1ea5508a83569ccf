/// Which objects a field leads to, told by its arguments: `hero(id: "1")` is the hero that any other field may have brought.
///
/// The schema says so with `@fieldPolicy`:
///
/// ```graphql
/// extend type Query @fieldPolicy(forField: "hero", keyArgs: "id")
/// ```
///
/// or a program does, by conforming its `SchemaConfiguration` to ``Provider``. A policy counts only where the cache has no value for
/// the field itself, and it leads only to objects that the cache has. It is asked once for each set of variables.
public enum FieldPolicy {
  /// Decides in code which objects fields lead to. It goes before `@fieldPolicy`.
  public protocol Provider {
    /// The address of the object that a field leads to, or `nil` to say nothing.
    ///
    /// - Parameters:
    ///   - field: the field, which has one object.
    ///   - inputData: its arguments.
    /// - Returns: the address. Where it names no group, it is taken as one of any type that the field can have.
    static func cacheKey(for field: Field, inputData: InputData) -> CacheKeyInfo?

    /// The addresses of the objects that a field with a list leads to, in order, or `nil` to say nothing.
    ///
    /// - Parameters:
    ///   - listField: the field, which has a list of objects.
    ///   - inputData: its arguments.
    /// - Returns: the addresses. Where they name no group, they are taken as of any type that the field can have.
    static func cacheKeyList(for listField: Field, inputData: InputData) -> [CacheKeyInfo]?
  }

  /// A field whose objects are looked for.
  public struct Field: Hashable, Sendable {
    /// Its name in the schema.
    public let name: String
    /// Its alias, if it has one.
    public let alias: String?
    /// The type of the object that it is a field of, if that is known.
    public let parentType: String?
    /// The type of its objects: an object type, an interface or a union.
    public let type: String

    /// The key in the response: the alias, or the name.
    public var responseKey: String { alias ?? name }

    /// Describes a field.
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

    /// Arguments by name.
    public init(_ arguments: [String: JSONValue]) {
      self.arguments = arguments
    }

    /// The value of an argument, or `nil` when it was not given.
    public subscript(name: String) -> JSONValue? { arguments[name] }
  }
}

extension FieldPolicy.Provider {
  /// Says nothing.
  public static func cacheKey(
    for field: FieldPolicy.Field, inputData: FieldPolicy.InputData
  ) -> CacheKeyInfo? { nil }

  /// Says nothing.
  public static func cacheKeyList(
    for listField: FieldPolicy.Field, inputData: FieldPolicy.InputData
  ) -> [CacheKeyInfo]? { nil }
}
