import Foundation
import LoopbackServer
import Testing

import ApolloTransport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(10)))
struct RedirectTests {
  @Test(arguments: [307, 308])
  func keepsMethodBodyAndHeadersWithinTheOrigin(_ status: Int) async throws {
    let server = try LoopbackServer { request, reply in
      if request.path == "/old" {
        reply.respond(status, headers: [("Location", "/new?x=1")])
      } else {
        reply.respond(body: request.body)
      }
    }
    defer { server.stop() }
    let response = try await DefaultHTTPClient.patient().response(to: post(to: server.url("/old")))
    #expect(try await response.body() == Data("secret body".utf8))
    let last = try #require(server.requests.last)
    #expect(last.method == "POST")
    #expect(last.target == "/new?x=1")
    #expect(last.headers["authorization"] == "Bearer secret")
  }

  @Test(arguments: [301, 302, 303])
  func followsOtherRedirectsForGetOnly(_ status: Int) async throws {
    let server = try LoopbackServer { request, reply in
      if request.path == "/old" {
        reply.respond(status, headers: [("Location", "/new")])
      } else {
        reply.respond(body: [UInt8](request.method.utf8))
      }
    }
    defer { server.stop() }
    let client = DefaultHTTPClient.patient()
    let response = try await client.response(to: URLRequest(url: server.url("/old")))
    #expect(try await response.body() == Data("GET".utf8))
    let error = await #expect(throws: NetworkError.self) {
      try await client.response(to: post(to: server.url("/old")))
    }
    #expect(
      error?.description
        == "\(server.url("/old")) responded with a redirect that is not followed: \(status) to \(server.url("/new")), which would turn the POST into a GET. Give the client the final URL."
    )
    #expect(server.requests.map(\.path) == ["/old", "/new", "/old"])
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func sendsNothingToAnotherOrigin(_ status: Int) async throws {
    let other = try LoopbackServer { _, reply in reply.json("{}") }
    defer { other.stop() }
    let target = other.url("/landed?token=secret")
    let server = try LoopbackServer { _, reply in
      reply.respond(status, headers: [("Location", target.absoluteString)])
    }
    defer { server.stop() }
    for method in ["GET", "POST"] {
      var request = post(to: server.url())
      request.httpMethod = method
      if method == "GET" { request.httpBody = nil }
      let error = await #expect(throws: NetworkError.self) {
        try await DefaultHTTPClient.patient().response(to: request)
      }
      #expect(error?.code == .redirectRefused)
      #expect(
        error?.description
          == "\(server.url()) responded with a redirect that is not followed: \(status) to \(other.url("/landed")), which is another origin. Give the client the final URL."
      )
    }
    #expect(other.observation.acceptedCount == 0)
  }

  @Test(arguments: [
    "file:///etc/passwd", "javascript:alert(1)", "//evil.invalid/x", "http://", "ftp://host/x",
    "http://user:password@127.0.0.1/x", "data:text/plain,x", "",
  ])
  func refusesHostileLocations(_ location: String) async throws {
    let server = try LoopbackServer { _, reply in
      reply.respond(302, headers: [("Location", location)])
    }
    defer { server.stop() }
    let error = await #expect(throws: NetworkError.self) {
      try await DefaultHTTPClient.patient().response(to: URLRequest(url: server.url()))
    }
    #expect(error?.code == .redirectRefused)
    #expect(error?.description.contains("password") == false || location.hasPrefix("file"))
    #expect(server.requests.count == 1)
  }

  #if CURL
    @Test(arguments: [false, true])
    func keepsTheUserAndThePasswordOfTheURLWithinTheOrigin(isRelative: Bool) async throws {
      let server = try LoopbackServer { request, reply in
        guard request.path == "/old" else { return reply.json("{}") }
        let origin = "http://\(request.headers["host"] ?? "")"
        reply.respond(308, headers: [("Location", (isRelative ? "" : origin) + "/new")])
      }
      defer { server.stop() }
      let url = try #require(URL(string: "http://user:pa%20ss@127.0.0.1:\(server.port)/old"))
      _ = try await DefaultHTTPClient.patient().response(to: post(to: url, token: nil)).body()
      #expect(server.requests.map(\.path) == ["/old", "/new"])
      let credentials = "Basic \(Data("user:pa ss".utf8).base64EncodedString())"
      #expect(server.requests.allSatisfy { $0.headers["authorization"] == credentials })
    }
  #endif

  @Test(arguments: [301, 302, 303, 307, 308])
  func reportsARedirectToNowhere(_ status: Int) async throws {
    let server = try LoopbackServer { _, reply in reply.respond(status) }
    defer { server.stop() }
    let error = await #expect(throws: NetworkError.self) {
      try await DefaultHTTPClient.patient().response(to: URLRequest(url: server.url()))
    }
    #expect(
      error?.description
        == "\(server.url()) responded with a redirect that is not followed: \(status) without a location. Give the client the final URL."
    )
  }

  /// RFC 9110, section 15.4.7: the status is unused.
  @Test func takesStatus306ForNoRedirect() async throws {
    let server = try LoopbackServer { _, reply in reply.respond(306) }
    defer { server.stop() }
    let client = DefaultHTTPClient.patient()
    let response = try await client.response(to: URLRequest(url: server.url()))
    #expect(response.response.statusCode == 306)
  }

  @Test func endsALoop() async throws {
    let server = try LoopbackServer { _, reply in
      reply.respond(307, headers: [("Location", "/loop")])
    }
    defer { server.stop() }
    let client = DefaultHTTPClient.patient(limits: TransferLimits(maximumRedirectCount: 3))
    let error = await #expect(throws: NetworkError.self) {
      try await client.response(to: URLRequest(url: server.url("/loop")))
    }
    #expect(
      error?.description
        == "\(server.url("/loop")) responded with a redirect that is not followed: 307 once more than the allowed number of times. Give the client the final URL."
    )
    #expect(server.requests.count == 4)
  }

  private func post(to url: URL, token: String? = "Bearer secret") -> URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = Data("secret body".utf8)
    request.setValue(token, forHTTPHeaderField: "Authorization")
    return request
  }
}
