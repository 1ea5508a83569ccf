/// The byte order mark, with which some servers begin a response.
///
/// It is not JSON, and the readers of JSON refuse it. RFC 8259, section 8.1, lets a reader of what
/// came over a network ignore it.
package enum ByteOrderMark {
  /// The mark in UTF-8.
  package static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]
}

extension JSONReader {
  /// Skips a byte order mark at the beginning of a response.
  mutating func skipByteOrderMark() {
    if loadWord32(cursor) & 0xFF_FFFF == 0xBF_BBEF { cursor += 3 }
  }
}
