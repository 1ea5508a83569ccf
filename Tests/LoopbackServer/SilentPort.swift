import Foundation

/// A port whose connections are neither accepted nor refused, as behind a firewall that drops
/// packets.
///
/// The port's queue is full, so Linux ignores further requests to connect.
package final class SilentPort: Sendable {
  package let number: UInt16
  private let sockets: [Socket]

  /// - Parameters:
  ///   - number: The port, or 0 for one that the system chooses.
  ///   - isIPv6: Whether the address is `::1` instead of `127.0.0.1`.
  /// - Throws: An error of the system when the port is taken.
  package init(_ number: UInt16 = 0, isIPv6: Bool = false) throws {
    let family: Socket.Family = isIPv6 ? .v6 : .v4
    let (listener, number) = try Socket.bound(
      to: number, family: family, isListening: true, backlog: 0)
    self.number = number
    var sockets = [listener]
    // The system's queue has one place more than was asked for.
    for _ in 0..<2 { sockets.append(try Socket.connecting(to: number, family: family)) }
    self.sockets = sockets
  }

  deinit { for socket in sockets { socket.closeDescriptor() } }
}
