#if CURL
  import ApolloAPI
  import ApolloTransport
  import CurlShim
  import Foundation
  import FoundationNetworking
  import LoopbackServer
  import TestProcesses
  import Testing

  /// A kept connection carries nothing from one response to the next.
  @Suite(.timeLimit(.minutes(10)))
  struct ConnectionReuseTests {
    @Test func connectionsAreKept() async throws {
      let server = try LoopbackServer { request, reply in reply.respond(body: request.body) }
      defer { server.stop() }
      let client = CurlClient.patient()
      for _ in 0..<20 {
        _ = try await client.response(to: URLRequest(url: server.url())).body()
      }
      #expect(server.observation.acceptedCount == 1)
    }

    enum Rest: String, CaseIterable {
      case response = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison"
      case head = "HTTP/1.1 500 Error\r\nX: "
      case lineBreak = "\r\n"
      case zero = "\0"
      case end = ""
    }

    /// Bytes that arrive behind a response belong to no request.
    @Test(arguments: Rest.allCases)
    func unsolicitedBytesReachNoRequest(_ rest: Rest) async throws {
      let (hasBody, isPoisoned) = (Signal(), Signal())
      let server = try LoopbackServer { request, reply in
        reply.respond(body: request.body)
        guard request.path == "/first" else { return }
        hasBody.block()
        reply.send(rest.rawValue)
        if rest == .end { reply.close() }
        reply.waitUntilReceived()
        isPoisoned.fire()
      }
      defer { server.stop() }
      let client = CurlClient.patient()
      func send(_ path: String) async throws -> String {
        var request = URLRequest(url: server.url(path))
        request.httpMethod = "POST"
        request.httpBody = Data(path.utf8)
        return String(decoding: try await client.response(to: request).body(), as: UTF8.self)
      }
      #expect(try await send("/first") == "/first")
      hasBody.fire()
      await isPoisoned.wait()
      if rest == .end { await server.wait { $0.openConnectionCount == 0 } }
      for path in ["/second", "/third", "/fourth"] { #expect(try await send(path) == path) }
      #expect(server.requests.map(\.path) == ["/first", "/second", "/third", "/fourth"])
      #expect(server.observation.acceptedCount == 2)
    }

    /// libcurl 7.83 to 8.1 reads memory that it has freed when the first header of a transfer
    /// begins with a blank, and the handle had a transfer before.
    @Test func aFoldedFirstHeaderMeetsNoHeaderOfTheResponseBefore() async throws {
      let server = try LoopbackServer { request, reply in
        if request.path == "/folded" {
          reply.send("HTTP/1.1 200 OK\r\n X: 1\r\nContent-Length: 0\r\n\r\n")
          reply.close()
        } else {
          reply.respond(headers: (0..<10).map { ("X-\($0)", "value") })
        }
      }
      defer { server.stop() }
      let client = CurlClient.patient()
      for _ in 0..<20 {
        _ = try await client.response(to: URLRequest(url: server.url())).body()
        let error = await #expect(throws: NetworkError.self) {
          try await client.response(to: URLRequest(url: server.url("/folded")))
        }
        #expect(error?.code == .malformedResponse)
      }
    }

    @Test(
      arguments: [
        (0x07_4C_00, true), (0x07_53_00, false), (0x07_58_01, false), (0x08_00_01, false),
        (0x08_05_00, true),
      ] as [(UInt32, Bool)])
    func handlesAreReusedWhereThatIsSafe(_ version: UInt32, _ isSafe: Bool) {
      #expect(curlshim_can_reuse_handles(version) == isSafe)
    }

    /// Bytes in the same piece end the connection too.
    @Test(arguments: Rest.allCases)
    func bytesBehindTheLengthEndTheConnection(_ rest: Rest) async throws {
      let server = try LoopbackServer { request, reply in
        reply.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}" + rest.rawValue)
      }
      defer { server.stop() }
      let client = CurlClient.patient()
      for _ in 0..<4 {
        let response = try await client.response(to: URLRequest(url: server.url()))
        #expect(try await response.body() == Data("{}".utf8))
      }
      #expect(server.observation.acceptedCount == (rest == .end ? 1 : 4))
    }
  }
#endif
