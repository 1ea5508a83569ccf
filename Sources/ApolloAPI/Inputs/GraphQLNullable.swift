/// A nullable input: absent, `null`, or a value. GraphQL servers distinguish the three.
///
/// ```swift
/// var review = ReviewInput(stars: 5, commentary: nil)  // absent
/// review.commentary = .null  // "commentary": null
/// review.commentary = "Superb"  // "commentary": "Superb"
/// ```
@dynamicMemberLookup
public enum GraphQLNullable<Wrapped> {
  /// Absent, so that the server's default applies. The same as `nil`.
  case none
  /// An explicit `null`.
  case null
  /// A value.
  case some(Wrapped)

  /// A value.
  public init(_ value: Wrapped) { self = .some(value) }

  /// The value of an optional, absent for `nil`.
  ///
  /// To send `null` in place of `nil`, use ``someOrNull(_:)``.
  public init(_ value: Wrapped?) { self = value.map(Self.some) ?? .none }

  /// The value, or `nil` for both ``none`` and ``null``.
  public var unwrapped: Wrapped? {
    if case .some(let value) = self { value } else { nil }
  }

  /// A property of the value, or `nil` when there is no value.
  public subscript<Property>(dynamicMember path: KeyPath<Wrapped, Property>) -> Property? {
    unwrapped?[keyPath: path]
  }

  /// Returns `value`, or ``null`` when it is `nil`.
  public static func someOrNull(_ value: Wrapped?) -> Self { value.map(Self.some) ?? .null }
}

extension GraphQLNullable: Sendable where Wrapped: Sendable {}
extension GraphQLNullable: Equatable where Wrapped: Equatable {}
extension GraphQLNullable: Hashable where Wrapped: Hashable {}

extension GraphQLNullable: InputValue where Wrapped: InputValue {
  /// The value as JSON: absent, `null`, or the value.
  public var __inputValue: JSONValue? {
    switch self {
    case .none: nil
    case .null: .null
    case .some(let value): value.__inputValue
    }
  }
}

extension Optional {
  /// The value as a nullable input, ``GraphQLNullable/none`` for `nil`.
  public var asNullable: GraphQLNullable<Wrapped> { map(GraphQLNullable.some) ?? .none }
}

/// Returns the value of `nullable`, or `fallback` when it has none.
public func ?? <Wrapped>(
  nullable: GraphQLNullable<Wrapped>, fallback: @autoclosure () throws -> Wrapped
) rethrows -> Wrapped {
  if case .some(let value) = nullable { return value }
  return try fallback()
}

// Disfavored, so that `let age = hero.age ?? 0` is an `Int`, although a nullable input can be
// written `0` too.
/// Returns `optional` as a nullable input, or `fallback` when it is `nil`.
@_disfavoredOverload
public func ?? <Wrapped>(
  optional: Wrapped?, fallback: @autoclosure () throws -> GraphQLNullable<Wrapped>
) rethrows -> GraphQLNullable<Wrapped> {
  if let optional { return .some(optional) }
  return try fallback()
}

// MARK: - Literals

extension GraphQLNullable: ExpressibleByNilLiteral {
  /// An absent value.
  public init(nilLiteral: ()) { self = .none }
}

extension GraphQLNullable: ExpressibleByUnicodeScalarLiteral
where Wrapped: ExpressibleByUnicodeScalarLiteral {
  /// A value.
  public init(unicodeScalarLiteral value: Wrapped.UnicodeScalarLiteralType) {
    self = .some(Wrapped(unicodeScalarLiteral: value))
  }
}

extension GraphQLNullable: ExpressibleByExtendedGraphemeClusterLiteral
where Wrapped: ExpressibleByExtendedGraphemeClusterLiteral {
  /// A value.
  public init(extendedGraphemeClusterLiteral value: Wrapped.ExtendedGraphemeClusterLiteralType) {
    self = .some(Wrapped(extendedGraphemeClusterLiteral: value))
  }
}

extension GraphQLNullable: ExpressibleByStringLiteral where Wrapped: ExpressibleByStringLiteral {
  /// A value.
  public init(stringLiteral value: Wrapped.StringLiteralType) {
    self = .some(Wrapped(stringLiteral: value))
  }
}

extension GraphQLNullable: ExpressibleByIntegerLiteral where Wrapped: ExpressibleByIntegerLiteral {
  /// A value.
  public init(integerLiteral value: Wrapped.IntegerLiteralType) {
    self = .some(Wrapped(integerLiteral: value))
  }
}

extension GraphQLNullable: ExpressibleByFloatLiteral where Wrapped: ExpressibleByFloatLiteral {
  /// A value.
  public init(floatLiteral value: Wrapped.FloatLiteralType) {
    self = .some(Wrapped(floatLiteral: value))
  }
}

extension GraphQLNullable: ExpressibleByBooleanLiteral where Wrapped: ExpressibleByBooleanLiteral {
  /// A value.
  public init(booleanLiteral value: Wrapped.BooleanLiteralType) {
    self = .some(Wrapped(booleanLiteral: value))
  }
}

extension GraphQLNullable: ExpressibleByArrayLiteral
where Wrapped: RangeReplaceableCollection {
  /// A list.
  public init(arrayLiteral elements: Wrapped.Element...) { self = .some(Wrapped(elements)) }
}
