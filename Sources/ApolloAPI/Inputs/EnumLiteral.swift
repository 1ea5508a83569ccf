extension GeneratedCode {
  /// A type that can be written as a case of a schema's enum: the enum's value, or a nullable one.
  ///
  /// Generated code adds each case of an input enum, so that `.empire` can be written wherever an
  /// `Episode` is expected, nullable or not:
  ///
  /// ```swift
  /// let query = HeroNameQuery(episode: .empire)
  /// ```
  public protocol EnumLiteral {
    /// The enum.
    associatedtype Value: EnumType
    /// Wraps a known value.
    init(_ value: Value)
  }
}

@usableFromInline package typealias EnumLiteral = GeneratedCode.EnumLiteral

extension GraphQLEnum: EnumLiteral {
  /// The enum.
  public typealias Value = T
}

extension GraphQLNullable: EnumLiteral where Wrapped: GeneratedCode.EnumLiteral {
  /// The enum of the wrapped value.
  public typealias Value = Wrapped.Value

  /// Wraps a known value.
  public init(_ value: Wrapped.Value) { self = .some(Wrapped(value)) }
}
