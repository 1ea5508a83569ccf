/// One field of one record, such as `title(language:"fr")` of `Book:7`.
///
/// Watchers depend on addresses; a merge reports those it changed.
public struct FieldAddress: Hashable, Sendable {
  /// Which record.
  public var record: RecordKey
  /// Which field of it.
  public var field: FieldKey

  /// Makes the address of one field.
  public init(record: RecordKey, field: FieldKey) {
    self.record = record
    self.field = field
  }
}

extension FieldAddress: CustomStringConvertible {
  /// For people to read; no program should take it apart.
  public var description: String { "\(field) of \(record)" }
}
