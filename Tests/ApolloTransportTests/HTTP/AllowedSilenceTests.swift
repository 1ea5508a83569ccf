import ApolloAPI
import Foundation
import LoopbackServer
import TestOperations
import Testing

@testable import ApolloTransport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The time for which the connection of a request may be silent.
@Suite(.timeLimit(.minutes(10)))
struct AllowedSilenceTests {
  @Test(arguments: [
    (Duration?.none, 3_600.0, 3_600.0), (.seconds(90), 3_600, 3_600), (.seconds(90), 1, 90),
    (.seconds(6), 1, 6), (.seconds(60), 1, 60),
  ])
  func aCallExtendsTheSilenceAndNeverShortensIt(
    _ timeout: Duration?, client: Double, expected: Double
  ) throws {
    let factory = HTTPRequestFactory(endpoint: try #require(URL(string: "http://localhost/")))
    var operation = OperationRequest(HeroAPI.HeroChangedSubscription())
    operation.timeout = timeout
    let request = try factory.urlRequest(for: operation)
    TransferLimits.$allowedSilence.withValue(timeout) {
      #expect(TransferLimits.silence(of: request, for: client) == expected)
    }
  }

  @Test func aRequestMayHaveASilenceOfItsOwn() throws {
    var request = URLRequest(url: try #require(URL(string: "http://localhost/")))
    request.timeoutInterval = 5
    TransferLimits.$allowedSilence.withValue(.seconds(90)) {
      #expect(TransferLimits.silence(of: request, for: 3_600) == 5)
    }
  }

  /// A wrapper of the program knows nothing of it.
  @Test func aCallExtendsTheSilenceBehindAWrapper() async throws {
    final class Wrapper: HTTPClient {
      let silences = Lock<[Duration?]>([])
      let base = DefaultHTTPClient.patient()
      var limits: TransferLimits { base.limits }

      func response(to request: URLRequest) async throws -> HTTPResponse {
        silences.withLock { $0.append(TransferLimits.allowedSilence) }
        return try await base.response(to: request)
      }

      func invalidate() { base.invalidate() }
    }
    let server = try LoopbackServer { request, reply in
      let isArray = request.bodyText.first == "["
      reply.json(isArray ? #"[{"data":null}]"# : #"{"data":null}"#)
    }
    defer { server.stop() }
    var configuration = BatchingHTTPClient.Configuration()
    configuration.alwaysSendsArrays = true
    configuration.maximumQueryCount = 1
    let wrapper = Wrapper()
    let clients: [any HTTPClient] = [
      wrapper, BatchingHTTPClient(wrapper, configuration: configuration),
    ]
    for client in clients {
      let transport = HTTPNetworkTransport(url: server.url(), client: client)
      var request = OperationRequest(HeroAPI.HeroQuery())
      request.timeout = .seconds(90)
      _ = try await transport.send(request)
    }
    #expect(wrapper.silences.get() == [.seconds(90), .seconds(90)])
  }
}
