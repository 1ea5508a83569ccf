/// A name, as its index in a ``NameTable``.
///
/// Two symbols of one table are equal exactly when their spellings are, so that comparing names is
/// comparing integers, and a table for each name is an array. Symbols are dense: they count up from
/// zero. The names of the language itself are the same symbols in every table: see
/// `Symbol.typename` and its neighbours.
public struct Symbol: Hashable, Sendable {
  /// The index of the spelling in the table, in 32 bits.
  public let rawValue: UInt32

  /// The symbol of the spelling at index `rawValue` of a table.
  @inlinable
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The index into an array that has an element for each name of the table.
  @inlinable
  public var index: Int { Int(rawValue) }
}
