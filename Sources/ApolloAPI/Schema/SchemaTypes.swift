extension GeneratedCode {
  /// The composite types of a schema that generated code knows.
  public struct SchemaTypes: Sendable {
    private let objects: [String: Object]
    private let interfaces: [String: Interface]
    private let unions: [String: Union]
    /// The names of the object types of each interface and union.
    private let possibleTypes: [String: Set<String>]
    private let listedTypes: Set<String>

    /// Creates a collection of a schema's types. Types that no operation uses may be left out.
    public init(objects: [Object] = [], interfaces: [Interface] = [], unions: [Union] = []) {
      self.objects = Dictionary(
        objects.map { ($0.typename, $0) }, uniquingKeysWith: { first, _ in first })
      self.interfaces = Dictionary(
        interfaces.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
      self.unions = Dictionary(
        unions.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
      var possible: [String: Set<String>] = [:]
      for interface in interfaces {
        possible[interface.name, default: []].formUnion(interface.implementingObjects)
      }
      for union in unions {
        possible[union.name, default: []].formUnion(union.possibleTypes.map(\.typename))
      }
      for object in objects {
        for interface in object.implementedInterfaces {
          possible[interface.name, default: []].insert(object.typename)
        }
      }
      possibleTypes = possible
      listedTypes = possible.values.reduce(into: Set(objects.map(\.typename))) { $0.formUnion($1) }
    }

    /// References the object type named `name`.
    public func object(named name: String) -> Object? { objects[name] }

    /// The interface named `name`.
    public func interface(named name: String) -> Interface? { interfaces[name] }

    /// The union named `name`.
    public func union(named name: String) -> Union? { unions[name] }

    /// Returns the names of the object types of a type: the type itself, or those of an interface
    /// or a union, in ascending order.
    package func possibleTypes(of name: String) -> [String] {
      possibleTypes[name]?.sorted() ?? [name]
    }

    /// Returns the arguments that determine the object that a field leads to (`@fieldPolicy`), from
    /// the policy of the type or of an interface.
    package func keyArguments(ofField field: String, on typenames: [String]) -> [String]? {
      for name in typenames {
        if let policy = objects[name]?.fieldPolicies[field] { return policy }
        if let policy = interfaces[name]?.fieldPolicies[field] { return policy }
        for interface in objects[name]?.implementedInterfaces ?? [] {
          if let policy = interface.fieldPolicies[field] { return policy }
        }
      }
      return nil
    }

    /// Returns whether `name` is an interface or a union.
    package func isAbstract(_ name: String) -> Bool { possibleTypes[name] != nil }

    /// Returns whether `name` is an object type, or listed as one by an interface or a union.
    package func knows(_ name: String) -> Bool { listedTypes.contains(name) }

    /// Returns whether an object of a type fulfils a type condition.
    ///
    /// - Parameters:
    ///   - condition: The name after `on`.
    ///   - typename: The object's type; `nil` when generated code does not know it.
    ///   - parents: The types of the selection sets around the condition, which the object fulfils
    ///     whatever its type, because the server says so.
    /// - Returns: `true` if the condition holds.
    package func condition(
      _ condition: String, holdsFor typename: String?, within parents: [String]
    ) -> Bool {
      if condition == typename || parents.contains(condition) { return true }
      guard let possible = possibleTypes[condition] else { return false }
      if let typename, possible.contains(typename) { return true }
      // For a type that is newer than this code, or has become one of `parents` since, a condition
      // holds if it holds for every known type of one of them. Models rely on that.
      return parents.contains { parent in
        possibleTypes[parent].map { !$0.isEmpty && $0.isSubset(of: possible) }
          ?? possible.contains(parent)
      }
    }
  }
}

@usableFromInline package typealias SchemaTypes = GeneratedCode.SchemaTypes
