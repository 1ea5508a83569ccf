public import Foundation

/// The end of a connection: its code, and who caused it.
///
/// | origin | code | event |
/// | :-- | :-- | :-- |
/// | `peer` | the server's, or `.none` | The server closed the connection. |
/// | `local` | the program's | The program closed the connection. |
/// | `local` | `.abnormal` | The program cancelled it. |
/// | `violation` | 1002, 1007 or 1009 | The server broke the rules of the protocol, or a limit; the connection was closed with this code. |
/// | `network` | `.abnormal` | The connection was lost. |
public struct WebSocketEnd: Error, Hashable, Sendable {
  /// The cause of an end.
  public enum Origin: Hashable, Sendable {
    /// The server sent a close frame.
    case peer
    /// The program closed or cancelled the connection.
    case local
    /// The server sent something that the protocol or a limit does not allow.
    case violation
    /// The network or the server dropped the connection without a close frame.
    case network
  }

  /// The code, which is ``WebSocketCloseCode/abnormal`` without a closing handshake.
  public var code: WebSocketCloseCode

  /// The reason in words: the server's, the program's, or the rule that was broken.
  public var reason: String

  /// The cause.
  public var origin: Origin

  /// An end, such as one for a connection of your own.
  public init(code: WebSocketCloseCode, reason: String = "", origin: Origin) {
    self.code = code
    self.reason = reason
    self.origin = origin
  }
}

extension WebSocketEnd {
  /// Returns the end with the silence that preceded it, if the network may have ended the
  /// connection because of that.
  func after(silence: Duration) -> WebSocketEnd {
    guard origin == .network, silence >= .seconds(5) else { return self }
    var end = self
    let clause = "after \(silence.components.seconds) seconds without a message"
    end.reason = reason.isEmpty ? clause : "\(reason), \(clause)"
    return end
  }
}

// MARK: - Sentences

extension WebSocketEnd: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The event in a sentence.
  public var description: String {
    switch origin {
    case .peer:
      code == .none
        ? "The server closed the WebSocket without a code."
        : "The server closed the WebSocket with code \(code.rawValue)\(because)."
    case .local where code == .abnormal: "The WebSocket was cancelled."
    case .local: "The WebSocket was closed with code \(code.rawValue)\(because)."
    case .violation:
      "The WebSocket was closed with code \(code.rawValue)\(because). Check the server and what is in front of it."
    case .network:
      "The WebSocket's connection was lost\(because). Connect again, and check the server and what is in front of it."
    }
  }

  private var because: String { reason.isEmpty ? "" : ": \(reason)" }
}
