import Foundation

/// The check of the headers of a part.
///
/// All parts of a response usually have equal headers, so those of the last part are compared
/// first.
struct PartHeaders {
  private var accepted: [UInt8] = []

  /// Checks headers, with the empty line after them.
  ///
  /// - Throws: ``ResponseStreamError`` unless they are headers and the type, if there is one, is
  ///   JSON in UTF-8.
  mutating func check(_ bytes: UnsafeBufferPointer<UInt8>) throws(ResponseStreamError) {
    if !accepted.isEmpty, accepted.count == bytes.count,
      accepted.withUnsafeBytes({ memcmp($0.baseAddress!, bytes.baseAddress!, bytes.count) }) == 0
    {
      return
    }
    for line in bytes.split(whereSeparator: { $0 == .lineFeed || $0 == .carriageReturn }) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
        if line[line.startIndex].isSpaceOrTab { continue }  // continues the line before
        throw ResponseStreamError(.malformedFraming, "a part has a header line without a colon")
      }
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      guard name == "content-type" else { continue }
      let value = String(decoding: line[(colon + 1)...], as: UTF8.self)
      guard let type = MediaType(value), type.isJSON else {
        let text = value.drop { $0 == " " || $0 == "\t" }
        throw ResponseStreamError(.unexpectedPartType, HeaderField.printable(String(text)))
      }
    }
    accepted = Array(bytes)
  }
}

extension MediaType {
  /// `true` for JSON in UTF-8.
  fileprivate var isJSON: Bool {
    isUTF8 && (essence == "application/json" || essence == "application/graphql-response+json")
  }
}
