/// The treatment of fields that a mock does not set and that the schema declares non-null.
///
/// ```swift
/// let hero = HeroQuery.Data.Hero.from(Mock<Human>(name: "Luke"), filling: .required)
/// print(hero.id)  // Human-1
/// ```
public enum MockFilling: Hashable, Sendable {
  /// The fields are missing. A test that reads one of them traps.
  case nothing

  /// The fields get values that are the same in every run:
  ///
  /// | type | value |
  /// | :-- | :-- |
  /// | `String` | The response key, such as `name`. |
  /// | `ID` | The type and a number, such as `Human-1`. Objects are numbered as they are filled. |
  /// | `Int`, `Float` | 0 |
  /// | `Boolean` | `false` |
  /// | an enum | Its first value. |
  /// | a custom scalar | The response key, or else a date, a UUID of zeros, 0, `false`, `{}` or `[]`. |
  /// | a list | No elements. |
  /// | an object | An object of the first possible type by name, filled in the same way. |
  case required
}

/// Makes the values of fields that a mock does not set.
struct MockFiller {
  /// The number of objects so far.
  private var objectCount = 0

  /// Begins the next object.
  mutating func beginObject() { objectCount += 1 }

  /// Returns the value of a leaf that must not be null, for an object of type `typename`.
  func value(for field: FieldLayout, of typename: String) -> JSONValue {
    guard field.listRank == 0 else { return .array([]) }
    return switch field.type.base {
    case .string: .string(field.responseKey)
    case .id: .string("\(typename)-\(objectCount)")
    case .int: .int(0)
    case .double: .double(0)
    case .bool: .bool(false)
    case .leaf(let type): value(of: type, for: field, of: typename)
    case .object: preconditionFailure("Objects are filled field by field.")
    }
  }

  private func value(
    of type: any GeneratedCode.LeafValue.Type, for field: FieldLayout, of typename: String
  ) -> JSONValue {
    if let type = type as? any KnownCases.Type, let name = type.firstName { return .string(name) }
    let value = Self.candidates(for: field.responseKey).first { candidate in
      // A scalar that rejects a candidate gets the next one.
      (try? type.init(_jsonValue: candidate)) != nil
    }
    guard let value else {
      preconditionFailure(
        """
        '\(typename).\(field.responseKey)' is of type '\(type)', for which no value is known. Set \
        it in the mock.
        """)
    }
    return value
  }

  /// The values to try for a custom scalar, in order.
  private static func candidates(for responseKey: String) -> [JSONValue] {
    [
      .string(responseKey), .string("2000-01-01T00:00:00Z"), .string("2000-01-01"),
      .string("00000000-0000-0000-0000-000000000000"), .int(0), .string("0"),
      .double(0), .bool(false), .object([:]), .array([]),
    ]
  }
}

/// An enum whose first value is known. `GraphQLEnum` alone conforms: a cast to the protocol finds
/// enums among fields of any type, whatever their values are.
private protocol KnownCases {
  static var firstName: String? { get }
}

extension GraphQLEnum: KnownCases {
  fileprivate static var firstName: String? { T.allCases.first?.rawValue }
}
