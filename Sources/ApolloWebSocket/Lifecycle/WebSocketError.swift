public import ApolloAPI
import ApolloTransport
public import Foundation

/// An operation over a WebSocket that ended without a result, or a connection that could not be
/// made.
///
/// ```swift
/// do {
///   for try await event in apollo.subscribe(subscription: ReviewAddedSubscription()) {
///     print(event.data?.reviewAdded.stars ?? 0)
///   }
/// } catch let error as WebSocketError where error.code == .rejected {
///   print(error.graphQLErrors)
/// }
/// ```
public struct WebSocketError: Error, Sendable {
  /// The kind of a failure. More codes can be added; keep a `default` when you switch.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code, such as "connectionLost".
    public let description: String

    /// There is no connection, and the operation does not wait for one.
    public static let cannotConnect = Code(description: "cannotConnect")
    /// The connection was lost while the operation was running, also because the credentials have
    /// expired. The server may or may not have carried it out.
    public static let connectionLost = Code(description: "connectionLost")
    /// The server refuses this client: by the status of the handshake, by its close code, or again
    /// and again.
    public static let refused = Code(description: "refused")
    /// The server rejected the operation. ``WebSocketError/graphQLErrors`` has the reasons.
    public static let rejected = Code(description: "rejected")
    /// The server ended a query or mutation without a result.
    public static let noResult = Code(description: "noResult")
    /// The program closed the transport.
    public static let closed = Code(description: "closed")
    /// The program's creator of operation ids made one that is empty or in use.
    public static let invalidOperationID = Code(description: "invalidOperationID")
    /// The consumer was slower than its subscription, whose buffer policy is to fail.
    public static let bufferOverflow = Code(description: "bufferOverflow")
  }

  /// The kind of the failure.
  public let code: Code

  /// The URL, without user, password, query and fragment; "the server" if it is not known.
  public let url: String

  /// The code with which the server closed the connection, if it did.
  public let closeCode: WebSocketCloseCode?

  /// The status of the server's response to the handshake, if that was not 101.
  public let statusCode: Int?

  /// The server's reasons for rejecting the operation. Empty for other codes.
  public let graphQLErrors: [GraphQLError]

  /// The error of the system, or of the program's own code, that is behind this one.
  public let underlyingError: (any Error)?

  /// The event, as a clause. May be empty.
  let detail: String
  private let progress: Progress
  /// `true` if a message with the operation, or with its response, ended the connection. It would
  /// do so again.
  private var isOfMessage = false
  /// `true` if a part of the response came before, so that the server had begun to carry the
  /// operation out.
  private var followsPart = false

  /// The progress of the operation, or of the connection, that failed.
  enum Progress {
    /// Nothing was sent.
    case notSent
    /// The connection served operations, each of which has an error of its own.
    case connected
    /// The operation was sent.
    case sent
  }

  init(
    _ code: Code, url: URL? = nil, closeCode: WebSocketCloseCode? = nil, statusCode: Int? = nil,
    graphQLErrors: [GraphQLError] = [], underlyingError: (any Error)? = nil, detail: String = "",
    progress: Progress = .sent
  ) {
    self.code = code
    self.url = url?.textWithoutSecrets ?? "the server"
    self.progress = progress
    self.closeCode = closeCode
    self.statusCode = statusCode
    self.graphQLErrors = graphQLErrors
    self.underlyingError = underlyingError
    self.detail = detail
  }
}

extension WebSocketError: UnreadableResponse {
  // The buffer of a query or a mutation overflows if the parts are too large together.
  package var isUnreadable: Bool { code == .bufferOverflow || isOfMessage }
}

extension WebSocketError: OperationRefusal {
  package var refusal: [GraphQLError]? {
    code == .rejected && !followsPart ? graphQLErrors : nil
  }

  /// The same error after a part of the response. It refuses nothing then.
  var afterPart: WebSocketError {
    var error = self
    error.followsPart = true
    return error
  }
}

// MARK: - Sentences

