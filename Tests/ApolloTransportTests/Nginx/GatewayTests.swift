#if CURL
  import ApolloAPI
  import ApolloTransport
  import Foundation
  import FoundationNetworking
  import LoopbackServer
  import TestOperations
  import TestProcesses
  import Testing

  /// nginx between the client and a server: compression, and the pages of its own.
  @Suite(.needsNginx, .timeLimit(.minutes(10)))
  struct GatewayTests {
    @Test(arguments: [Nginx.Service.plain, .tls])
    func compressedBodiesAreDecompressed(_ service: Nginx.Service) async throws {
      let nginx = try await Nginx.shared()
      let response = try await nginx.client().response(
        to: URLRequest(url: nginx.url(service, "/file")))
      let coding = response.response.value(forHTTPHeaderField: "Content-Encoding")
      #expect(coding == (Nginx.hasBrotli ? "br" : "gzip"))
      #expect(try await response.body() == Data(Nginx.file.utf8))
    }

    @Test(arguments: ["gzip", "br", "identity"])
    func aRequestMayAskForOneCoding(_ coding: String) async throws {
      if coding == "br", !Nginx.hasBrotli { return }
      let nginx = try await Nginx.shared()
      var request = URLRequest(url: nginx.url(.tls, "/file"))
      request.setValue(coding, forHTTPHeaderField: "Accept-Encoding")
      let response = try await nginx.client().response(to: request)
      #expect(
        response.response.value(forHTTPHeaderField: "Content-Encoding")
          == (coding == "identity" ? nil : coding))
      #expect(try await response.body() == Data(Nginx.file.utf8))
    }

    @Test func compressionCanBeTurnedOff() async throws {
      let nginx = try await Nginx.shared()
      let client = try nginx.client { $0.acceptsCompression = false }
      let response = try await client.response(to: URLRequest(url: nginx.url(.tls, "/file")))
      #expect(response.response.value(forHTTPHeaderField: "Content-Encoding") == nil)
      #expect(try await response.body() == Data(Nginx.file.utf8))
    }

    @Test func aServerThatIsDownIsA502Page() async throws {
      let nginx = try await Nginx.shared()
      let port = try ReservedPort()
      let error = try await failure(at: nginx.url(.tls, "/to/\(port.number)/graphql"))
      #expect(error?.statusCode == 502)
      #expect(error?.description.contains("text/html") == true)
      withExtendedLifetime(port) {}
    }

    @Test func aServerThatIsTooSlowIsA504Page() async throws {
      let nginx = try await Nginx.shared()
      let server = try LoopbackServer { _, reply in reply.waitForClientToClose() }
      defer { server.stop() }
      let error = try await failure(at: nginx.url(.tls, "/slow/\(server.port)/graphql"))
      #expect(error?.statusCode == 504)
      #expect(error?.description.contains("text/html") == true)
    }

    private func failure(at url: URL) async throws -> GraphQLHTTPResponseError? {
      let transport = HTTPNetworkTransport(
        url: url, client: try await Nginx.shared().client())
      return await #expect(throws: GraphQLHTTPResponseError.self) {
        try await transport.send(OperationRequest(HeroAPI.HeroQuery()))
      }
    }
  }
#endif
