/// Something that the cases of an enum of the schema can be written as: the enum's value itself, or one that may be `null`.
///
/// Generated code adds each case of an enum that is sent to a server, so that `.empire` can be written wherever an `Episode` is
/// expected, nullable or not:
///
/// ```swift
/// HeroNameQuery(episode: .empire)
/// ```
public protocol EnumLiteral {
  /// The enum.
  associatedtype Value: EnumType
  /// A known value.
  init(_ value: Value)
}

extension GraphQLEnum: EnumLiteral {
  /// The enum.
  public typealias Value = T
}

extension GraphQLNullable: EnumLiteral where Wrapped: EnumLiteral {
  /// The enum of the wrapped value.
  public typealias Value = Wrapped.Value

  /// A known value.
  public init(_ value: Wrapped.Value) { self = .some(Wrapped(value)) }
}
