#if CURL
  import ApolloAPI
  import ApolloTransport
  import Foundation
  import LoopbackServer
  import TestOperations
  import Testing

  /// Requests over HTTP/2 that meet the end of a connection.
  @Suite(.timeLimit(.minutes(10)))
  struct RefusedStreamTests {
    private let mutation = OperationRequest(HeroAPI.RenameMutation(id: "1", name: "x"))

    private func transport(_ server: HTTP2Server) -> HTTPNetworkTransport {
      var configuration = CurlClient.Configuration()
      configuration.version = .http2PriorKnowledge
      configuration.idleTimeout = .seconds(600)
      configuration.connectTimeout = .seconds(600)
      let limits = TransferLimits(deadline: nil)
      return HTTPNetworkTransport(
        url: server.url, client: CurlClient(configuration: configuration, limits: limits))
    }

    private func mutationCount(_ server: HTTP2Server) -> Int {
      server.bodies.count { $0.contains("mutation") }
    }

    @Test func aRefusedMutationIsSentAgain() async throws {
      let server = try HTTP2Server { stream in
        if stream.number == 0 { stream.refuse() } else { stream.respond(#"{"data":{}}"#) }
      }
      defer { server.stop() }
      #expect(try await transport(server).send(mutation).body == Data(#"{"data":{}}"#.utf8))
      #expect(mutationCount(server) == 2)
    }

    /// A stream that may have been processed: the connection ends, or the server gives another
    /// reason.
    enum Loss: CaseIterable, Sendable {
      case close
      /// The stream is the last one that is processed.
      case goAwayAndClose
      case internalError
    }

    @Test(arguments: Loss.allCases)
    func aMutationThatMayHaveBeenProcessedIsNotSentAgain(_ loss: Loss) async throws {
      let server = try HTTP2Server { stream in
        switch loss {
        case .close: stream.close()
        case .goAwayAndClose:
          stream.goAway(last: stream.id)
          stream.close()
        case .internalError: stream.reset(code: 2)
        }
      }
      defer { server.stop() }
      let transport = transport(server)
      let error = await #expect(throws: NetworkError.self) { try await transport.send(mutation) }
      #expect(error?.code == .connectionLost)
      #expect(mutationCount(server) == 1)
    }

    @Test func aServerThatRefusesForEverFailsTheRequest() async throws {
      let server = try HTTP2Server { $0.refuse() }
      defer { server.stop() }
      let error = await #expect(throws: NetworkError.self) {
        try await transport(server).send(mutation)
      }
      #expect(error?.code == .connectionLost)
      #expect(server.bodies.count <= 10)
    }
  }
#endif
