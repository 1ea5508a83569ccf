import Apollo
import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

/// The messages that a client has sent for whole operations and for their missing parts.
final class SentMessages: Sendable {
  let texts = Lock<[String]>([])
  let variables = Lock<[JSONValue]>([])

  /// Notes a request, and returns its text.
  fileprivate func note(_ request: OperationRequest) throws -> String {
    let message = try OperationMessage(request.operation, completion: request.facts.completion)
    let text = message.query ?? ""
    texts.withLock { $0.append(text) }
    let members = Dictionary(message.variables, uniquingKeysWith: { $1 })
    variables.withLock { $0.append(.object(members)) }
    return text
  }
}

extension ApolloClient {
  /// Returns a client whose cache has a response, and the messages that it sends from now on.
  ///
  /// - Parameters:
  ///   - body: The body of the response.
  ///   - query: The query of the response.
  ///   - cache: The cache.
  ///   - configuration: The settings of the store.
  ///   - respond: Returns the response to a message with a text.
  /// - Returns: The client and the messages.
  /// - Throws: The errors of the cache.
  static func caching<Query: GraphQLQuery>(
    _ body: String, of query: Query, in cache: any NormalizedCache = InMemoryNormalizedCache(),
    configuration: ApolloStore.Configuration = ApolloStore.Configuration(),
    _ respond: @escaping @Sendable (String) async throws -> String
  ) async throws -> (client: ApolloClient, sent: SentMessages) {
    let sent = SentMessages()
    let transport = ScriptedTransport { request, _ in try await respond(sent.note(request)) }
    let store = ApolloStore(cache: cache, configuration: configuration)
    try await store.publish(body: Data(body.utf8), of: query)
    return (ApolloClient(networkTransport: transport, store: store), sent)
  }

  /// Removes fields from records of the cache, as if they had never been fetched.
  func remove(_ fields: [(RecordKey, [FieldKey])]) async throws {
    for (key, names) in fields {
      var rest = try #require(try await store.readOnlyCache.loadRecords(forKeys: [key])[key])
      for name in names { rest[name] = nil }
      try await store.removeObject(for: key)
      try await store.publish(RecordSet([rest]))
    }
  }
}

extension RequestConfiguration {
  /// The options of a call that sends only what the cache does not have.
  static var fetchingMissingFields: RequestConfiguration {
    var configuration = RequestConfiguration()
    configuration.fetchesMissingFields = true
    return configuration
  }
}
