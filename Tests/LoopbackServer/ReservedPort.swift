/// A port of both loopback addresses that no other program is given while this object lives, and on
/// which another process can listen with `SO_REUSEPORT`.
package final class ReservedPort: Sendable {
  package let number: UInt16
  private let sockets: [Socket]

  package init() throws {
    let (first, number) = try Socket.bound(isListening: false, isShared: true)
    do {
      let second = try Socket.bound(to: number, family: .v6, isListening: false, isShared: true)
      sockets = [first, second.socket]
    } catch {
      // Without IPv6 there is one loopback address.
      sockets = [first]
    }
    self.number = number
  }

  deinit { for socket in sockets { socket.closeDescriptor() } }
}
