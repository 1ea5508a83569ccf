import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(10)))
struct GraphQLErrorDelegateTests {
  private let request = OperationRequest(HeroAPI.HeroQuery())

  /// Retries as often as it is told to, and takes every decision twice.
  private final class Retrying: HTTPNetworkTransportGraphQLErrorDelegate {
    private let state: Lock<(retryCount: Int, messages: [String])>

    init(retryCount: Int) { state = Lock((retryCount, [])) }

    var messages: [String] { state.withLock { $0.messages } }

    func networkTransport(
      _ networkTransport: HTTPNetworkTransport, receivedGraphQLErrors errors: [GraphQLError],
      retryHandler: @escaping @Sendable (Bool) -> Void
    ) {
      let shouldRetry = state.withLock { state in
        state.messages += errors.map(\.message)
        state.retryCount -= 1
        return state.retryCount >= 0
      }
      retryHandler(shouldRetry)
      retryHandler(!shouldRetry)
    }
  }

  private static let failure = #"{"data":null,"errors":[{"message":"expired"}]}"#

  @Test(arguments: [0, 2])
  func retriesAsOftenAsTheDelegateDecides(_ retryCount: Int) async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.failure) }
    defer { server.stop() }
    let delegate = Retrying(retryCount: retryCount)
    let transport = HTTPNetworkTransport(
      url: server.url(), client: .patient(), delegate: delegate)
    let response = try await transport.send(request)
    #expect(String(decoding: response.body, as: UTF8.self) == Self.failure)
    #expect(server.requests.count == retryCount + 1)
    #expect(delegate.messages == Array(repeating: "expired", count: retryCount + 1))
  }

  @Test func doesNotAskAboutResponsesWithoutErrors() async throws {
    let server = try LoopbackServer { _, reply in reply.json(#"{"data":{"hero":null}}"#) }
    defer { server.stop() }
    let delegate = Retrying(retryCount: 1)
    let transport = HTTPNetworkTransport(
      url: server.url(), client: .patient(), delegate: delegate)
    _ = try await transport.send(request)
    #expect(delegate.messages.isEmpty)
    #expect(server.requests.count == 1)
  }

  @Test func doesNotAskAboutPersistedQueries() async throws {
    let server = try LoopbackServer { request, reply in
      let isKnown = request.bodyText.contains(#""query":"#)
      reply.json(
        isKnown
          ? #"{"data":{"hero":null}}"# : #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
    }
    defer { server.stop() }
    let delegate = Retrying(retryCount: 9)
    let transport = HTTPNetworkTransport(
      url: server.url(), client: .patient(), enableAutoPersistedQueries: true, delegate: delegate)
    _ = try await transport.send(request)
    #expect(delegate.messages.isEmpty)
    #expect(server.requests.count == 2)
  }

  /// The refusal of the first hash turns hashes off before that of the second one arrives.
  @Test func doesNotAskAboutAHashThatWasSentBeforeHashesWereTurnedOff() async throws {
    let hashCount = Lock(0)
    let (hashesHaveArrived, textHasArrived) = (Signal(), Signal())
    let server = try LoopbackServer { request, reply in
      if request.bodyText.contains(#""query":"#) {
        textHasArrived.fire()
        return reply.json(#"{"data":{"hero":null}}"#)
      }
      let number = hashCount.withLock { count in
        count += 1
        return count
      }
      if number == 1 {
        hashesHaveArrived.block()
      } else {
        hashesHaveArrived.fire()
        textHasArrived.block()
      }
      reply.json(#"{"errors":[{"message":"No query string was present"}]}"#)
    }
    defer { server.stop() }
    defer {
      hashesHaveArrived.fire()
      textHasArrived.fire()
    }
    let delegate = Retrying(retryCount: 9)
    let transport = HTTPNetworkTransport(
      url: server.url(), client: .patient(), enableAutoPersistedQueries: true, delegate: delegate)
    async let first = transport.send(request)
    async let second = transport.send(request)
    _ = try await (first, second)
    #expect(delegate.messages.isEmpty)
    #expect(server.requests.count == 4)
  }

  /// Implements the method of Apollo iOS before 0.26.
  private final class OlderDelegate: HTTPNetworkTransportRetryDelegate {
    private let retryCount: Lock<Int>

    init(retryCount: Int) { self.retryCount = Lock(retryCount) }

    func networkTransport(
      _ networkTransport: HTTPNetworkTransport, receivedError error: any Error,
      for request: URLRequest, response: URLResponse?,
      retryHandler: @escaping @Sendable (_ shouldRetry: Bool) -> Void
    ) {
      retryHandler(
        retryCount.withLock { count in
          count -= 1
          return count >= 0
        })
    }
  }

  @Test(arguments: [0, 2])
  func theOlderRetryDelegateDecidesWithABool(_ retryCount: Int) async throws {
    let server = try LoopbackServer { _, reply in reply.json("{}", status: 503) }
    defer { server.stop() }
    let delegate = OlderDelegate(retryCount: retryCount)
    let transport = HTTPNetworkTransport(
      url: server.url(), client: .patient(), delegate: delegate)
    let error = await #expect(throws: GraphQLHTTPResponseError.self) {
      try await transport.send(request)
    }
    #expect(error?.statusCode == 503)
    #expect(server.requests.count == retryCount + 1)
  }

  /// The response is one to the operation, whatever its status is.
  @Test(arguments: ["application/graphql-response+json", "application/json"], [0, 2])
  func theRetryDelegateDecidesAboutTheStatusOfGraphQLErrors(
    type: String, retryCount: Int
  ) async throws {
    let server = try LoopbackServer { _, reply in
      reply.json(Self.failure, status: 401, type: type)
    }
    defer { server.stop() }
    let delegate = OlderDelegate(retryCount: retryCount)
    let transport = HTTPNetworkTransport(
      url: server.url(), client: .patient(), delegate: delegate)
    transport.httpStatusPolicy = .bodyDecides
    let response = try await transport.send(request)
    #expect(response.http?.statusCode == 401)
    #expect(String(decoding: response.body, as: UTF8.self) == Self.failure)
    #expect(server.requests.count == retryCount + 1)
  }

  @Test func theRetryDelegateIsNotAskedAboutTheStatusOfData() async throws {
    let server = try LoopbackServer { _, reply in
      reply.json(
        #"{"data":{"hero":null},"errors":[{"message":"expired"}]}"#, status: 401,
        type: "application/graphql-response+json")
    }
    defer { server.stop() }
    let delegate = OlderDelegate(retryCount: 1)
    let transport = HTTPNetworkTransport(
      url: server.url(), client: .patient(), delegate: delegate)
    #expect(try await transport.send(request).http?.statusCode == 401)
    #expect(server.requests.count == 1)
  }
}
