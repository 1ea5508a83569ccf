import enum ApolloAPI.JSONValue
import GraphQLSchema

/// An object of the server. Objects with equal identities have equal fields in every response.
struct FakeIdentity: Hashable, Sendable {
  /// An object type.
  let type: Schema.NamedType.ID
  /// The text of the object's `id`. For an object without one, the field that leads to it: `User-7`
  /// has the address `User-7.address`.
  let key: String
}

/// An object on its way into a response.
struct FakeObject: Sendable {
  let identity: FakeIdentity
  var role = Role.plain
  /// The values that the program has fixed for fields of this object in this response.
  var fixed: [String: FixedValue] = [:]

  /// The source of an object's fields, besides its identity.
  indirect enum Role: Sendable {
    /// Its identity is all that there is.
    case plain
    /// A page of a list, as in the Relay specification or with a total.
    case connection(Page)
    /// The object at a position of a list.
    case edge(node: FakeObject, position: Int)
    case pageInfo(Page)
    /// The result of a mutation, with its fields by name.
    case payload([String: ResolvedValue])
  }

  init(_ identity: FakeIdentity, _ role: Role = .plain) {
    self.identity = identity
    self.role = role
  }
}

/// A value that a rule of the program has given.
struct FixedValue: Sendable {
  let value: JSONValue
  /// The number of the rule. Of several rules for a field, the last one counts.
  let order: Int
}

/// The value of a field before its selections are executed.
indirect enum ResolvedValue: Sendable {
  case null
  case leaf(JSONValue)
  case object(FakeObject)
  case list([ResolvedValue])
}

/// A part of a list.
struct Page: Sendable {
  let items: ObjectList
  /// The part, in indices of `items`.
  let range: Range<Int>

  var hasNext: Bool { range.upperBound < items.count }
  var hasPrevious: Bool { range.lowerBound > 0 }
}
