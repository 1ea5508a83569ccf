import ApolloAPI
import ApolloTransport
import Foundation
import Testing

@testable import ApolloWebSocket

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct HandshakeTests {
  /// The key of RFC 6455, section 1.3.
  private static let key = Array("the sample nonce".utf8)
  private static let accept = "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
  private static let upgrade = "Upgrade: websocket\r\nConnection: Upgrade"

  private static func handshake(
    _ text: String = "ws://example.com/chat?a=b", subprotocols: [String] = ["chat", "superchat"],
    headers: [String: String] = [:], compression: CompressionOffer? = CompressionOffer()
  ) throws -> HandshakeRequest {
    var request = URLRequest(url: try #require(URL(string: text)))
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    return try HandshakeRequest(
      request, subprotocols: subprotocols, compression: compression, userAgent: "agent", key: key)
  }

  private static func parse(
    _ text: String, atEnd: Bool = false, limit: Int = 1_000
  ) throws -> (result: HandshakeParser.Result?, rest: String) {
    var outcome: (result: HandshakeParser.Result?, rest: String)?
    for pieces in splits(of: Array(text.utf8)) {
      var parser = HandshakeParser(bodyLimit: limit)
      var result: HandshakeParser.Result?
      var rest: [UInt8] = []
      for piece in pieces {
        guard result == nil else {
          rest += Array(piece)
          continue
        }
        var copy = Array(piece)
        try copy.withUnsafeMutableBytes { bytes in
          var input = bytes[...]
          result = try parser.receive(&input)
          rest += Array(input)
        }
      }
      if atEnd, result == nil { result = parser.receivedEnd() }
      let found = (result, String(decoding: rest, as: UTF8.self))
      if let outcome { #expect(outcome == found) }
      outcome = found
    }
    return try #require(outcome)
  }

  // MARK: The request

  @Test func writesTheRequest() throws {
    let request = try Self.handshake(headers: [
      "Authorization": "Bearer token", "Connection": "close", "Sec-WebSocket-Key": "mine",
      "User-Agent": "own", "X-Empty": "",
    ])
    #expect(
      String(decoding: request.bytes, as: UTF8.self) == """
        GET /chat?a=b HTTP/1.1\r
        Host: example.com\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Protocol: chat, superchat\r
        Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r
        Authorization: Bearer token\r
        User-Agent: own\r
        X-Empty: \r
        \r

        """)
    #expect(request.expectedAccept == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  @Test(arguments: [
    ("ws://h", "GET / HTTP/1.1", "Host: h"),
    ("wss://h:8443/a%20b", "GET /a%20b HTTP/1.1", "Host: h:8443"),
    ("https://[::1]:9/x?q=%2F#f", "GET /x?q=%2F HTTP/1.1", "Host: [::1]:9"),
    ("WSS://h/é", "GET /%C3%A9 HTTP/1.1", "Host: h"),
  ])
  func derivesTargetAndHost(_ url: String, _ line: String, _ host: String) throws {
    let request = try Self.handshake(url, subprotocols: [], compression: nil)
    let lines = String(decoding: request.bytes, as: UTF8.self).components(separatedBy: "\r\n")
    #expect(lines[0] == line)
    #expect(lines[1] == host)
    #expect(!lines.contains { $0.hasPrefix("Sec-WebSocket-Protocol") })
    #expect(!lines.contains { $0.hasPrefix("Sec-WebSocket-Extensions") })
    #expect(lines.contains("User-Agent: agent"))
  }

  @Test func sendsTheCredentialsOfTheURL() throws {
    let request = try Self.handshake("ws://user:p%40ss@h/")
    let text = String(decoding: request.bytes, as: UTF8.self)
    #expect(
      text.contains("Authorization: Basic \(Data("user:p@ss".utf8).base64EncodedString())\r\n"))
    #expect(text.contains("Host: h\r\n"))
  }

  @Test(arguments: ["ftp://h/", "ws:///path", "/path"])
  func refusesOtherURLs(_ url: String) {
    let error = #expect(throws: GraphQLHTTPRequestError.self) { try Self.handshake(url) }
    #expect(error?.code == .unsupportedURL)
  }

  @Test func refusesHeadersThatWouldInject() {
    #expect(throws: GraphQLHTTPRequestError.self) {
      try Self.handshake(subprotocols: ["chat\r\nX-Evil: 1"])
    }
  }

  @Test func offersTheSubprotocolsOfTheRequestsHeader() throws {
    let request = try Self.handshake(
      subprotocols: [], headers: ["Sec-WebSocket-Protocol": "a, b"])
    #expect(request.subprotocols == ["a", "b"])
    #expect(
      String(decoding: request.bytes, as: UTF8.self).contains("Sec-WebSocket-Protocol: a, b\r\n"))
  }

  /// The system adds the handshake's own headers, and takes neither a method nor a body.
  @Test func makesTheRequestForASession() throws {
    var request = URLRequest(url: try #require(URL(string: "https://user:p%40ss@h:8443/a?b=c#d")))
    request.httpMethod = "POST"
    request.httpBody = Data("body".utf8)
    let fields = [
      "Connection": "close", "Content-Length": "4", "Sec-WebSocket-Key": "mine", "X-Own": "x",
      "Sec-WebSocket-Extensions": "other",
    ]
    for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
    let session = try HandshakeRequest(
      request, subprotocols: ["a", "b"], compression: nil, userAgent: "", key: []
    ).sessionRequest
    #expect(session.url?.absoluteString == "wss://h:8443/a?b=c")
    #expect(session.httpMethod == "GET")
    #expect(session.httpBody == nil)
    #expect(
      session.allHTTPHeaderFields == [
        "Authorization": "Basic \(Data("user:p@ss".utf8).base64EncodedString())",
        "Sec-Websocket-Protocol": "a, b", "X-Own": "x",
      ])
    #expect(
      try Self.handshake("ws://u:p@h/", subprotocols: [], headers: ["Authorization": "own"])
        .sessionRequest.allHTTPHeaderFields == ["Authorization": "own"])
  }

  // MARK: The response

  @Test func leavesTheFirstFrameInTheInput() throws {
    let (result, rest) = try Self.parse(
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 101 Switching Protocols\r\nA: b\r\n\r\n\u{1}frame")
    guard case .switched(let head) = result else {
      Issue.record("\(String(describing: result))")
      return
    }
    #expect(head.values(of: "a") == ["b"])
    #expect(rest == "\u{1}frame")
  }

  @Test(arguments: [
    ("HTTP/1.1 401 No\r\nContent-Length: 5\r\n\r\nhello more", "hello", " more"),
    (
      "HTTP/1.1 401 No\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nhel\r\n2 \r\nlo\r\n0\r\n",
      "hello", ""
    ),
    ("HTTP/1.1 401 No\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\nzz", "hel", "z"),
    ("HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n", "", ""),
    ("HTTP/1.1 204 No\r\n\r\n", "", ""),
  ])
  func readsTheBodyOfARefusal(_ text: String, _ body: String, _ rest: String) throws {
    let outcome = try Self.parse(text)
    guard case .refused(let head, let found) = outcome.result else {
      Issue.record("\(outcome)")
      return
    }
    #expect(head.statusCode == (text.contains("204") ? 204 : 401))
    #expect(String(decoding: found, as: UTF8.self) == body)
    #expect(outcome.rest == rest)
  }

  @Test func endsABodyWithTheConnectionOrAtTheLimit() throws {
    let text = "HTTP/1.1 502 Bad\r\n\r\n" + String(repeating: "x", count: 50)
    #expect(try Self.parse(text).result == nil)
    for (limit, count) in [(1_000, 50), (10, 10)] {
      guard case .refused(_, let body) = try Self.parse(text, atEnd: true, limit: limit).result
      else {
        Issue.record("there is no result")
        return
      }
      #expect(body.count == count)
    }
    #expect(try Self.parse("HTTP/1.1 101 Sw", atEnd: true).result == nil)
  }

  // MARK: The decision

  private struct Decision: Sendable {
    var headers: String
    var code: WebSocketHandshakeError.Code?
    var subprotocol: String?
    var isCompressed = false
  }

  private static let decisions: [Decision] = [
    Decision(headers: "\(upgrade)\r\n\(accept)"),
    Decision(headers: "upgrade: WebSocket\r\nconnection: keep-alive, UPGRADE\r\n\(accept)"),
    Decision(
      headers: "\(upgrade)\r\n\(accept)\r\nSec-WebSocket-Protocol: superchat",
      subprotocol: "superchat"),
    Decision(
      headers: "\(upgrade)\r\n\(accept)\r\nSec-WebSocket-Extensions: permessage-deflate",
      isCompressed: true),
    Decision(headers: "Connection: Upgrade\r\n\(accept)", code: .notAccepted),
    Decision(headers: "Upgrade: websocket\r\n\(accept)", code: .notAccepted),
    Decision(headers: "Upgrade: h2c\r\nConnection: Upgrade\r\n\(accept)", code: .notAccepted),
    Decision(headers: upgrade, code: .notAccepted),
    Decision(
      headers: "\(upgrade)\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo", code: .notAccepted
    ),
    Decision(headers: "\(upgrade)\r\n\(accept)\r\n\(accept)", code: .notAccepted),
    Decision(
      headers: "\(upgrade)\r\n\(accept)\r\nSec-WebSocket-Protocol: other",
      code: .unexpectedSubprotocol),
    Decision(
      headers: "\(upgrade)\r\n\(accept)\r\nSec-WebSocket-Protocol: chat, superchat",
      code: .unexpectedSubprotocol),
    Decision(
      headers: "\(upgrade)\r\n\(accept)\r\nSec-WebSocket-Extensions: foo",
      code: .unexpectedExtension),
    Decision(
      headers:
        "\(upgrade)\r\n\(accept)\r\nSec-WebSocket-Extensions: permessage-deflate, permessage-deflate",
      code: .unexpectedExtension),
    Decision(
      headers:
        "\(upgrade)\r\n\(accept)\r\nSec-WebSocket-Extensions: permessage-deflate; client_max_window_bits=99",
      code: .unexpectedExtension),
    Decision(
      headers: "\(upgrade)\r\n\(accept)\r\nSec-WebSocket-Extensions: ;", code: .unexpectedExtension),
  ]

  @Test func decidesAboutEveryResponse() throws {
    for decision in Self.decisions {
      let (result, _) = try Self.parse("HTTP/1.1 101 S\r\n\(decision.headers)\r\n\r\n")
      guard case .switched(let head) = result else {
        Issue.record("\(decision)")
        continue
      }
      do {
        let agreement = try Self.handshake().agreement(with: head)
        #expect(decision.code == nil, "\(decision)")
        #expect(agreement.subprotocol == decision.subprotocol)
        #expect((agreement.compression != nil) == decision.isCompressed)
      } catch let error as WebSocketHandshakeError {
        #expect(error.code == decision.code, "\(decision)")
        #expect(error.statusCode == 101)
      }
    }
  }

  @Test(arguments: [
    ("/other", "http://example.com/other"), ("ws://example.com/x", "http://example.com/x"),
    ("http://example.com:80/x", "http://example.com:80/x"),
    ("//example.com/y", "http://example.com/y"),
    ("http://elsewhere.com/", nil), ("wss://example.com/", nil), ("http://example.com:81/", nil),
    ("http://user@example.com/", nil), ("ftp://example.com/", nil), ("", nil),
  ])
  func followsRedirectsToTheSameOrigin(_ location: String, _ expected: String?) throws {
    for status in [301, 302, 303, 307, 308] {
      let head = ResponseHead.redirect(status, location)
      let target = try? Self.handshake().redirect(head, hopsLeft: 1)
      #expect(target?.absoluteString == expected)
      #expect(throws: WebSocketHandshakeError.self) {
        _ = try Self.handshake().redirect(head, hopsLeft: 0)
      }
    }
    #expect(try Self.handshake().redirect(.redirect(304, "/"), hopsLeft: 1) == nil)
  }

  @Test(arguments: ["/other", "http://example.com/other", "ws://example.com/other"])
  func aRedirectKeepsTheCredentialsOfTheURL(_ location: String) throws {
    let handshake = try Self.handshake("ws://user:p%40ss@example.com/chat")
    let target = try handshake.redirect(.redirect(307, location), hopsLeft: 1)
    #expect(target?.absoluteString == "http://user:p%40ss@example.com/other")
  }

  // MARK: Sentences

  @Test func wordsEveryFailure() throws {
    func text(_ code: WebSocketHandshakeError.Code, _ status: Int, _ detail: String = "") throws
      -> String
    {
      let url = try #require(URL(string: "wss://user:secret@h/graphql?token=x"))
      return WebSocketHandshakeError(
        code, url: url, statusCode: status, headers: [:], body: Data(), detail: detail
      ).description
    }
    #expect(
      try text(.refused, 401)
        == "wss://h/graphql refused the WebSocket with status 401. Check the credentials.")
    #expect(
      try text(.notAccepted, 101, "there is no 'Upgrade: websocket'")
        == "wss://h/graphql did not accept the WebSocket handshake: there is no 'Upgrade: websocket'. Check the server and what is in front of it."
    )
    #expect(
      try text(.unexpectedSubprotocol, 101, "other")
        == "wss://h/graphql selected a subprotocol that was not offered: other. Offer one that the server supports."
    )
    #expect(
      try text(.redirectRefused, 302, "http://x is another origin")
        == "wss://h/graphql responded with a redirect that is not followed: http://x is another origin. Use the final URL."
    )
    for status in [200, 400, 403, 404, 426, 429, 500, 503] {
      #expect(
        try text(.refused, status).hasPrefix(
          "wss://h/graphql refused the WebSocket with status \(status). "))
    }
  }

  @Test(arguments: [("5", Duration.seconds(5)), ("-1", nil), ("soon", nil)])
  func readsRetryAfter(_ value: String, _ expected: Duration?) throws {
    let url = try #require(URL(string: "ws://h"))
    let error = WebSocketHandshakeError(
      .refused, url: url, statusCode: 503, headers: ["retry-after": value])
    #expect(error.retryAfter == expected)
  }
}

extension ResponseHead {
  fileprivate static func redirect(_ status: Int, _ location: String) -> ResponseHead {
    var parser = HandshakeParser(bodyLimit: 10)
    var bytes = Array(
      "HTTP/1.1 \(status) R\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n".utf8)
    let result = bytes.withUnsafeMutableBytes { bytes in
      var input = bytes[...]
      return try? parser.receive(&input)
    }
    guard case .refused(let head, _) = result else { preconditionFailure("The head is complete.") }
    return head
  }
}
