extension GeneratedCode {
  /// A value that is stored outside its struct, so that an input object can contain itself.
  public struct Indirect<Value> {
    /// Always one element: an array is the standard library's copy-on-write box.
    private var storage: [Value]

    /// The value.
    public var value: Value {
      get { storage[0] }
      set { storage[0] = newValue }
    }

    /// Stores `value`.
    public init(_ value: Value) { storage = [value] }
  }
}

@usableFromInline package typealias Indirect<Value> = GeneratedCode.Indirect<Value>

extension Indirect: Sendable where Value: Sendable {}
extension Indirect: Equatable where Value: Equatable {}
extension Indirect: Hashable where Value: Hashable {}
