package import Foundation

/// A port where nobody listens, and where nobody else will for as long as this object lives.
package final class ClosedPort: Sendable {
  private let socket: Socket
  private let port: UInt16

  package init() throws { (socket, port) = try Socket.bound(isListening: false) }

  deinit { socket.closeDescriptor() }

  package var url: URL {
    guard let url = URL(string: "http://127.0.0.1:\(port)/graphql") else {
      preconditionFailure("A number is always part of a valid URL.")
    }
    return url
  }
}
