import enum ApolloAPI.JSONValue
import GraphQLSchema

/// The changes of mutations, and the facts about objects that arguments have named.
struct ObjectStore: Sendable {
  /// The values of fields by object and name.
  private(set) var values: [FakeIdentity: [String: ResolvedValue]] = [:]
  /// The objects that mutations have created, in order.
  private(set) var created: [FakeIdentity] = []
  /// The created objects that name another one, such as the comments that name a post.
  private(set) var children: [FakeIdentity: [FakeIdentity]] = [:]
  private(set) var deleted: Set<FakeIdentity> = []
  /// The types of objects whose `id` does not show it.
  private(set) var types: [String: Schema.NamedType.ID] = [:]

  func value(of field: String, in object: FakeIdentity) -> ResolvedValue? {
    values[object]?[field]
  }

  mutating func set(_ value: ResolvedValue, of field: String, in object: FakeIdentity) {
    values[object, default: [:]][field] = value
  }

  /// Keeps a value that an argument says, unless something is known.
  mutating func learn(_ value: ResolvedValue, of field: String, in object: FakeIdentity) {
    if values[object]?[field] == nil { set(value, of: field, in: object) }
  }

  mutating func learn(type: Schema.NamedType.ID, ofID id: String) {
    if types[id] == nil { types[id] = type }
  }

  mutating func create(_ object: FakeIdentity) {
    if deleted.remove(object) != nil {
      // The new object shares its key with the deleted one, and nothing else.
      values[object] = nil
      children[object] = nil
      children = children.mapValues { $0.filter { $0 != object } }
      created.removeAll { $0 == object }
    }
    if !created.contains(object) { created.append(object) }
  }

  mutating func add(_ child: FakeIdentity, to parent: FakeIdentity) {
    if children[parent]?.contains(child) != true { children[parent, default: []].append(child) }
  }

  mutating func delete(_ object: FakeIdentity) { deleted.insert(object) }
}
