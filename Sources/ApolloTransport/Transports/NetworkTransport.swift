public import ApolloAPI
public import Foundation

/// Sends operations to a server and returns its responses.
///
/// A transport knows nothing of caches and models: it gets an operation and returns JSON text. A
/// fake one for tests is short:
///
/// ```swift
/// final class CannedTransport: NetworkTransport {
///   func send(_ request: OperationRequest) async throws -> NetworkResponse {
///     NetworkResponse(body: Data(#"{"data":{"hero":null}}"#.utf8))
///   }
/// }
/// ```
public protocol NetworkTransport: AnyObject, Sendable {
  /// Sends one query or mutation and returns its whole response.
  ///
  /// A mutation is sent at most once, unless the configuration of the transport allows more.
  /// Cancelling the task ends the request and frees what it holds.
  ///
  /// - Throws: `CancellationError` if the task is cancelled; ``NetworkError`` if there is no
  ///   complete response; ``GraphQLHTTPResponseError`` if the response is not a GraphQL response;
  ///   ``GraphQLHTTPRequestError`` if nothing was sent.
  func send(_ request: OperationRequest) async throws -> NetworkResponse

  /// Sends one query or mutation and returns its responses.
  ///
  /// There are several if the server delivers the response in parts, as for an operation with
  /// `@defer`. Each one is the whole response so far. ``ResponseSequence`` has the contract of the
  /// sequence; the errors are those of ``send(_:)``.
  ///
  /// The default implementation returns the one response of ``send(_:)``.
  func responses(to request: OperationRequest) -> NetworkResponses

  /// The URL of the server, for errors and logs. `nil` by default.
  var endpointURL: URL? { get }

  /// The longest time that a call may take if it does not say so itself. `nil`, for any time, by
  /// default.
  var callTimeLimit: Duration? { get }

  // MARK: Abilities
  //
  // The client asks for these, and never for the type of a transport. They are requirements, so
  // that a wrapper can pass on those of the transport in it. Each has a default of its own in the
  // protocol that promises it, so a program's transport has none of them to implement.

  /// `true` if the transport sends subscriptions. `false` by default, and `true` for a
  /// ``SubscriptionNetworkTransport``.
  var _sendsSubscriptions: Bool { get }

  /// Sends an operation with its files, or returns `nil` if the transport cannot. By default, a
  /// ``UploadingNetworkTransport`` can.
  func _upload(_ request: OperationRequest) async throws -> NetworkResponse?

  /// `true` if `send` waits for nothing but requests of this package's own client, each of which
  /// ends at `OperationRequest.deadline` and with `OperationRequest.session`. `false`, by default,
  /// if it may wait for code of the program.
  ///
  /// A call of such a transport needs no task that ends with them, and so no change of threads.
  var _keepsDeadlines: Bool { get }

  /// Returns the interceptors that surround the calls of a type in the client, with or without
  /// files, or `nil`. Only an `InterceptingNetworkTransport` has some, by default.
  func _interceptors(
    for type: GraphQLOperationType, hasFiles: Bool
  ) -> (any _InterceptorsOfTransport)?

  /// Returns the longest time of a call that names none: by default ``callTimeLimit``.
  func _timeLimit(for type: GraphQLOperationType, hasFiles: Bool) -> Duration?

  /// `true` if the requests of equal queries can be shared where they are sent, behind all
  /// interceptors. `false` by default.
  var _sharesExchanges: Bool { get }

  /// Forgets what belongs to the session that ends, such as a token. Does nothing by default.
  func _endSession()

  /// `true` if the subscriptions under way end with their session: by ``_endSession()``, or because
  /// they wait for nothing but a client that ends them. `false` by default: the client ends them,
  /// which takes a task for each.
  var _endsSubscriptions: Bool { get }
}

extension NetworkTransport {
  /// `nil`: the transport does not name its server.
  public var endpointURL: URL? { nil }

  /// `nil`: a call may take any time.
  public var callTimeLimit: Duration? { nil }

  /// `false`.
  public var _sendsSubscriptions: Bool { false }

  /// `nil`.
  public func _upload(_ request: OperationRequest) async throws -> NetworkResponse? { nil }

  /// `false`.
  public var _keepsDeadlines: Bool { false }

  /// `nil`.
  public func _interceptors(
    for type: GraphQLOperationType, hasFiles: Bool
  ) -> (any _InterceptorsOfTransport)? { nil }

  /// ``callTimeLimit``.
  public func _timeLimit(for type: GraphQLOperationType, hasFiles: Bool) -> Duration? {
    callTimeLimit
  }

  /// `false`.
  public var _sharesExchanges: Bool { false }

  /// Does nothing.
  public func _endSession() {}

  /// `false`.
  public var _endsSubscriptions: Bool { false }

  /// Returns the one response of ``send(_:)``.
  public func responses(to request: OperationRequest) -> NetworkResponses {
    NetworkResponses(one: { try await self.send(request) })
  }
}

/// The value of ``NetworkTransport/_interceptors(for:hasFiles:)``.
///
/// Only a type of `Apollo` conforms, which `ApolloTransport` cannot name. Others are ignored.
public protocol _InterceptorsOfTransport: Sendable {
  /// The same interceptors, whose steps send through the whole transport of the client: for a
  /// wrapper that must see each request.
  var _sendingThroughTransport: any _InterceptorsOfTransport { get }
}

/// A transport that can send subscriptions as well.
///
/// Its ``NetworkTransport/responses(to:)`` returns one response for each event of a subscription.
/// The sequence ends when the server completes the subscription, and throws when the connection is
/// lost for good.
public protocol SubscriptionNetworkTransport: NetworkTransport {}

extension SubscriptionNetworkTransport {
  /// `true`.
  public var _sendsSubscriptions: Bool { true }
}

extension UploadingNetworkTransport {
  /// The response to ``upload(_:files:)``.
  public func _upload(_ request: OperationRequest) async throws -> NetworkResponse? {
    try await upload(request, files: request.files)
  }
}
