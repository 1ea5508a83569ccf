/// Stores a property outside its struct, so that an input object can contain itself.
@propertyWrapper
public struct Indirect<Value> {
  /// One element, always: an array is the standard library's copy-on-write box.
  private var storage: [Value]

  /// The value.
  public var wrappedValue: Value {
    get { storage[0] }
    set { storage[0] = newValue }
  }

  /// Stores `wrappedValue`.
  public init(wrappedValue: Value) { storage = [wrappedValue] }
}

extension Indirect: Sendable where Value: Sendable {}
extension Indirect: Equatable where Value: Equatable {}
extension Indirect: Hashable where Value: Hashable {}
