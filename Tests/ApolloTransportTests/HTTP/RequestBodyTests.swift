import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if CURL
  /// Bodies of requests: their length, and servers that do not want to read them.
  @Suite(.timeLimit(.minutes(10)))
  struct RequestBodyTests {
    private func request(_ url: URL, _ body: Data, isStream: Bool) -> URLRequest {
      var request = URLRequest(url: url)
      request.httpMethod = "POST"
      if isStream {
        request.httpBodyStream = InputStream(data: body)
      } else {
        request.httpBody = body
      }
      return request
    }

    /// Bodies of 64 KiB are sent with the head, and larger ones after it.
    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 300_000], [false, true])
    func itsLengthIsExact(_ count: Int, _ isStream: Bool) async throws {
      let server = try LoopbackServer { _, reply in reply.json("{}") }
      defer { server.stop() }
      let body = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) })
      let client = CurlClient.patient()
      for _ in 0..<2 {
        _ = try await client.response(to: request(server.url(), body, isStream: isStream)).body()
      }
      for request in server.requests {
        #expect(request.headers["content-length"] == "\(count)")
        #expect(request.headers["transfer-encoding"] == nil)
        #expect(request.headers["expect"] == nil)
        #expect(request.body == [UInt8](body))
      }
      #expect(server.requests.count == 2)
    }

    @Test func anUnreadableStreamSendsNothing() async throws {
      let server = try LoopbackServer { _, reply in reply.json("{}") }
      defer { server.stop() }
      let request = {
        var request = URLRequest(url: server.url())
        request.httpMethod = "POST"
        // A folder has no bytes.
        request.httpBodyStream = InputStream(
          fileAtPath: FileManager.default.temporaryDirectory.path)
        return request
      }()
      let error = await #expect(throws: GraphQLHTTPRequestError.self) {
        try await CurlClient.patient().response(to: request)
      }
      #expect(error?.code == .unreadableFile)
      #expect(server.requests.isEmpty)
    }

    /// The behavior of a server after it has rejected a body that it has not read.
    enum Rejection: CaseIterable {
      case readsTheRest, readsNothing
    }

    @Test(arguments: Rejection.allCases)
    func aRejectionBeforeTheBodyHasBeenSentIsTheResponse(_ rejection: Rejection) async throws {
      let isOver = Signal()
      let server = try LoopbackServer(readsBodies: false) { _, reply in
        reply.json("{}", status: 413, headers: [("Connection", "close")])
        if rejection == .readsNothing { isOver.block() }
        reply.waitForClientToClose()
      }
      defer { server.stop() }
      let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
      let name = String(repeating: "x", count: 1 << 20)
      let error = await #expect(throws: GraphQLHTTPResponseError.self) {
        try await transport.send(OperationRequest(HeroAPI.RenameMutation(id: "1", name: name)))
      }
      isOver.fire()
      #expect(error?.statusCode == 413)
      #expect(server.requests.count == 1)
    }

    @Test func aResetWhileTheBodyIsSentIsALostConnection() async throws {
      let server = try LoopbackServer(readsBodies: false) { _, reply in reply.reset() }
      defer { server.stop() }
      let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
      let name = String(repeating: "x", count: 1 << 20)
      let error = await #expect(throws: NetworkError.self) {
        try await transport.send(OperationRequest(HeroAPI.RenameMutation(id: "1", name: name)))
      }
      #expect(error?.code == .connectionLost)
      #expect(server.requests.count == 1)
    }
  }
#endif
