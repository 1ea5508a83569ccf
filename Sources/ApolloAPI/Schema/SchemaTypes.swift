extension GeneratedCode {
  /// The composite types of a schema that generated code knows.
  public struct SchemaTypes: Sendable {
    /// The facts about one name.
    private struct Entry {
      var object: Object?
      var interface: Interface?
      var union: Union?
      /// The names of the object types of an interface or a union.
      var possibleTypes: Set<String>?
      /// Indicates whether the name is that of an object type, or listed as one.
      var isObjectType = false
    }

    private var entries: [Entry] = []
    /// The index of the entry of each name.
    ///
    /// One dictionary finds all kinds of types: the first response of a process waits until the
    /// runtime has made each type of dictionary that is used until then.
    private var indices: [String: Int] = [:]
    /// Indicates whether a field of a type has a list policy.
    let hasListPolicies: Bool
    /// The name of the root type of queries.
    package let queryRootName: String

    /// Creates a collection of a schema's types. Types that no operation uses may be left out.
    public init(objects: [Object] = [], interfaces: [Interface] = [], unions: [Union] = []) {
      hasListPolicies =
        objects.contains { !$0.listPolicies.isEmpty }
        || interfaces.contains { !$0.listPolicies.isEmpty }
      queryRootName = objects.first(where: \.isQueryRoot)?.typename ?? "Query"
      let count = objects.count + interfaces.count + unions.count
      entries.reserveCapacity(count)
      indices.reserveCapacity(count)
      for object in objects {
        update(object.typename) { entry in
          if entry.object == nil { entry.object = object }
          entry.isObjectType = true
        }
      }
      for interface in interfaces {
        update(interface.name) { if $0.interface == nil { $0.interface = interface } }
        add(interface.implementingObjects, to: interface.name)
      }
      for union in unions {
        update(union.name) { if $0.union == nil { $0.union = union } }
        add(union.possibleTypes.map(\.typename), to: union.name)
      }
      for object in objects {
        for interface in object.implementedInterfaces { add([object.typename], to: interface.name) }
      }
    }

    private mutating func update(_ name: String, _ body: (inout Entry) -> Void) {
      let index = indices[name] ?? entries.count
      if index == entries.count {
        indices[name] = index
        entries.append(Entry())
      }
      body(&entries[index])
    }

    /// Adds object types to those of an interface or a union.
    private mutating func add(_ typenames: [String], to name: String) {
      update(name) { entry in
        if entry.possibleTypes == nil { entry.possibleTypes = [] }
        entry.possibleTypes?.formUnion(typenames)
      }
      for typename in typenames { update(typename) { $0.isObjectType = true } }
    }

    /// References the object type named `name`.
    public func object(named name: String) -> Object? {
      indices[name].flatMap { entries[$0].object }
    }

    /// The interface named `name`.
    public func interface(named name: String) -> Interface? {
      indices[name].flatMap { entries[$0].interface }
    }

    /// The union named `name`.
    public func union(named name: String) -> Union? { indices[name].flatMap { entries[$0].union } }

    private func possibleTypeSet(of name: String) -> Set<String>? {
      indices[name].flatMap { entries[$0].possibleTypes }
    }

    /// Returns the names of the object types of a type: the type itself, or those of an interface
    /// or a union, in ascending order.
    package func possibleTypes(of name: String) -> [String] {
      possibleTypeSet(of: name)?.sorted() ?? [name]
    }

    /// Returns the arguments that determine the object that a field leads to (`@fieldPolicy`), from
    /// the policy of the type or of an interface.
    package func keyArguments(ofField field: String, on typenames: [String]) -> [String]? {
      for name in typenames {
        if let policy = object(named: name)?.fieldPolicies[field] { return policy }
        if let policy = interface(named: name)?.fieldPolicies[field] { return policy }
        for interface in object(named: name)?.implementedInterfaces ?? [] {
          if let policy = interface.fieldPolicies[field] { return policy }
        }
      }
      return nil
    }

    /// Returns the policy of a list, from the policy of the type or of an interface.
    func listPolicy(ofField field: String, on typenames: [String]) -> ListPolicy? {
      guard hasListPolicies else { return nil }
      for name in typenames {
        if let policy = object(named: name)?.listPolicies[field] { return policy }
        if let policy = interface(named: name)?.listPolicies[field] { return policy }
        for interface in object(named: name)?.implementedInterfaces ?? [] {
          if let policy = interface.listPolicies[field] { return policy }
        }
      }
      return nil
    }

    /// Returns whether `name` is an interface or a union.
    package func isAbstract(_ name: String) -> Bool { possibleTypeSet(of: name) != nil }

    /// Returns whether `name` is an object type, or listed as one by an interface or a union.
    package func knows(_ name: String) -> Bool {
      indices[name].map { entries[$0].isObjectType } ?? false
    }

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
      guard let possible = possibleTypeSet(of: condition) else { return false }
      if let typename, possible.contains(typename) { return true }
      // For a type that is newer than this code, or has become one of `parents` since, a condition
      // holds if it holds for every known type of one of them. Models rely on that.
      return parents.contains { parent in
        possibleTypeSet(of: parent).map { !$0.isEmpty && $0.isSubset(of: possible) }
          ?? possible.contains(parent)
      }
    }
  }
}

@usableFromInline package typealias SchemaTypes = GeneratedCode.SchemaTypes
