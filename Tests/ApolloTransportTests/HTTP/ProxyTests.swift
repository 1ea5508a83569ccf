#if CURL
  import ApolloAPI
  import ApolloTransport
  import Foundation
  import FoundationNetworking
  import LoopbackServer
  import TestProcesses
  import Testing

  /// Proxies: scripted ones, and nginx behind them.
  @Suite(.timeLimit(.minutes(10)))
  struct ProxyTests {
    /// A proxy that connects to any port of the loopback interface, whatever the host's name is.
    private static func tunnelingProxy() throws -> LoopbackServer {
      try LoopbackServer { request, reply in
        guard request.method == "CONNECT",
          let port = request.target.split(separator: ":").last.flatMap({ UInt16($0) })
        else { return reply.respond(405) }
        reply.tunnel(to: port)
      }
    }

    private func proxy(_ server: LoopbackServer, user: String = "") throws -> CurlClient.Proxy {
      .url(try #require(URL(string: "http://\(user)127.0.0.1:\(server.port)")))
    }

    private func secretRequest(_ url: URL) -> URLRequest {
      var request = URLRequest(url: url)
      request.httpMethod = "POST"
      request.httpBody = Data("secret body".utf8)
      request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
      request.setValue("secret", forHTTPHeaderField: "X-Token")
      request.setValue("secret=1", forHTTPHeaderField: "Cookie")
      return request
    }

    /// An explicit proxy is used for the loopback interface too.
    @Test(.needsNginx) func theHeadersForTheOriginAreNotInTheCONNECT() async throws {
      let nginx = try await Nginx.shared()
      let proxyServer = try Self.tunnelingProxy()
      defer { proxyServer.stop() }
      let origin = try LoopbackServer { request, reply in
        reply.respond(body: Array((request.headers["authorization"] ?? "").utf8))
      }
      defer { origin.stop() }
      let proxy = try proxy(proxyServer, user: "me:word@")
      let client = try nginx.client { $0.proxy = proxy }
      let response = try await client.response(
        to: secretRequest(nginx.url(.tls, "/to/\(origin.port)/")))
      #expect(try await response.body() == Data("Bearer secret".utf8))
      let connect = try #require(proxyServer.requests.first)
      #expect(connect.method == "CONNECT")
      #expect(connect.target == "localhost:\(nginx.port(of: .tls))")
      #expect(
        Set(connect.headers.keys).isSubset(
          of: ["host", "proxy-authorization", "user-agent", "proxy-connection"]))
      let credentials = "Basic \(Data("me:word".utf8).base64EncodedString())"
      #expect(connect.headers["proxy-authorization"] == credentials)
      // And the other way around.
      #expect(origin.requests.first?.headers["proxy-authorization"] == nil)
      client.invalidate()
    }

    @Test func withoutTLSTheProxyGetsTheWholeURL() async throws {
      let proxyServer = try LoopbackServer { request, reply in
        reply.respond(body: Array(request.target.utf8))
      }
      defer { proxyServer.stop() }
      var configuration = CurlClient.Configuration()
      configuration.proxy = try proxy(proxyServer)
      let url = try #require(URL(string: "http://origin.invalid/graphql?a=1"))
      let body = try await CurlClient(configuration: configuration).response(
        to: URLRequest(url: url)
      ).body()
      #expect(String(decoding: body, as: UTF8.self) == url.absoluteString)
    }

    @Test(arguments: [
      (407, "it responded with status 407"), (403, "it responded with status 403"),
      (502, "it responded with status 502"),
    ])
    func aRefusalIsNamed(_ status: Int, _ clause: String) async throws {
      let proxyServer = try LoopbackServer { _, reply in
        reply.respond(status, headers: [("Proxy-Authenticate", "Basic realm=\"x\"")])
      }
      defer { proxyServer.stop() }
      var configuration = CurlClient.Configuration()
      configuration.proxy = try proxy(proxyServer)
      let url = try #require(URL(string: "https://origin.invalid/graphql"))
      let client = CurlClient(configuration: configuration)
      let error = await #expect(throws: NetworkError.self) {
        try await client.response(to: secretRequest(url))
      }
      #expect(error?.code == .proxyFailed)
      #expect(
        error?.description
          == "The proxy for \(url) made no connection: \(clause). Check the proxy's address and credentials, and the variables 'https_proxy', 'http_proxy' and 'no_proxy'."
      )
      #expect(proxyServer.requests.allSatisfy { $0.method == "CONNECT" })
    }

    enum Fault: CaseIterable { case closes, isNoProxy, cutsTheHead }

    @Test(arguments: Fault.allCases)
    func aProxyThatBreaksIsNamed(_ fault: Fault) async throws {
      let proxyServer = try LoopbackServer { _, reply in
        switch fault {
        case .closes: break
        case .isNoProxy: reply.send("SSH-2.0-OpenSSH_9.2\r\n")
        case .cutsTheHead: reply.send("HTTP/1.1 200 OK\r\nX-")
        }
        reply.close()
      }
      defer { proxyServer.stop() }
      var configuration = CurlClient.Configuration()
      configuration.proxy = try proxy(proxyServer)
      let client = CurlClient(configuration: configuration)
      let url = try #require(URL(string: "https://origin.invalid/graphql"))
      let error = await #expect(throws: NetworkError.self) {
        try await client.response(to: secretRequest(url))
      }
      #expect(error?.code == .proxyFailed)
    }

    @Test(arguments: ["http", "https"])
    func aProxyThatIsNotThereIsNamed(_ scheme: String) async throws {
      let port = try ClosedPort()
      var configuration = CurlClient.Configuration()
      configuration.proxy = .url(port.url)
      let client = CurlClient(configuration: configuration)
      let url = try #require(URL(string: "\(scheme)://origin.invalid/graphql"))
      let error = await #expect(throws: NetworkError.self) {
        try await client.response(to: URLRequest(url: url))
      }
      #expect(error?.code == .proxyFailed)
      withExtendedLifetime(port) {}
    }

    @Test func aProxyWhoseHostIsUnknownIsNamed() async throws {
      var configuration = CurlClient.Configuration()
      configuration.proxy = .url(try #require(URL(string: "http://proxy.invalid:8080")))
      let client = CurlClient(configuration: configuration)
      let url = try #require(URL(string: "http://origin.invalid/graphql"))
      let error = await #expect(throws: NetworkError.self) {
        try await client.response(to: URLRequest(url: url))
      }
      #expect(error?.code == .proxyFailed)
    }

    // MARK: The environment

    #if compiler(>=6.2)
      /// In a process of its own: the variables belong to the whole process.
      @Test func aClientReadsTheEnvironment() async {
        await #expect(processExitsWith: .success) {
          let proxy = try LoopbackServer { request, reply in
            reply.respond(body: Array(request.target.utf8))
          }
          let origin = try LoopbackServer { _, reply in reply.respond(body: Array("direct".utf8)) }
          setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
          let client = CurlClient()
          for (text, expected) in [
            ("http://origin.invalid/graphql", "http://origin.invalid/graphql"),
            ("http://localhost:\(origin.port)/graphql", "direct"),
            ("http://127.0.0.1:\(origin.port)/graphql", "direct"),
          ] {
            let url = try #require(URL(string: text))
            let body = try await client.response(to: URLRequest(url: url)).body()
            #expect(String(decoding: body, as: UTF8.self) == expected)
          }
        }
      }
    #endif

    @Test func noProxyMeansNone() async throws {
      let server = try LoopbackServer { _, reply in reply.json("{}") }
      defer { server.stop() }
      var configuration = CurlClient.Configuration()
      configuration.proxy = .none
      _ = try await CurlClient(configuration: configuration).response(
        to: URLRequest(url: server.url())
      ).body()
      #expect(server.requests.first?.target == "/graphql")
    }
  }
#endif
