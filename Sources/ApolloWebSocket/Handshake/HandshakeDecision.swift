internal import ApolloAPI
internal import ApolloTransport
internal import Foundation

/// The facts on which both sides of a handshake have agreed.
struct HandshakeAgreement: Hashable, Sendable {
  var subprotocol: String?
  var compression: CompressionAgreement?
}

extension HandshakeRequest {
  /// Decides about a response with status 101.
  ///
  /// Spec: RFC 6455, section 4.1, the six steps after the server's response.
  func agreement(with head: ResponseHead) throws(WebSocketHandshakeError) -> HandshakeAgreement {
    func error(_ code: WebSocketHandshakeError.Code, _ detail: String) -> WebSocketHandshakeError {
      self.error(code, head, detail: detail)
    }
    guard head.hasToken("websocket", in: "upgrade") else {
      throw error(.notAccepted, "there is no 'Upgrade: websocket'")
    }
    guard head.hasToken("upgrade", in: "connection") else {
      throw error(.notAccepted, "there is no 'Connection: Upgrade'")
    }
    guard head.values(of: "sec-websocket-accept") == [expectedAccept] else {
      throw error(.notAccepted, "'Sec-WebSocket-Accept' does not match the key")
    }
    let selections = ExtensionSelection.all(in: head.values(of: "sec-websocket-extensions"))
    guard let selections, selections.count <= 1 else {
      throw error(.unexpectedExtension, "the header is malformed or has several")
    }
    var agreement = HandshakeAgreement()
    if let selection = selections.first {
      guard let compression = compression?.agreement(selection) else {
        throw error(.unexpectedExtension, HeaderField.printable(selection.name))
      }
      agreement.compression = compression
    }
    let selected = head.values(of: "sec-websocket-protocol")
    if let subprotocol = selected.first {
      guard selected.count == 1, subprotocols.contains(subprotocol) else {
        throw error(
          .unexpectedSubprotocol, HeaderField.printable(selected.joined(separator: ", ")))
      }
      agreement.subprotocol = subprotocol
    }
    return agreement
  }

  /// Returns the URL to which a response redirects, or `nil` if it is not a redirect.
  ///
  /// It has the user and the password of the request's URL, whose origin it has.
  ///
  /// - Throws: ``WebSocketHandshakeError`` if the redirect is not followed.
  func redirect(_ head: ResponseHead, hopsLeft: Int) throws(WebSocketHandshakeError) -> URL? {
    guard [301, 302, 303, 307, 308].contains(head.statusCode) else { return nil }
    guard let text = head.values(of: "location").first, !text.isEmpty else {
      throw error(.redirectRefused, head, detail: "there is no location")
    }
    guard let location = URL(string: text),
      let target = URL(string: text, relativeTo: url).flatMap(Self.httpURL),
      let origin = Origin(target)
    else { throw error(.redirectRefused, head, detail: "the location is not a URL of a WebSocket") }
    // Of the location alone: a relative one takes the user and the password of the request.
    guard origin == Origin(url), location.user == nil, location.password == nil else {
      throw error(
        .redirectRefused, head, detail: "\(target.textWithoutSecrets) is another origin")
    }
    guard hopsLeft > 0 else {
      throw error(.redirectRefused, head, detail: "there are more redirects than allowed")
    }
    return target.withCredentials(of: url)
  }

  func error(
    _ code: WebSocketHandshakeError.Code, _ head: ResponseHead, body: [UInt8] = [],
    detail: String = ""
  ) -> WebSocketHandshakeError {
    var headers: [String: String] = [:]
    for field in head.fields {
      let name = field.name.lowercased()
      headers[name] = headers[name].map { "\($0), \(field.value)" } ?? field.value
    }
    return WebSocketHandshakeError(
      code, url: shownURL, statusCode: head.statusCode, headers: headers, body: Data(body),
      detail: detail)
  }
}

extension ResponseHead {
  /// Returns whether one of the comma-separated elements of a header is a token, in any case.
  fileprivate func hasToken(_ token: String, in name: String) -> Bool {
    values(of: name).flatMap { $0.split(separator: ",") }
      .contains { $0.trimmingCharacters(in: .whitespaces).lowercased() == token }
  }
}
