import Foundation

/// Writes one line for each event to the standard error of the program.
///
/// ```swift
/// let apollo = ApolloClient(networkTransport: transport, observers: [StandardErrorLog()])
/// ```
///
/// ```text
/// 1 query Hero +0.0 ms began
/// 1 query Hero +0.1 ms cacheRead miss 0.0 ms
/// 1 query Hero +0.2 ms requestBuilt POST https://example.com/graphql 118 bytes
/// 1 query Hero +0.2 ms sent
/// 1 query Hero +31.7 ms firstByte 200
/// ```
public struct StandardErrorLog: CallEventObserver {
  private let write: @Sendable (String) -> Void

  /// Creates a log.
  public init() {
    // One write for each line, so that the lines of several threads are not mixed.
    self.init { FileHandle.standardError.write(Data($0.utf8)) }
  }

  package init(write: @escaping @Sendable (String) -> Void) { self.write = write }

  /// Writes the description of the event on a line of its own.
  public func observe(_ event: CallEvent) {
    // An error's text may have several lines.
    write(event.description.split(whereSeparator: \.isNewline).joined(separator: " ") + "\n")
  }
}
