/// The consequence of a lost connection for the subscriptions that use it.
///
/// | close code | recovery |
/// | :-- | :-- |
/// | 1000, 1001, 1005, 1006, 1011 to 1014 | retry |
/// | other codes below 3000 | fail |
/// | 3000, 3003 | refresh and retry |
/// | 4401, 4403 | refresh and retry |
/// | 4004, 4005, 4400, 4406, 4409, 4429, 4500 | fail |
/// | other codes from 3000 | retry |
///
/// 3000 is "Unauthorized" and 3003 "Forbidden" in the registry of close codes; graphql-ws has 4401
/// and 4403 for the same.
///
/// A server that crashes or stops pinging in time often closes with 1011, so that code does not end
/// subscriptions. A transport's configuration can decide otherwise about each code.
///
/// A server that closes before it acknowledges the session has rejected the connecting payload,
/// whatever the code: some do so with 1000. "Retry" then means "refresh and retry", except after
/// 1001, 1012, 1013 and 1014, with which servers restart, and after 4408, which says that no
/// payload has arrived in time: a slow network has lost it.
public enum WebSocketRecovery: Hashable, Sendable {
  /// All operations fail. The same would happen again.
  case fail
  /// The transport connects again, as its ``ReconnectionPolicy`` says.
  case retry
  /// The same, after the program's provider of the connecting payload was told that the server
  /// rejected the last one. All operations fail after three rejections in a row.
  case refreshAndRetry

  /// The recovery from a connection that the server closed, unless the configuration has another
  /// one.
  public init(after code: WebSocketCloseCode) {
    switch code.rawValue {
    case 1000, 1001, 1005, 1006, 1011...1014: self = .retry
    case 0..<3000: self = .fail
    case 3000, 3003, 4401, 4403: self = .refreshAndRetry
    case 4004, 4005, 4400, 4406, 4409, 4429, 4500: self = .fail
    default: self = .retry
    }
  }
}

/// The recoveries from the close codes of known servers that differ from the usual ones.
///
/// ```swift
/// configuration.recoveries = .hasura
/// ```
///
/// | preset | close code | meaning at that server | recovery |
/// | :-- | :-- | :-- | :-- |
/// | ``hasura`` | 4400 | the token has expired, or another invalid message | refresh and retry |
/// | ``knownServers`` | all of the above | | |
extension [WebSocketCloseCode: WebSocketRecovery] {
  /// Hasura closes with 4400 when a token has expired.
  ///
  /// An invalid message, which has the same code, still ends the operations: after three rejections
  /// in a row.
  public static var hasura: Self { [4400: .refreshAndRetry] }

  /// The recoveries of all known servers, for a client that does not know its server.
  public static var knownServers: Self { hasura }
}

extension ConnectionFailure {
  /// The recovery from the failure, with the program's choices for close codes.
  func recovery(_ choices: [WebSocketCloseCode: WebSocketRecovery]) -> WebSocketRecovery {
    switch self {
    case .closed(let code, _): choices[code] ?? WebSocketRecovery(after: code)
    case .closedUnacknowledged(let code, _):
      choices[code] ?? Self.recovery(fromUnacknowledged: code)
    case .handshake(let status, _): Self.recovery(fromStatus: status)
    case .rejected: .refreshAndRetry
    case .noSubprotocol, .unsendable: .fail
    case .violation(let code): code == .messageTooLarge ? .fail : .retry
    case .noPayload, .unreachable, .invalidMessage, .lost, .timedOut, .replaced, .paused: .retry
    }
  }

  private static func recovery(fromUnacknowledged code: WebSocketCloseCode) -> WebSocketRecovery {
    let recovery = WebSocketRecovery(after: code)
    switch code.rawValue {
    case 1001, 1012...1014, 4408: return recovery
    default: return recovery == .retry ? .refreshAndRetry : recovery
    }
  }

  private static func recovery(fromStatus status: Int) -> WebSocketRecovery {
    switch status {
    case 401, 403: .refreshAndRetry
    // The server will not learn to do it by being asked again.
    case 501, 505: .fail
    case 408, 425, 429, 500...: .retry
    default: .fail
    }
  }

  /// `true` if the provider of the connecting payload has failed, so that the server was not asked.
  var isWithoutPayload: Bool {
    switch self {
    case .noPayload, .timedOut(.payload): true
    default: false
    }
  }

  /// `true` if the server dislikes this client rather than the moment: after three of these in a
  /// row, the next attempt is not worth its cost.
  var isRejection: Bool {
    switch self {
    case .rejected, .invalidMessage, .violation: true
    case .handshake, .closed, .closedUnacknowledged, .noPayload, .unreachable, .unsendable,
      .noSubprotocol, .lost, .timedOut, .replaced, .paused:
      false
    }
  }
}
