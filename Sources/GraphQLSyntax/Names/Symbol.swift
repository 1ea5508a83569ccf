/// A name, represented by its index in a ``NameTable``.
///
/// Two symbols of a table are equal exactly if their spellings are equal. Symbols count up from
/// zero, so a lookup by name can be an array, and a set of names a bit set. The names of the
/// language, such as `Symbol.typename`, have the same symbols in all tables.
public struct Symbol: Hashable, Sendable {
  /// The index in the table, in 32 bits.
  public let rawValue: UInt32

  /// Creates the symbol of the spelling at index `rawValue` of a table.
  @inlinable
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The index, for use with an array that has an element for each name of the table.
  @inlinable
  public var index: Int { Int(rawValue) }
}
