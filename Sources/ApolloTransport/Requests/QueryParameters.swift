package import Foundation

/// Appends parameters to a URL such that form decoders and URI decoders read the same.
///
/// Every byte but the unreserved ones is percent-encoded (RFC 3986, section 2.3), also `+` and `;`,
/// which `URLComponents.queryItems` leaves alone and many servers read as a space and a separator.
package enum QueryParameters {
  /// `url` with `parameters` behind those it has, in the given order; a fragment is dropped.
  package static func append(_ parameters: [(name: String, value: String)], to url: URL) -> URL? {
    guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
      return nil
    }
    let appended = parameters.map { "\(encoded($0.name))=\(encoded($0.value))" }
    let existing = components.percentEncodedQuery.map { $0.isEmpty ? [] : [$0] } ?? []
    components.percentEncodedQuery = (existing + appended).joined(separator: "&")
    components.fragment = nil
    return components.url
  }

  static func encoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if isUnreserved(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
