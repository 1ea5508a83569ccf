/// One field of one record, such as `title(language:"fr")` of `Book:7`.
///
/// Watches depend on addresses, and writes report the addresses that they changed.
public struct FieldAddress: Hashable, Sendable {
  /// The record.
  public var record: RecordKey
  /// The field of the record.
  public var field: FieldKey

  /// Creates the address of one field.
  public init(record: RecordKey, field: FieldKey) {
    self.record = record
    self.field = field
  }
}

extension FieldAddress: CustomStringConvertible {
  /// A text for logs. Programs should not parse it.
  public var description: String { "\(field) of \(record)" }
}
