import Apollo
import Foundation
import Testing

/// The sentence of each error, word for word.
struct ErrorSentenceTests {
  private struct Reason: Error, CustomStringConvertible {
    var description: String
  }

  private final class Plain: NetworkTransport {
    func send(_ request: OperationRequest) async throws -> NetworkResponse {
      NetworkResponse(body: Data())
    }
  }

  @Test(arguments: [
    (
      ApolloClientError.Code.noUploadTransport,
      "Plain cannot upload the files of 'SetPhoto'. Use a transport that conforms to UploadingNetworkTransport, such as HTTPNetworkTransport."
    ),
    (
      ApolloClientError.Code.noSubscriptionTransport,
      "Plain cannot send the subscription 'SetPhoto'. Use a transport that conforms to SubscriptionNetworkTransport, such as WebSocketTransport, alone or in a SplitNetworkTransport."
    ),
    (
      ApolloClientError.Code.noResponse,
      "Plain delivered neither a response to 'SetPhoto' nor an error. Check the transport and the interceptors, one of which returned an empty sequence."
    ),
    (
      ApolloClientError.Code(description: "later"),
      "Plain cannot send 'SetPhoto': later. Use another transport."
    ),
  ])
  func aCallThatTheTransportCannotMake(code: ApolloClientError.Code, sentence: String) {
    let error = ApolloClientError(code, operationName: "SetPhoto", transport: Plain())
    #expect(error.description == sentence)
    #expect(error.localizedDescription == sentence)
    #expect(error.code.description == code.description)
  }

  @Test func aFetchOfWhichTheCacheLacksData() {
    let error = CacheAndNetworkError(
      operationName: "Hero", networkError: Reason(description: "Offline."),
      cacheError: CacheMissError(operationName: "Hero", misses: []))
    let sentence =
      "The server delivered no response to 'Hero', and the cache does not hold all of its data. Solve the server's problem, then fetch again. Server: Offline. Cache: \(error.cacheError)"
    #expect(error.code == .notCached)
    #expect(error.description == sentence)
    #expect(error.localizedDescription == sentence)
  }

  @Test func aFetchWhoseCacheIsUnreadable() {
    let error = CacheAndNetworkError(
      operationName: "Hero", networkError: Reason(description: "Offline."),
      cacheError: Reason(description: "The disk is gone."))
    let sentence =
      "The server delivered no response to 'Hero', and the cache could not be read. Solve one of the two problems, then fetch again. Server: Offline. Cache: The disk is gone."
    #expect(error.code == .cacheUnreadable)
    #expect(error.description == sentence)
    #expect(error.localizedDescription == sentence)
  }
}
