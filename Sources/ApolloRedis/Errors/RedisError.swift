internal import ApolloCache
public import protocol Foundation.LocalizedError

/// A failure of a ``RedisNormalizedCache``.
///
/// ```swift
/// configuration.onCacheFailure = { error in
///   if let error = error as? RedisError { log("\(error.code): \(error)") }
/// }
/// ```
///
/// A client goes on as if nothing was cached.
public struct RedisError: Error, Hashable, Sendable {
  /// The kind of failure. Later versions can add codes, so a `switch` needs a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, such as `timedOut`.
    public let description: String

    /// The URL of a server cannot be used.
    public static let invalidURL = Code(description: "invalidURL")
    /// No connection could be made.
    public static let unreachable = Code(description: "unreachable")
    /// The connection ended before the response was complete.
    public static let disconnected = Code(description: "disconnected")
    /// There was no response within ``RedisNormalizedCache/Configuration/timeout``.
    public static let timedOut = Code(description: "timedOut")
    /// The server responded with an error.
    public static let server = Code(description: "server")
    /// The bytes from the server are not the protocol of Redis.
    public static let malformedResponse = Code(description: "malformedResponse")
    /// The server failed shortly before, and is not asked again for a moment.
    public static let suspended = Code(description: "suspended")
    /// Other processes changed the same records each time that this one tried to, or when a
    /// transaction on a spread scope had written a part of its changes.
    public static let contended = Code(description: "contended")
  }

  /// The kind of failure.
  public let code: Code
  /// The server, such as `127.0.0.1:6379`, or an empty text.
  public let server: String
  /// The words of the server or the system, without passwords.
  public let detail: String

  /// Indicates whether the command was sent, so that the server may have carried it out.
  var wasSent = false

  init(_ code: Code, server: String = "", detail: String = "") {
    self.code = code
    self.server = server
    self.detail = detail
  }
}

extension RedisError {
  /// Indicates whether the command was certainly not carried out.
  ///
  /// For the failure of one command. A write to several partitions is several commands.
  var meansUnchanged: Bool {
    !wasSent && [.invalidURL, .unreachable, .server, .suspended, .contended].contains(code)
  }
}

extension RedisError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The problem and what to do about it.
  public var description: String {
    let name = server.isEmpty ? "Redis" : "Redis at \(server)"
    let reason = detail.isEmpty ? "" : ": \(detail)"
    return switch code {
    case .invalidURL:
      "The URL of a Redis server cannot be used\(reason). "
        + "Write it as 'redis://user:password@host:6379/0' or 'unix:///path'."
    case .unreachable: "\(name) cannot be reached\(reason). Check that it runs and its address."
    case .disconnected: "\(name) ended the connection\(reason)."
    case .timedOut: "\(name) did not respond in time\(reason)."
    case .server: "\(name) responded with an error\(reason)."
    case .malformedResponse:
      "\(name) sent bytes that are not Redis' protocol\(reason). Check the address."
    case .suspended: "\(name) failed shortly before and is not asked again yet."
    case .contended:
      "Other processes changed the same records each time that this one tried to\(reason)."
    default: "\(name) failed (\(code))\(reason)."
    }
  }
}

extension RedisError: RepeatedCacheError {
  package var isRepeated: Bool { code == .suspended }
}
