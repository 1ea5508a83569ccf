#if CURL
  import ApolloAPI
  import ApolloTransport
  import CurlShim
  import Foundation
  import FoundationNetworking
  import LoopbackServer
  import Testing

  /// The way from a URL to a connection: names, addresses, and hosts that do not respond.
  @Suite(.timeLimit(.minutes(10)))
  struct ConnectingTests {
    @Test func connectsToAnIPv6Literal() async throws {
      let server = try LoopbackServer(isIPv6: true) { request, reply in
        reply.respond(body: Array((request.headers["host"] ?? "").utf8))
      }
      defer { server.stop() }
      let url = server.url()
      #expect(url.absoluteString.hasPrefix("http://[::1]:"))
      let body = try await CurlClient.patient().response(to: URLRequest(url: url)).body()
      #expect(String(decoding: body, as: UTF8.self) == "[::1]:\(server.port)")
    }

    @Test func tellsTheVersionOfTheLibrary() async throws {
      let server = try LoopbackServer { _, reply in reply.json("{}") }
      defer { server.stop() }
      _ = try await CurlClient.patient().response(to: URLRequest(url: server.url())).body()
      #expect(server.requests.first?.headers["user-agent"] == "apollo-swift/\(LibraryVersion.text)")
      // The bodies of requests name the same version.
      #expect("\(ClientAwareness.library)".contains("\"version\":\"\(LibraryVersion.text)\""))
    }

    @Test(arguments: ["HTTP://127.0.0.1", "Http://LOCALHOST"])
    func schemeAndHostMayBeSpelledInManyWays(_ prefix: String) async throws {
      let server = try LoopbackServer { _, reply in reply.json("{}") }
      defer { server.stop() }
      let url = try #require(URL(string: "\(prefix):\(server.port)/graphql"))
      let response = try await CurlClient.patient().response(to: URLRequest(url: url))
      #expect(try await response.body() == Data("{}".utf8))
    }

    /// `localhost` is `::1` and `127.0.0.1`.
    @Test(arguments: [false, true])
    func triesTheOtherAddressOfAHost(_ isIPv6: Bool) async throws {
      let server = try LoopbackServer(isIPv6: isIPv6) { _, reply in reply.json("{}") }
      defer { server.stop() }
      let url = try #require(URL(string: "http://localhost:\(server.port)/"))
      _ = try await CurlClient.patient().response(to: URLRequest(url: url)).body()
      #expect(server.requests.count == 1)
    }

    /// "Happy eyeballs" (RFC 8305): a host whose first address is silent is reached by the second.
    @Test(arguments: [false, true])
    func doesNotWaitForASilentAddress(_ isIPv6: Bool) async throws {
      let (server, silent) = try serverWithSilentAddress(isIPv6: isIPv6)
      defer { server.stop() }
      let url = try #require(URL(string: "http://localhost:\(server.port)/"))
      _ = try await CurlClient.patient().response(to: URLRequest(url: url)).body()
      #expect(server.requests.count == 1)
      withExtendedLifetime(silent) {}
    }

    /// Starts a server whose port is silent on the other kind of address.
    private func serverWithSilentAddress(isIPv6: Bool) throws -> (LoopbackServer, SilentPort) {
      while true {
        let server = try LoopbackServer(isIPv6: isIPv6) { _, reply in reply.json("{}") }
        // Another process may have the port on the other address.
        if let silent = try? SilentPort(server.port, isIPv6: !isIPv6) { return (server, silent) }
        server.stop()
      }
    }

    @Test(arguments: ["http", "https"])
    func connectingHasATimeout(_ scheme: String) async throws {
      let port = try SilentPort()
      var configuration = CurlClient.Configuration()
      configuration.connectTimeout = .milliseconds(100)
      let client = CurlClient(configuration: configuration)
      let url = try #require(URL(string: "\(scheme)://127.0.0.1:\(port.number)/graphql"))
      let error = await #expect(throws: NetworkError.self) {
        try await client.response(to: URLRequest(url: url))
      }
      #expect(error?.code == .cannotConnect)
      #expect(
        error?.description
          == "No connection to \(url) could be made: it took too long. Check that the server runs and that the URL's host and port are right."
      )
      withExtendedLifetime(port) {}
    }

    @Test func connectingIsOverWhenTheRequestIsCancelled() async throws {
      let port = try SilentPort()
      let url = try #require(URL(string: "http://127.0.0.1:\(port.number)/graphql"))
      let client = CurlClient.patient()
      let task = Task { try await client.response(to: URLRequest(url: url)) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      withExtendedLifetime(port) {}
    }

    /// Otherwise a slow name server would stop every request of the process.
    @Test func namesAreResolvedOnAnotherThread() {
      #expect(curlshim_resolves_asynchronously())
    }

    @Test(arguments: [
      "host.invalid", "host.invalid.", "xn--zz.invalid", "ä.invalid", "a..b.invalid",
    ])
    func aNameWithoutAddressIsNamed(_ host: String) async throws {
      guard let url = URL(string: "http://\(host)/graphql") else { return }
      let error = await #expect(throws: NetworkError.self) {
        try await CurlClient.patient().response(to: URLRequest(url: url))
      }
      #expect(error?.code == .hostNotFound || error?.code == .cannotConnect)
    }

    @Test(arguments: [
      "ftp://127.0.0.1/", "file:///etc/passwd", "http:///path", "mailto:a@b.c", "/relative",
      "ws://127.0.0.1/",
    ])
    func anotherSchemeIsRefused(_ text: String) async throws {
      let url = try #require(URL(string: text))
      let error = await #expect(throws: NetworkError.self) {
        try await CurlClient.patient().response(to: URLRequest(url: url))
      }
      #expect(error?.code == .cannotConnect)
    }

    @Test func userAndPasswordOfAURLAreCredentials() async throws {
      let server = try LoopbackServer { request, reply in
        reply.respond(body: Array((request.headers["authorization"] ?? "").utf8))
      }
      defer { server.stop() }
      let url = try #require(URL(string: "http://user:pa%20ss@127.0.0.1:\(server.port)/"))
      let body = try await CurlClient.patient().response(to: URLRequest(url: url)).body()
      #expect(
        String(decoding: body, as: UTF8.self)
          == "Basic \(Data("user:pa ss".utf8).base64EncodedString())")
    }

    @Test func theFragmentStaysHere() async throws {
      let server = try LoopbackServer { request, reply in
        reply.respond(body: Array(request.target.utf8))
      }
      defer { server.stop() }
      let url = server.url("/graphql?a=%2Fb#secret")
      let body = try await CurlClient.patient().response(to: URLRequest(url: url)).body()
      #expect(String(decoding: body, as: UTF8.self) == "/graphql?a=%2Fb")
    }
  }
#endif
