private import Foundation

extension GeneratedCode.LeafElement {
  /// Returns whether this value, which was decoded from `value`, is written in the same form.
  ///
  /// The texts of the usual types are recognized without writing them: a date would take longer to
  /// write than to read.
  func isWritten(as value: JSONValue) -> Bool {
    if Self.self == JSONValue.self { return true }
    if case .string(let text) = value {
      if Self.self == Date.self, ISO8601.isUsualText(text.utf8) { return true }
      if Self.self == UUID.self { return !text.utf8.contains { (0x41...0x5A).contains($0) } }
    }
    return _jsonValue.isIdentical(to: value)
  }
}

extension ISO8601 {
  /// Returns whether a text, which is a valid date, is the one that ``text(_:)`` returns for it.
  /// Unusual years and fractions are not recognized.
  fileprivate static func isUsualText(_ text: String.UTF8View) -> Bool {
    guard text.count == 20 || text.count == 24, text.last == UInt8(ascii: "Z") else { return false }
    let bytes = Array(text)
    guard bytes[4] == UInt8(ascii: "-"), bytes[10] == UInt8(ascii: "T"),
      bytes[17] != UInt8(ascii: "6"), bytes[0] != UInt8(ascii: "-"), bytes[0] != UInt8(ascii: "+")
    else { return false }
    guard bytes.count == 24 else { return true }
    return bytes[19] == UInt8(ascii: ".") && bytes[20..<23].contains { $0 != UInt8(ascii: "0") }
  }
}

#if DEBUG
  extension GeneratedCode.LeafElement {
    /// Warns, once for each type, if the type cannot read what it has written. A cache on disk
    /// could never return such a value, so its query would be fetched each time.
    static func checkReading(of value: JSONValue) {
      do {
        _ = try Self(_jsonValue: value)
      } catch {
        UnreadableForms.report(Self.self, value.kindDescription, error)
      }
    }
  }

  /// The types whose values cannot be read back.
  private enum UnreadableForms {
    private static let reported = Lock<Set<ObjectIdentifier>>([])

    static func report(_ type: Any.Type, _ kind: String, _ error: any Error) {
      guard reported.withLock({ $0.insert(ObjectIdentifier(type)).inserted }) else { return }
      let text = """
        warning: 'init(_jsonValue:)' of \(type) cannot read what '_jsonValue' has written \
        (\(kind)): \(error). A cache on disk cannot return such a value. Let it \
        accept both forms.

        """
      FileHandle.standardError.write(Data(text.utf8))
    }
  }
#endif
