#if CURL
  /// The stream of HTTP/2 that carries a request, and what the server has said about it.
  ///
  /// A server names the streams that it has not processed: those that it resets with
  /// `REFUSED_STREAM`, and those after the last stream of a `GOAWAY` (RFC 9113, sections 6.8 and
  /// 8.7). Their requests are sent again, mutations too. All others may have been processed.
  ///
  /// libcurl sends a refused request again itself, except after a `GOAWAY` that leaves the
  /// connection without streams. Its only other reason for a retry is the failure of a connection
  /// that was used before, which it notes first. Such a retry is not allowed.
  struct StreamState {
    private enum State {
      /// The request is not on a stream of HTTP/2.
      case none
      case open(UInt32)
      /// The server does not process the stream.
      case refused
      /// libcurl has left a refused stream, and is about to send the request again.
      case retried
    }

    private var state = State.none
    private var refusalCount = 0

    /// libcurl has the same limit for its own retries. A server that refuses more often does not
    /// want the request.
    private static let maximumRefusalCount = 5

    var isOpen: Bool { if case .open = state { true } else { false } }

    /// `true` if the request can be sent again.
    var isRefused: Bool {
      if case .refused = state { refusalCount < Self.maximumRefusalCount } else { false }
    }

    /// Handles the stream on which the request was put.
    mutating func opened(_ number: UInt32) { state = .open(number) }

    /// Handles the announcement that the server processes no stream after `last`.
    mutating func goesAway(last: UInt32) {
      if case .open(let number) = state, number > last { state = .refused }
    }

    /// Handles libcurl's decision to leave the connection and to send the request again.
    mutating func isRetried(hasNotedFailure: Bool) {
      switch state {
      // libcurl may report one retry twice.
      case .open where !hasNotedFailure, .refused, .retried: state = .retried
      case .none, .open: state = .none
      }
    }

    /// Returns `true` if libcurl may send the request again.
    mutating func takesRetry() -> Bool {
      guard case .retried = state else { return false }
      state = .none
      return true
    }

    /// Handles another start of a refused request.
    mutating func startsAgain() {
      refusalCount += 1
      state = .none
    }
  }
#endif
