import ApolloAPI

#if canImport(FoundationNetworking)
  import Foundation
  package import FoundationNetworking
#else
  package import Foundation
#endif

/// The rules for header fields: the guard against header injection.
///
/// RFC 9110, sections 5.1 and 5.5, without obsolete text: a name is a token, a value is visible
/// ASCII, spaces and tabs.
package enum HeaderField {
  package static func isValid(name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy(isTokenByte)
  }

  package static func isValid(value: String) -> Bool {
    value.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x09 }
  }

  /// Returns `true` for the fields of a connection and of the framing of a request, which the
  /// client sets. Set by others, they could smuggle a second request into the connection.
  static func isReserved(name: String) -> Bool {
    // Most names of a request have other lengths, which spares a copy in lower case.
    switch name.utf8.count {
    case 2, 4, 7, 10, 14, 16, 17: reservedNames.contains(name.lowercased())
    default: false
    }
  }

  private static let reservedNames: Set<String> = [
    "connection", "content-length", "host", "keep-alive", "proxy-connection", "te", "trailer",
    "transfer-encoding", "upgrade",
  ]

  /// Rejects a field that must not be sent.
  static func check(name: String, value: String) throws(GraphQLHTTPRequestError) {
    guard isValid(name: name), isValid(value: value) else { throw .invalidHeader(name: name) }
    guard !isReserved(name: name) else { throw .reservedHeader(name: name) }
  }

  /// The fields that passed the check last. The requests of an operation share the memory of their
  /// fields, and comparing that takes no time.
  private static let lastChecked = Lock<[String: String]>([:])

  /// Rejects a request with fields that must not be sent.
  package static func check(_ request: URLRequest) throws(GraphQLHTTPRequestError) {
    let fields = request.allHTTPHeaderFields ?? [:]
    if lastChecked.withLock({ $0 == fields }) { return }
    for (name, value) in fields { try check(name: name, value: value) }
    _ = lastChecked.exchange(fields)
  }

  /// Rejects a request with characters that must not be sent. Reserved names are allowed.
  package static func checkCharacters(of request: URLRequest) throws(GraphQLHTTPRequestError) {
    for (name, value) in request.allHTTPHeaderFields ?? [:]
    where !isValid(name: name) || !isValid(value: value) {
      throw .invalidHeader(name: name)
    }
  }

  /// `text` with everything that is not visible ASCII as a question mark.
  package static func printable(_ text: String) -> String {
    String(text.unicodeScalars.map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" })
  }

  /// RFC 9110, section 5.6.2.
  static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
