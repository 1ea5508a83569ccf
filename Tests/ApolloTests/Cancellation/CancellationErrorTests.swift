import Apollo
import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Code of the program that throws an error of its own when its task is cancelled.
@Suite(.timeLimit(.minutes(10)))
struct CancellationErrorTests {
  enum Place: CaseIterable { case interceptor, httpInterceptor, errorInterceptor, transport }

  @Test(arguments: Place.allCases)
  func aCancelledCallThrowsACancellationError(_ place: Place) async throws {
    let waiting = Waiting(in: place, throwing: URLError(.cancelled))
    let error = try await errorOfACancelledCall(of: waiting)
    #expect(error is CancellationError)
    #expect(waiting.handledErrorCount.get() == (place == .errorInterceptor ? 1 : 0))
  }

  @Test(arguments: [Place.interceptor, .transport])
  func theErrorOfAResponseStays(_ place: Place) async throws {
    let waiting = Waiting(in: place, throwing: ResponseError(.notAResponse("a list")))
    let error = try await errorOfACancelledCall(of: waiting)
    #expect(error is ResponseError)
  }

  /// Cancels a call when it waits, and returns its error.
  private func errorOfACancelledCall(of waiting: Waiting) async throws -> (any Error)? {
    let client = try waiting.client()
    let task = Task {
      try await client.perform(mutation: HeroAPI.RenameMutation(id: "1", name: "Luke"))
    }
    await waiting.hasBegun.wait()
    task.cancel()
    switch await task.result {
    case .success: return nil
    case .failure(let error): return error
    }
  }
}

/// Waits in one place of a call until that is cancelled, and throws an error then.
private final class Waiting: GraphQLInterceptor, HTTPInterceptor, ApolloErrorInterceptor {
  typealias Place = CancellationErrorTests.Place

  private struct Refusal: Error {}

  let hasBegun = Signal()
  let handledErrorCount = Lock(0)
  private let place: Place
  private let error: any Error

  init(in place: Place, throwing error: any Error) {
    self.place = place
    self.error = error
  }

  func client() throws -> ApolloClient {
    guard place != .transport else { return ApolloClient(networkTransport: Transport(self)) }
    // Nothing is sent there.
    let url = try #require(URL(string: "http://localhost/graphql"))
    return ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        client: .patient, interceptorProvider: Provider(waiting: self), endpointURL: url))
  }

  private func errorAfterCancellation() async -> any Error {
    hasBegun.fire()
    for await _ in AsyncStream<Void>.makeStream().stream {}
    return error
  }

  func intercept<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    switch place {
    case .interceptor: throw await errorAfterCancellation()
    case .errorInterceptor: throw Refusal()
    default: return try await next.proceed(request)
    }
  }

  func intercept(
    request: URLRequest, next: @Sendable (URLRequest) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    throw await errorAfterCancellation()
  }

  func handleError<Operation: GraphQLOperation>(
    _ error: any Error, request: GraphQLRequest<Operation>, retry: InterceptorChain<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    handledErrorCount.withLock { $0 += 1 }
    guard place == .errorInterceptor else { throw error }
    throw await errorAfterCancellation()
  }

  private final class Transport: NetworkTransport {
    private let waiting: Waiting

    init(_ waiting: Waiting) { self.waiting = waiting }

    func send(_ request: OperationRequest) async throws -> NetworkResponse {
      throw await waiting.errorAfterCancellation()
    }
  }

  private struct Provider: InterceptorProvider {
    let waiting: Waiting

    func graphQLInterceptors<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> [any GraphQLInterceptor] { [waiting] }

    func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] {
      [waiting]
    }

    func additionalErrorInterceptor<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> (any ApolloErrorInterceptor)? { waiting }
  }
}
