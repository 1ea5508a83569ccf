#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A TCP socket of the loopback interface, by its file descriptor.
struct LocalSocket: Sendable {
  let descriptor: Int32

  /// Creates a socket that listens on a port of `127.0.0.1`; with 0, on one that the system
  /// chooses.
  static func listening(on port: UInt16) throws(LocalServerError) -> (LocalSocket, port: UInt16) {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw LocalServerError(port: port, code: errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    if port != 0 { set(SO_REUSEADDR, of: descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 128) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isListening else {
      let error = LocalServerError(port: port, code: errno)
      close(descriptor)
      throw error
    }
    return (LocalSocket(descriptor: descriptor), UInt16(bigEndian: address.sin_port))
  }

  private static func set(
    _ option: Int32, of descriptor: Int32, level: Int32 = SOL_SOCKET
  ) {
    var isEnabled: Int32 = 1
    setsockopt(descriptor, level, option, &isEnabled, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Takes a client that waits. Returns `nil` if it has gone already, or if the process has no
  /// descriptor left.
  func accept() -> LocalSocket? {
    #if canImport(Darwin)
      let client = Darwin.accept(descriptor, nil, nil)
    #elseif canImport(Glibc)
      let client = Glibc.accept(descriptor, nil, nil)
    #else
      let client = Musl.accept(descriptor, nil, nil)
    #endif
    guard client >= 0 else { return nil }
    _ = fcntl(client, F_SETFD, FD_CLOEXEC)
    _ = fcntl(client, F_SETFL, 0)  // some systems let it not block, like the listener
    #if canImport(Darwin)
      Self.set(SO_NOSIGPIPE, of: client)
    #endif
    Self.set(TCP_NODELAY, of: client, level: Int32(IPPROTO_TCP))
    return LocalSocket(descriptor: client)
  }

  /// Limits the time for which sending and receiving wait.
  func limitWaiting(seconds: Int) {
    var time = timeval()
    time.tv_sec = .init(seconds)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(
        descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  /// Sends all bytes. Returns `false` if the client has gone, or does not read.
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
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }

  /// Sends the bytes that the system takes at once. Returns their number, which may be 0, or `nil`
  /// if the client has gone.
  func sendAtOnce(_ bytes: ArraySlice<UInt8>) -> Int? {
    while true {
      let count = bytes.withUnsafeBytes { rest in
        #if canImport(Darwin)
          Darwin.send(descriptor, rest.baseAddress, rest.count, MSG_DONTWAIT)
        #elseif canImport(Glibc)
          Glibc.send(
            descriptor, rest.baseAddress, rest.count,
            Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        #else
          Musl.send(descriptor, rest.baseAddress, rest.count, MSG_NOSIGNAL | MSG_DONTWAIT)
        #endif
      }
      if count >= 0 { return count }
      if errno == EAGAIN || errno == EWOULDBLOCK { return 0 }
      if errno != EINTR { return nil }
    }
  }

  /// Ends the connection so that the client gets all that was sent: the system would discard it if
  /// there were bytes that nothing reads.
  func endPolitely() {
    #if canImport(Glibc)
      _ = shutdown(descriptor, Int32(SHUT_WR))
    #else
      _ = shutdown(descriptor, SHUT_WR)
    #endif
    limitWaiting(seconds: 1)
    for _ in 0..<64 where receive().isEmpty { return }
  }

  /// Waits for bytes. Empty when the client has gone, or sends nothing for too long.
  func receive() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
      var received = -1
      repeat {
        received = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      } while received < 0 && errno == EINTR
      count = max(0, received)
    }
  }

  /// Ends both directions. A thread that waits in ``receive()`` continues.
  func shutDown() {
    #if canImport(Glibc)
      _ = shutdown(descriptor, Int32(SHUT_RDWR))
    #else
      _ = shutdown(descriptor, SHUT_RDWR)
    #endif
  }

  func closeDescriptor() { close(descriptor) }
}

/// A pipe by which one thread ends another's wait for a client.
struct WakePipe: Sendable {
  private let reading: Int32
  private let writing: Int32

  /// Creates a pipe, or returns `nil` if the process has no descriptor left.
  init?() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (reading, writing) = (ends[0], ends[1])
  }

  func wake() {
    var byte: UInt8 = 1
    _ = write(writing, &byte, 1)
  }

  /// Waits for a client of a listener. Returns `false` if the pipe was woken.
  ///
  /// Shutting a listener down ends no wait on Apple platforms.
  func waitForClient(of listener: LocalSocket) -> Bool {
    var watched = [
      pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
      pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&watched, nfds_t(watched.count), -1) < 0 {
      guard errno == EINTR else { return false }
    }
    return watched[0].revents == 0
  }

  /// The events of a wait.
  struct Events {
    var isWoken = false
    /// Bytes have arrived.
    var canReceive = false
    var canSend = false
    /// The client has ended the connection.
    var isGone = false
  }

  /// Waits until the pipe is woken, which is consumed, or something happens to a client.
  ///
  /// - Parameters:
  ///   - client: The client, or `nil` to wait for the pipe alone.
  ///   - receiving: `true` to wait for bytes of the client.
  ///   - sending: `true` to wait until the client takes bytes, but not for ever.
  ///   - leaving: `true` to wait for the end of what the client sends, too. It may still read.
  ///   - seconds: The longest time to wait until the client takes bytes.
  /// - Returns: The events; none of them after the time.
  func wait(
    _ client: LocalSocket?, receiving: Bool = false, sending: Bool = false, leaving: Bool = true,
    seconds: Int
  ) -> Events {
    var watched = [pollfd(fd: reading, events: Int16(POLLIN), revents: 0)]
    if let client {
      // The system reports that a connection was reset without being asked for it.
      let events =
        (leaving ? Self.leaving : 0) | (receiving ? Int16(POLLIN) : 0)
        | (sending ? Int16(POLLOUT) : 0)
      watched.append(pollfd(fd: client.descriptor, events: events, revents: 0))
    }
    while poll(&watched, nfds_t(watched.count), sending ? Int32(seconds) * 1_000 : -1) < 0 {
      // Without memory, the wait is repeated: the pipe must not be closed before it is woken.
      if errno != EINTR { usleep(1_000) }
    }
    var events = Events()
    if watched[0].revents != 0 {
      var byte: UInt8 = 0
      while read(reading, &byte, 1) > 0 {}
      events.isWoken = true
    }
    if let found = watched.dropFirst().first?.revents {
      events.canReceive = found & Int16(POLLIN) != 0
      events.canSend = found & Int16(POLLOUT) != 0
      events.isGone = found & ~Int16(POLLIN | POLLOUT) != 0
    }
    return events
  }

  /// The event of a client that ends the connection, also behind bytes that were not read yet.
  private static var leaving: Int16 {
    #if canImport(Darwin)
      0
    #else
      0x2000  // POLLRDHUP, which the headers hide from Swift
    #endif
  }

  func closeDescriptors() {
    close(reading)
    close(writing)
  }
}

/// The reason that a server could not start.
package struct LocalServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The port that was asked for, or 0.
  package var port: UInt16
  /// The error number of the system.
  package var code: Int32

  /// Indicates whether another program listens on the port.
  package var isTaken: Bool { code == EADDRINUSE }

  package var description: String {
    if isTaken { return "Another program listens on port \(port). Choose another port." }
    let reason = String(cString: strerror(code))
    return code == EACCES
      ? "The port \(port) may not be used: \(reason). Choose one above 1023."
      : "No server can listen on port \(port): \(reason)."
  }
}
