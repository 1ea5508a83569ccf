/// The non-null marks of a type, one bit for each level from the outside in. Bit 0 is the whole
/// type.
///
/// Four words, because a type has up to 256 levels. Nearly all types need a few bits of the first,
/// so whatever only that word decides, the others are not looked at.
@usableFromInline
struct NonNullMarks: Hashable, Sendable {
  @usableFromInline var first: UInt64
  @usableFromInline var others: (UInt64, UInt64, UInt64)

  @inlinable
  init(first: UInt64 = 0, others: (UInt64, UInt64, UInt64) = (0, 0, 0)) {
    self.first = first
    self.others = others
  }

  /// The mark of a level.
  subscript(level: Int) -> Bool {
    let word =
      switch level >> 6 {
      case 0: first
      case 1: others.0
      case 2: others.1
      default: others.2
      }
    return word >> UInt64(level & 63) & 1 != 0
  }

  /// The marks of a list of this type, which is nullable.
  @inlinable
  var inList: NonNullMarks {
    NonNullMarks(
      first: first << 1,
      others: (
        others.0 << 1 | first >> 63, others.1 << 1 | others.0 >> 63, others.2 << 1 | others.1 >> 63
      ))
  }

  /// The marks of the items of this list.
  @inlinable
  var ofItem: NonNullMarks {
    NonNullMarks(
      first: first >> 1 | others.0 << 63,
      others: (others.0 >> 1 | others.1 << 63, others.1 >> 1 | others.2 << 63, others.2 >> 1))
  }

  @inlinable
  static func == (left: NonNullMarks, right: NonNullMarks) -> Bool {
    left.first == right.first && left.others == right.others
  }

  @inlinable
  func hash(into hasher: inout Hasher) {
    hasher.combine(first)  // types that differ only far inside are rare, and compared anyway
  }
}
