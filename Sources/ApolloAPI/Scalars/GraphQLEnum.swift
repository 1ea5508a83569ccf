/// An enum type of the schema: its raw values are the names in the schema.
public protocol EnumType: RawRepresentable, CaseIterable, Hashable, Sendable
where RawValue == String {}

/// A value of a schema's enum, which may be newer than the generated code.
///
/// ```swift
/// switch hero.species {
/// case .case(.human): show("human")
/// case .case(.droid): show("droid")
/// case .unknown(let name): show(name)  // the server knows a species that this program does not
/// }
/// ```
@frozen
public enum GraphQLEnum<T: EnumType>: Hashable, Sendable {
  /// A value of the schema from which the code was generated.
  case `case`(T)
  /// Any other value. Boxed, so that an enum takes at most 8 bytes.
  indirect case unknown(String)

  /// Wraps a known value.
  @inlinable
  public init(_ value: T) { self = .case(value) }

  /// Creates the value with a name in the schema, known or not.
  @inlinable
  public init(rawValue: String) {
    self = T(rawValue: rawValue).map(Self.case) ?? .unknown(rawValue)
  }

  /// The known value, or `nil` for an unknown one.
  @inlinable
  public var value: T? {
    if case .case(let value) = self { value } else { nil }
  }

  /// The name in the schema.
  @inlinable
  public var rawValue: String {
    switch self {
    case .case(let value): value.rawValue
    case .unknown(let name): name
    }
  }

  /// Returns whether the names of both values, known or not, have the same bytes.
  @inlinable
  public static func == (lhs: Self, rhs: Self) -> Bool {
    if case .case(let lhs) = lhs, case .case(let rhs) = rhs { return lhs == rhs }
    return lhs.rawValue.utf8.elementsEqual(rhs.rawValue.utf8)
  }

  /// Hashes the name.
  @inlinable
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension GraphQLEnum: RawRepresentable, CaseIterable {
  /// Every known value, in the order of the schema.
  public static var allCases: [Self] { T.allCases.map(Self.case) }
}

extension GraphQLEnum: InputValue {
  /// The name as a JSON string.
  public var __inputValue: JSONValue? { .string(rawValue) }
}

extension GraphQLEnum {
  /// Returns whether `lhs` is the known value `rhs`.
  @inlinable
  public static func == (lhs: Self, rhs: T) -> Bool { lhs.value == rhs }
  /// Returns whether `rhs` is the known value `lhs`.
  @inlinable
  public static func == (lhs: T, rhs: Self) -> Bool { rhs.value == lhs }
  /// Returns whether `lhs` is anything but the known value `rhs`.
  @inlinable
  public static func != (lhs: Self, rhs: T) -> Bool { lhs.value != rhs }
  /// Returns whether `rhs` is anything but the known value `lhs`.
  @inlinable
  public static func != (lhs: T, rhs: Self) -> Bool { rhs.value != lhs }
  /// Matches a known value in a `switch`.
  @inlinable
  public static func ~= (pattern: T, value: Self) -> Bool { value.value == pattern }
}

/// Known values as nullable arguments.
extension GraphQLNullable {
  /// A known value of an enum.
  public static func `case`<T: EnumType>(_ value: T) -> Self where Wrapped == GraphQLEnum<T> {
    .some(.case(value))
  }
}
