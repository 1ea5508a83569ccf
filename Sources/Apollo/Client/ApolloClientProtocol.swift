public import ApolloAPI
public import ApolloCache
internal import ApolloTransport
internal import Foundation

/// A GraphQL client: ``ApolloClient``, or a mock of it.
///
/// Code that takes `any ApolloClientProtocol` can be tested without a server. A mock implements one
/// method, and has all calls of a client: with `await`, with callbacks, and as sequences.
///
/// ```swift
/// final class MockClient: ApolloClientProtocol {
///   let store = ApolloStore()
///
///   func responses<Operation: GraphQLOperation>(
///     to request: GraphQLRequest<Operation>
///   ) -> GraphQLResponses<Operation> {
///     GraphQLResponses(one: {
///       let data = try Operation.Data(jsonObject: ["hero": ["name": "Luke"]])
///       return GraphQLResponse(data: data, source: .server)
///     })
///   }
/// }
/// ```
public protocol ApolloClientProtocol: AnyObject, Sendable {
  /// The store that holds the data of earlier responses.
  var store: ApolloStore { get }

  /// The options of the calls that have none of their own. All defaults by default.
  var defaultRequestConfiguration: RequestConfiguration { get }

  /// Lets a request that is made now belong to the current session of a user, which the call may
  /// outlive before it comes to ``responses(to:)``. Returns the request as it is, by default. A
  /// client around another one passes the call on.
  func _begin<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>
  ) -> GraphQLRequest<Operation>

  /// Returns the responses to an operation. Every call with several responses comes here.
  ///
  /// - Parameter request: The operation, the files to upload, and the options of the call.
  /// - Returns: A sequence of responses, as `ResponseSequence` describes it.
  func responses<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>
  ) -> GraphQLResponses<Operation>

  /// Returns the response to an operation. Every call with one response comes here.
  ///
  /// The default implementation returns the last one of ``responses(to:)``.
  ///
  /// - Parameter request: The operation, the files to upload, and the options of the call.
  /// - Returns: The whole response.
  /// - Throws: The error of the call.
  func response<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>
  ) async throws -> GraphQLResponse<Operation>
}

extension ApolloClientProtocol {
  /// The defaults of ``RequestConfiguration``.
  public var defaultRequestConfiguration: RequestConfiguration { RequestConfiguration() }

  /// The request as it is.
  public func _begin<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>
  ) -> GraphQLRequest<Operation> { request }

  /// Returns the last one of ``responses(to:)``.
  ///
  /// - Throws: ``ApolloClientError`` if there is none, and `CancellationError` if that is because
  ///   the task is cancelled.
  public func response<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    guard let last = try await responses(to: request).last() else {
      // A sequence of another author may end when its task is cancelled.
      try Task.checkCancellation()
      throw ApolloClientError(
        .noResponse, operationName: Operation.operationName, transport: self)
    }
    return last
  }

  /// The request of a call.
  func request<Operation: GraphQLOperation>(
    _ operation: Operation, _ behavior: FetchBehavior, _ configuration: RequestConfiguration?,
    _ contextIdentifier: UUID?, files: [GraphQLFile] = [],
    stateHandler: (@Sendable (SubscriptionState) -> Void)? = nil
  ) -> GraphQLRequest<Operation> {
    var request = GraphQLRequest(
      operation, behavior, configuration: configuration ?? defaultRequestConfiguration,
      origin: contextIdentifier.map { ChangeOrigin($0) }, files: files)
    if let stateHandler { request.facts.stateHandler = stateHandler }
    return _begin(request)
  }

  /// The default options, for a call with a cache policy that may exclude writing.
  func configuration(writesResultsToCache: Bool) -> RequestConfiguration {
    var configuration = defaultRequestConfiguration
    if !writesResultsToCache { configuration.writeResultsToCache = false }
    return configuration
  }
}
