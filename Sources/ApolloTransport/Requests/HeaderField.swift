/// What may stand in a header: the guard against header injection.
///
/// RFC 9110, section 5.5, without obsolete text: visible ASCII, spaces and tabs.
enum HeaderField {
  static func isValid(name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ":") }
  }

  static func isValid(value: String) -> Bool {
    value.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x09 }
  }
}
