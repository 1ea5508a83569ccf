internal import Foundation

/// A request of HTTP/1.1 as it arrived, with its whole body.
package struct LocalRequest: Hashable, Sendable {
  /// A header field.
  package struct Header: Hashable, Sendable {
    /// The name as it was written. Names are compared without regard to case.
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package var method: String
  /// The target as it was written, such as `/graphql?query=%7Bhero%7D`.
  package var target: String
  package var headers: [Header]
  package var body: [UInt8]
  /// Indicates whether the connection stays open after the response.
  package var keepsConnection: Bool
  /// Indicates whether the client understands a body in chunks. One of HTTP/1.0 does not.
  package var acceptsChunks: Bool

  package init(
    method: String = "GET", target: String = "/", headers: [Header] = [], body: [UInt8] = [],
    keepsConnection: Bool = true, acceptsChunks: Bool = true
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.keepsConnection = keepsConnection
    self.acceptsChunks = acceptsChunks
  }

  /// The path without the query, not decoded. `/` for a target that is a whole URL without one.
  package var path: String {
    let path = String(rest.prefix { $0 != "?" })
    return path.isEmpty ? "/" : path
  }

  /// The parameters of the query in their order, decoded. `+` is a space, as forms write it.
  package var parameters: [(name: String, value: String)] {
    guard let start = rest.firstIndex(of: "?") else { return [] }
    return rest[rest.index(after: start)...].split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (Self.decoded(parts[0]), parts.count == 2 ? Self.decoded(parts[1]) : "")
    }
  }

  /// Returns the first parameter of the query with a name.
  package func parameter(_ name: String) -> String? {
    parameters.first { $0.name == name }?.value
  }

  /// Returns the value of the first header field with a name.
  package func header(_ name: String) -> String? {
    headers.first { Self.isSame($0.name, name) }?.value
  }

  // MARK: WebSockets

  /// The key of the handshake, if the request asks for a WebSocket, or `nil` if it does not.
  ///
  /// Spec: RFC 6455, section 4.2.1.
  var webSocketKey: String? {
    guard method == "GET", acceptsChunks, list("Upgrade").contains("websocket"),
      list("Connection").contains("upgrade"), header("Sec-WebSocket-Version") == "13",
      let key = header("Sec-WebSocket-Key"), Data(base64Encoded: key)?.count == 16
    else { return nil }
    return key
  }

  /// Indicates whether the client asks for a WebSocket.
  package var asksForWebSocket: Bool { webSocketKey != nil }

  /// The subprotocols that the client offers for a WebSocket, in its order.
  package var webSocketSubprotocols: [String] {
    headers.filter { Self.isSame($0.name, "Sec-WebSocket-Protocol") }
      .flatMap { $0.value.split(separator: ",") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// The elements of a header field that is a list, in lower case.
  private func list(_ name: String) -> [String] {
    headers.filter { Self.isSame($0.name, name) }.flatMap { $0.value.split(separator: ",") }
      .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
  }

  static func isSame(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && left.lowercased() == right.lowercased()
  }

  /// The target behind scheme and authority, which a client writes for a proxy.
  private var rest: Substring {
    guard !target.hasPrefix("/") else { return target[...] }
    for scheme in ["http://", "https://"] where target.lowercased().hasPrefix(scheme) {
      return target.dropFirst(scheme.count).drop { $0 != "/" && $0 != "?" }
    }
    return target[...]
  }

  /// Decodes `%` and two digits, and `+`. Other text stays as it is.
  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "+") {
        bytes.append(UInt8(ascii: " "))
      } else if byte == UInt8(ascii: "%"), let high = rest.first?.hexDigit,
        let low = rest.dropFirst().first?.hexDigit
      {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit.
  var hexDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
