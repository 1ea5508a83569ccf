import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Limits on the time and the memory that one request takes.
///
/// `URLSession` limits how long a connection may stay silent, not how long a response may take nor
/// how large it may become once it is decompressed. These limits close both gaps.
public struct TransferLimits: Hashable, Sendable {
  /// The longest time from sending a request to the end of its response. `nil` for no limit.
  public var deadline: Duration?

  /// The most bytes a response may have after decompression.
  public var maximumResponseByteCount: Int

  /// The most redirects that are followed for one request. They are followed only to the same
  /// origin, and only where the method and the body survive.
  public var maximumRedirectCount: Int

  /// Limits that are generous for GraphQL: two minutes, 128 MiB and five redirects.
  public init(
    deadline: Duration? = .seconds(120),
    maximumResponseByteCount: Int = 128 << 20,
    maximumRedirectCount: Int = 5
  ) {
    self.deadline = deadline
    self.maximumResponseByteCount = maximumResponseByteCount
    self.maximumRedirectCount = maximumRedirectCount
  }
}

extension TransferLimits {
  /// `true` in tasks whose responses have no end of their own, such as subscriptions.
  ///
  /// A task-local value, so that clients that wrap another one need not pass it on.
  @TaskLocal static var areForEndlessResponse = false

  /// The wait of the current task's request for a connection. `nil` if it concerns only the client.
  @TaskLocal static var connectionWait: ConnectionWait?

  /// `true` in tasks whose requests must not use a connection that was kept open. A connection that
  /// ended as it was used again is rarely the only one: a proxy that is reloaded closes all of
  /// them.
  @TaskLocal static var needsNewConnection = false

  /// The time that the call of the current task's request may take, if it says so. The connection
  /// may be silent for as long.
  @TaskLocal static var allowedSilence: Duration?

  /// The longest silence in seconds of the connection of a request: that of a client, or a longer
  /// one that its call allows, unless the program has given the request one of its own.
  ///
  /// A request whose timeout is 60 seconds has none: that is Foundation's default.
  static func silence(of request: URLRequest, for client: Double) -> Double {
    let allowed = allowedSilence?.clampedSeconds
    guard request.timeoutInterval == 60 || request.timeoutInterval == allowed else {
      return request.timeoutInterval
    }
    return max(client, allowed ?? 0)
  }

  /// The most bytes that the response to a request of the current task may have in all.
  var currentMaximumByteCount: Int {
    Self.areForEndlessResponse ? .max : maximumResponseByteCount
  }
}

extension HTTPClient {
  /// Sends a request whose connection may be silent for the time that its call may take, whatever
  /// clients of the program wrap the one that connects.
  func sendAllowingSilence(_ request: _OutgoingRequest) async throws -> HTTPResponse {
    guard let timeout = request.timeout else { return try await _response(to: request) }
    return try await TransferLimits.$allowedSilence.withValue(timeout) {
      try await _response(to: request)
    }
  }
}
