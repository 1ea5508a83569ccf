#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A TCP socket by its file descriptor, with the handful of calls a scripted server needs.
package struct Socket: Sendable {
  package let descriptor: Int32

  /// The version of the Internet Protocol.
  package enum Family { case v4, v6 }

  /// A socket bound to a port of the loopback interface, which the system chooses unless `port` is
  /// given.
  ///
  /// A socket that does not listen takes the port all the same, and connections to it are refused.
  /// `backlog` is the number of connections that wait to be accepted; the system ignores further
  /// ones, as if the network lost them. Other sockets of this user may be bound to the port of one
  /// that is shared.
  package static func bound(
    to port: UInt16 = 0, family: Family = .v4, isListening: Bool, backlog: Int32 = 1_024,
    isShared: Bool = false
  ) throws -> (socket: Socket, port: UInt16) {
    let descriptor = socket(family == .v4 ? AF_INET : AF_INET6, streamType, 0)
    guard descriptor >= 0 else { throw SocketError("socket", errno) }
    // Processes that tests start at the same moment must not inherit it.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    if isShared { enable(SO_REUSEPORT, of: descriptor) }
    if port != 0 { enable(SO_REUSEADDR, of: descriptor) }
    var number = port
    var failure: SocketError?
    withLoopbackAddress(family, port: port) { address, length in
      var length = length
      if bind(descriptor, address, length) != 0 {
        failure = SocketError("bind", errno)
      } else if isListening, listen(descriptor, backlog) != 0 {
        failure = SocketError("listen", errno)
      } else if getsockname(descriptor, address, &length) != 0 {
        failure = SocketError("getsockname", errno)
      } else {
        // The port has the same place in both kinds of addresses.
        address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          number = UInt16(bigEndian: $0.pointee.sin_port)
        }
      }
    }
    if let failure {
      close(descriptor)
      throw failure
    }
    return (Socket(descriptor: descriptor), number)
  }

  /// A connection to a port of the loopback interface.
  package static func connected(to port: UInt16) throws -> Socket {
    let descriptor = socket(AF_INET, streamType, 0)
    guard descriptor >= 0 else { throw SocketError("socket", errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var status: Int32 = 0
    withLoopbackAddress(.v4, port: port) { address, length in
      status = connect(descriptor, address, length)
    }
    guard status == 0 else {
      let error = SocketError("connect", errno)
      close(descriptor)
      throw error
    }
    return Socket(descriptor: descriptor)
  }

  /// A socket that has begun to connect to a port of the loopback interface, and may never finish.
  static func connecting(to port: UInt16, family: Family) throws -> Socket {
    let descriptor = socket(family == .v4 ? AF_INET : AF_INET6, streamType, 0)
    guard descriptor >= 0 else { throw SocketError("socket", errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    withLoopbackAddress(family, port: port) { address, length in
      _ = connect(descriptor, address, length)
    }
    return Socket(descriptor: descriptor)
  }

  /// Waits for a client. `nil` when the socket was shut down.
  package func accept() -> Socket? {
    #if canImport(Darwin)
      let client = Darwin.accept(descriptor, nil, nil)
    #elseif canImport(Glibc)
      let client = Glibc.accept(descriptor, nil, nil)
    #else
      let client = Musl.accept(descriptor, nil, nil)
    #endif
    guard client >= 0 else { return nil }
    _ = fcntl(client, F_SETFD, FD_CLOEXEC)
    return Socket(descriptor: client)
  }

  /// Sends all of `bytes`; `false` when the peer has gone.
  package func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { rest in
        #if canImport(Darwin)
          Darwin.send(descriptor, rest.baseAddress, rest.count, 0)
        #elseif canImport(Glibc)
          Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
        #else
          Musl.send(descriptor, rest.baseAddress, rest.count, MSG_NOSIGNAL)
        #endif
      }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }

  /// Waits for bytes. Empty when the peer closed or reset the connection.
  package func receive() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
      var received = -1
      repeat {
        received = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      } while received < 0 && errno == EINTR
      count = max(0, received)
    }
  }

  /// Lets `receive` give up after a time, as if the peer had closed the connection.
  package func limitReceiving(milliseconds: Int) {
    var time = timeval()
    time.tv_sec = milliseconds / 1_000
    time.tv_usec = .init(milliseconds % 1_000 * 1_000)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  #if os(Linux)
    /// `true` while the peer's system has not acknowledged all that was sent. An end counts as a
    /// byte.
    var hasUnacknowledgedBytes: Bool {
      var count: Int32 = 0
      return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 && count > 0
    }
  #endif

  /// Ends both directions; a thread that waits in `accept` or `receive` wakes up.
  package func shutDown() {
    #if canImport(Glibc)
      _ = shutdown(descriptor, Int32(SHUT_RDWR))
    #else
      _ = shutdown(descriptor, SHUT_RDWR)
    #endif
  }

  /// Ends the direction of this side, which can still receive.
  package func endSending() {
    #if canImport(Glibc)
      _ = shutdown(descriptor, Int32(SHUT_WR))
    #else
      _ = shutdown(descriptor, SHUT_WR)
    #endif
  }

  /// Makes the next `close` send a reset instead of an orderly end.
  package func resetOnClose() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  package func closeDescriptor() { close(descriptor) }

  private static var streamType: Int32 {
    #if canImport(Glibc)
      Int32(SOCK_STREAM.rawValue)
    #else
      SOCK_STREAM
    #endif
  }

  private static func enable(_ option: Int32, of descriptor: Int32) {
    var isEnabled: Int32 = 1
    setsockopt(
      descriptor, SOL_SOCKET, option, &isEnabled, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func withLoopbackAddress(
    _ family: Family, port: UInt16, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Void
  ) {
    switch family {
    case .v4:
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
      withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    case .v6:
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_addr = in6addr_loopback
      withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          body($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
        }
      }
    }
  }
}

/// A system call that failed, with its error number.
struct SocketError: Error, CustomStringConvertible {
  var call: String
  var code: Int32

  init(_ call: String, _ code: Int32) {
    self.call = call
    self.code = code
  }

  var description: String { "\(call) failed with error \(code)" }
}
