/// The reason for which a connection was closed, as a number.
///
/// Spec: RFC 6455, section 7.4. Programs use 4000 to 4999 for reasons of their own.
///
/// ```swift
/// socket.close(code: 4400, reason: "Invalid message")
/// ```
public struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral
{
  /// The number.
  public let rawValue: UInt16

  /// The code with a number.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The code with a number.
  public init(integerLiteral value: UInt16) { rawValue = value }

  /// 1000: The connection has served its purpose.
  public static let normal: WebSocketCloseCode = 1000
  /// 1001: The server shuts down, or the program has moved on.
  public static let goingAway: WebSocketCloseCode = 1001
  /// 1002: The rules of the protocol were broken.
  public static let protocolError: WebSocketCloseCode = 1002
  /// 1003: A message is of a kind that is not accepted.
  public static let unsupportedData: WebSocketCloseCode = 1003
  /// 1005: The closing handshake contained no code. Never sent.
  public static let none: WebSocketCloseCode = 1005
  /// 1006: The connection ended without a closing handshake. Never sent.
  public static let abnormal: WebSocketCloseCode = 1006
  /// 1007: A message is not what its kind says, such as a text that is not UTF-8.
  public static let invalidData: WebSocketCloseCode = 1007
  /// 1008: A message breaks a rule of the program.
  public static let policyViolation: WebSocketCloseCode = 1008
  /// 1009: A message is too large.
  public static let messageTooLarge: WebSocketCloseCode = 1009
  /// 1010: The server did not select an extension that the client needs.
  public static let missingExtension: WebSocketCloseCode = 1010
  /// 1011: The server failed.
  public static let internalError: WebSocketCloseCode = 1011
  /// 1012: The server restarts.
  public static let serviceRestart: WebSocketCloseCode = 1012
  /// 1013: The server is overloaded.
  public static let tryAgainLater: WebSocketCloseCode = 1013
  /// 1014: A gateway got an invalid response.
  public static let badGateway: WebSocketCloseCode = 1014

  /// A Boolean value that says whether the code may occur in a closing handshake.
  ///
  /// 1004 is reserved; 1005, 1006 and 1015 describe ends without a code. 1016 to 2999 are reserved
  /// for future versions of the protocol.
  public var canBeSent: Bool {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}