extension WebSocketError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The failure and its remedy in a sentence each. Contains no secret of the request.
  public var description: String {
    switch code {
    case .cannotConnect:
      "There is no WebSocket connection to \(url): \(detail). Nothing was sent. Try again, and check the server, the network and what is in between."
    case .connectionLost where progress == .connected:
      "The WebSocket connection to \(url) was lost: \(detail). The transport connects again if operations need it."
    case .connectionLost:
      "The WebSocket connection to \(url) was lost: \(detail). The server may have carried out the operation; try again if that does no harm."
    // With a status, a later handshake has failed: only subscriptions were sent before one.
    case .refused where progress == .sent && statusCode == nil:
      "\(url) refuses WebSocket connections of this client: \(detail). The server may have carried out the operation. Check the URL, the credentials and the server's log."
    case .refused:
      "\(url) refuses WebSocket connections of this client: \(detail). Check the URL, the credentials and the server's log."
    case .rejected:
      "\(url) rejected the operation: \(messages). Correct the operation or its variables."
    case .noResult:
      "\(url) ended the operation without a result. Check the server's log."
    case .bufferOverflow where !detail.isEmpty:
      "The parts of the response have more than \(detail) together. Ask for less."
    case .closed: "The transport was closed by the program. Call initServer() to open it again."
    case .invalidOperationID:
      "The operation cannot have the id '\(detail)', which is empty or in use. Correct the creator of ids."
    case .bufferOverflow:
      "More results arrived than the subscription's buffer holds. Consume them faster, or change `resultBuffer`."
    default: "The operation failed: \(detail)."
    }
  }

  private var messages: String {
    if graphQLErrors.isEmpty { return "it gave no reason" }
    let messages = graphQLErrors.prefix(3).map { "“\($0.message.shortened)”" }
      .joined(separator: ", ")
    let rest = graphQLErrors.count - 3
    return messages + (rest > 0 ? " and \(rest) more" : "")
  }
}

// MARK: - From failures

extension WebSocketError {
  /// The error of an operation that ends with a failure.
  ///
  /// `wasSent` is `true` if the server has received the operation. `choices` are the recoveries
  /// that the program has chosen for close codes.
  init(
    _ failure: OperationFailure, wasSent: Bool, url: URL?,
    _ choices: [WebSocketCloseCode: WebSocketRecovery]
  ) {
    switch failure {
    case .closed: self.init(.closed, url: url)
    case .invalidID(let id):
      self.init(.invalidOperationID, url: url, detail: id.shortened)
    case .lost(let failure, let error, let isGivenUp):
      self.init(
        failure, error, wasSent ? .sent : .notSent, url: url, choices, isGivenUp: isGivenUp)
    case .unreadable(let failure, let error, let isGivenUp):
      self.init(failure, error, .sent, url: url, choices, isGivenUp: isGivenUp)
      isOfMessage = true
    }
  }

  /// The error for the loss of a connection.
  ///
  /// `isGivenUp` is `true` if new credentials are no reason to try again.
  init(
    _ failure: ConnectionFailure, _ error: (any Error)?, _ progress: Progress, url: URL?,
    _ choices: [WebSocketCloseCode: WebSocketRecovery], isGivenUp: Bool = false
  ) {
    let isPassing =
      switch failure.recovery(choices) {
      case .fail: false
      case .retry: true
      // The credentials of a session that the server had acknowledged have expired.
      case .refreshAndRetry: progress != .notSent && !isGivenUp
      }
    let code: Code =
      isPassing ? (progress == .notSent ? .cannotConnect : .connectionLost) : .refused
    self.init(
      code, url: url, closeCode: failure.closeCode, statusCode: failure.statusCode,
      underlyingError: error, detail: failure.clause(error), progress: progress)
  }
}

extension ConnectionFailure {
  fileprivate var closeCode: WebSocketCloseCode? {
    switch self {
    case .closed(let code, _), .closedUnacknowledged(let code, _): code
    default: nil
    }
  }

  fileprivate var statusCode: Int? {
    if case .handshake(let status, _) = self { status } else { nil }
  }

  /// The failure in words, with the error behind it.
  fileprivate func clause(_ error: (any Error)?) -> String {
    let because = error.map { " (\($0))" } ?? ""
    return switch self {
    case .noPayload: "the provider of the connecting payload failed\(because)"
    case .unreachable: "the server could not be reached\(because)"
    case .unsendable: "its handshake cannot be sent\(because)"
    case .handshake(let status, _): "the status of the handshake is \(status)\(because)"
    case .noSubprotocol: "the server selected none of the offered subprotocols"
    case .rejected(let reason):
      "the server rejected the session" + (reason.isEmpty ? "" : " with “\(reason.shortened)”")
    case .invalidMessage(let violation): "the server sent \(violation)"
    case .violation(let code): "the server broke the rules of WebSockets (\(code.rawValue))"
    case .closed(let code, let reason):
      "the server closed it with code \(code.rawValue)"
        + (reason.isEmpty ? "" : " and “\(reason.shortened)”")
    case .closedUnacknowledged(let code, let reason):
      "the server closed it with code \(code.rawValue)"
        + (reason.isEmpty ? "" : " and “\(reason.shortened)”")
        + " instead of acknowledging the session"
    case .lost: "the connection ended\(because)"
    case .timedOut(.payload): "the connecting payload was not provided in time"
    case .timedOut(.connection): "the connection was not made in time"
    case .timedOut(.acknowledgement): "the server did not acknowledge the session in time"
    case .timedOut(.pong): "the server did not respond to a ping in time"
    case .timedOut(.keepAlive): "the server's keep-alive messages stopped"
    case .replaced: "the program replaced the connection"
    case .paused: "the program paused the transport"
    }
  }
}
