#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A TCP socket by its file descriptor, with the handful of calls a scripted server needs.
struct Socket: Sendable {
  var descriptor: Int32

  /// A socket bound to a port of the loopback interface which the system chose.
  ///
  /// `isListening` says whether it takes connections. If not, the port is taken all the same, and
  /// whoever connects to it is refused.
  static func bound(isListening: Bool) throws -> (socket: Socket, port: UInt16) {
    let descriptor = socket(AF_INET, streamType, 0)
    guard descriptor >= 0 else { throw SocketError("socket", errno) }
    var address = loopbackAddress()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let failure: SocketError? = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        if bind(descriptor, address, length) != 0 { return SocketError("bind", errno) }
        if isListening, listen(descriptor, 1_024) != 0 { return SocketError("listen", errno) }
        if getsockname(descriptor, address, &length) != 0 {
          return SocketError("getsockname", errno)
        }
        return nil
      }
    }
    if let failure {
      close(descriptor)
      throw failure
    }
    return (Socket(descriptor: descriptor), UInt16(bigEndian: address.sin_port))
  }

  /// Waits for a client. `nil` when the socket was shut down.
  func accept() -> Socket? {
    #if canImport(Darwin)
      let client = Darwin.accept(descriptor, nil, nil)
    #elseif canImport(Glibc)
      let client = Glibc.accept(descriptor, nil, nil)
    #else
      let client = Musl.accept(descriptor, nil, nil)
    #endif
    return client >= 0 ? Socket(descriptor: client) : nil
  }

  /// Sends all of `bytes`; `false` when the peer has gone.
  func send(_ bytes: [UInt8]) -> Bool {
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
  func receive() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
      var received = -1
      repeat {
        received = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      } while received < 0 && errno == EINTR
      count = max(0, received)
    }
  }

  /// Ends both directions; a thread that waits in `accept` or `receive` wakes up.
  func shutDown() {
    #if canImport(Glibc)
      _ = shutdown(descriptor, Int32(SHUT_RDWR))
    #else
      _ = shutdown(descriptor, SHUT_RDWR)
    #endif
  }

  /// Makes the next `close` send a reset instead of an orderly end.
  func resetOnClose() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  func closeDescriptor() { close(descriptor) }

  private static var streamType: Int32 {
    #if canImport(Glibc)
      Int32(SOCK_STREAM.rawValue)
    #else
      SOCK_STREAM
    #endif
  }

  private static func loopbackAddress() -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    return address
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
