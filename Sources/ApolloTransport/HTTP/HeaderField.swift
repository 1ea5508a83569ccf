#if canImport(FoundationNetworking)
  import Foundation
  package import FoundationNetworking
#else
  package import Foundation
#endif

/// The rules for header fields: the guard against header injection.
///
/// RFC 9110, section 5.5, without obsolete text: visible ASCII, spaces and tabs.
package enum HeaderField {
  package static func isValid(name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ":") }
  }

  package static func isValid(value: String) -> Bool {
    value.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x09 }
  }

  /// Rejects a request with invalid headers.
  package static func check(_ request: URLRequest) throws(GraphQLHTTPRequestError) {
    for (name, value) in request.allHTTPHeaderFields ?? [:]
    where !isValid(name: name) || !isValid(value: value) {
      throw .invalidHeader(name: name)
    }
  }

  /// `text` with everything that is not visible ASCII as a question mark.
  package static func printable(_ text: String) -> String {
    String(text.unicodeScalars.map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" })
  }
}
