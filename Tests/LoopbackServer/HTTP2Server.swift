package import Foundation

/// A scripted server of HTTP/2 without TLS, for clients that know that it speaks it. A script
/// decides, frame by frame, about each request.
///
/// ```swift
/// let server = try HTTP2Server { stream in
///   if stream.number == 0 { stream.refuse() } else { stream.respond("{}") }
/// }
/// defer { server.stop() }
/// ```
package final class HTTP2Server: Sendable {
  /// A request whose body has arrived, and the way to respond to it.
  package struct Stream: Sendable {
    /// The number of requests to the server before.
    package let number: Int
    package let id: UInt32
    /// The number of connections to the server before that of the request.
    package let connectionNumber: Int
    package let body: [UInt8]
    fileprivate let socket: Socket
    fileprivate let isAborted: Guarded<Bool>

    package var bodyText: String { String(decoding: body, as: UTF8.self) }

    /// Sends a response with status 200 and a JSON body.
    package func respond(_ json: String) {
      let type = "application/json"
      // `:status: 200` from the static table, then a literal without indexing (RFC 7541, 6.2.2).
      var block: [UInt8] = [0x88, 0x00, 12] + Array("content-type".utf8)
      block += [UInt8(type.utf8.count)] + Array(type.utf8)
      send(.headers, flags: 0x4, block)
      send(.data, flags: 0x1, Array(json.utf8))
    }

    /// Resets the stream, which the server has not processed.
    package func refuse() { reset(code: 7) }

    /// Resets the stream with an error code.
    package func reset(code: UInt32) { send(.reset, code.bigEndianBytes) }

    /// Announces the end of the connection. Streams after `last` are not processed.
    package func goAway(last: UInt32, code: UInt32 = 0) {
      let bytes = HTTP2Server.frame(
        .goAway, stream: 0, last.bigEndianBytes + code.bigEndianBytes)
      _ = socket.send(bytes)
    }

    /// Ends the connection.
    package func close() { socket.shutDown() }

    /// Ends the connection with a reset.
    package func abort() {
      socket.resetOnClose()
      isAborted.withLock { $0 = true }
    }

    private func send(_ kind: FrameKind, flags: UInt8 = 0, _ payload: [UInt8]) {
      _ = socket.send(HTTP2Server.frame(kind, flags: flags, stream: id, payload))
    }
  }

  fileprivate enum FrameKind: UInt8 {
    case data = 0
    case headers = 1
    case reset = 3
    case settings = 4
    case ping = 6
    case goAway = 7
    case windowUpdate = 8
  }

  package typealias Script = @Sendable (Stream) -> Void

  private struct State {
    var bodies: [String] = []
    var sockets: [Socket] = []
    var connectionCount = 0
    var isStopped = false
  }

  package let port: UInt16
  private let listener: Socket
  private let script: Script
  private let maximumBodyByteCount: Int
  private let state = Guarded(State())
  private let threads = DispatchGroup()

  /// - Parameters:
  ///   - maximumBodyByteCount: The size beyond which a stream is reset, as HAProxy does, while its
  ///     body is being sent.
  ///   - script: The responses.
  /// - Throws: An error of the system when there is no socket left.
  package init(maximumBodyByteCount: Int = .max, _ script: @escaping Script) throws {
    (listener, port) = try Socket.bound(isListening: true)
    self.maximumBodyByteCount = maximumBodyByteCount
    self.script = script
    startThread { $0.acceptConnections() }
  }

  /// The server's address.
  package var url: URL {
    guard let url = URL(string: "http://127.0.0.1:\(port)/graphql") else {
      preconditionFailure("A port makes a URL.")
    }
    return url
  }

  /// The bodies of all requests so far.
  package var bodies: [String] { state.withLock { $0.bodies } }

  /// Ends every connection and waits for all threads.
  package func stop() {
    state.withLock { state in
      for socket in state.sockets { socket.shutDown() }
      if !state.isStopped { listener.shutDown() }
      state.isStopped = true
    }
    threads.wait()
  }

  private func startThread(_ body: @escaping @Sendable (HTTP2Server) -> Void) {
    threads.enter()
    let thread = Thread { [threads] in
      body(self)
      threads.leave()
    }
    thread.stackSize = 512 * 1_024
    thread.start()
  }

  private func acceptConnections() {
    while !state.withLock({ $0.isStopped }) {
      guard let socket = listener.accept() else { continue }
      let number = state.withLock { state in
        guard !state.isStopped else { return nil as Int? }
        state.sockets.append(socket)
        state.connectionCount += 1
        return state.connectionCount - 1
      }
      guard let number else {
        socket.closeDescriptor()
        break
      }
      startThread { $0.serve(socket, number) }
    }
    listener.closeDescriptor()
  }

  /// Reads frames until the client, or the script, ends the connection.
  private func serve(_ socket: Socket, _ connectionNumber: Int) {
    var reader = FrameReader(socket: socket)
    var bodies: [UInt32: [UInt8]] = [:]
    let isAborted = Guarded(false)
    // `SETTINGS_INITIAL_WINDOW_SIZE`, and the window of the connection: nothing waits for room.
    let window = UInt32(1 << 24).bigEndianBytes
    _ = socket.send(
      Self.frame(.settings, stream: 0, [0, 4] + window)
        + Self.frame(.windowUpdate, stream: 0, window))
    reader.skipPreface()
    while !isAborted.withLock({ $0 }), let frame = reader.next() {
      switch FrameKind(rawValue: frame.kind) {
      case .settings where frame.flags & 0x1 == 0:
        _ = socket.send(Self.frame(.settings, flags: 0x1, stream: 0, []))
      case .ping where frame.flags & 0x1 == 0:
        _ = socket.send(Self.frame(.ping, flags: 0x1, stream: 0, frame.payload))
      case .headers: bodies[frame.stream] = []
      case .data:
        guard let count = bodies[frame.stream]?.count else { continue }
        guard count + frame.payload.count <= maximumBodyByteCount else {
          bodies[frame.stream] = nil
          _ = socket.send(Self.frame(.reset, stream: frame.stream, UInt32(8).bigEndianBytes))
          continue
        }
        bodies[frame.stream, default: []] += frame.payload
      default: continue
      }
      let isWhole = frame.flags & 0x1 != 0 && (frame.kind == 0 || frame.kind == 1)
      guard isWhole, let body = bodies.removeValue(forKey: frame.stream) else { continue }
      let number = state.withLock { state in
        state.bodies.append(String(decoding: body, as: UTF8.self))
        return state.bodies.count - 1
      }
      script(
        Stream(
          number: number, id: frame.stream, connectionNumber: connectionNumber, body: body,
          socket: socket, isAborted: isAborted))
    }
    state.withLock { state in
      // Under the lock, because the descriptor may soon be that of another connection.
      state.sockets.removeAll { $0.descriptor == socket.descriptor }
      socket.closeDescriptor()
    }
  }

  fileprivate static func frame(
    _ kind: FrameKind, flags: UInt8 = 0, stream: UInt32, _ payload: [UInt8]
  ) -> [UInt8] {
    Array(UInt32(payload.count).bigEndianBytes.dropFirst()) + [kind.rawValue, flags]
      + stream.bigEndianBytes + payload
  }
}

/// Reads the frames that a client sends.
private struct FrameReader {
  struct Frame {
    var kind: UInt8
    var flags: UInt8
    var stream: UInt32
    var payload: [UInt8]
  }

  let socket: Socket
  private var buffer: [UInt8] = []

  init(socket: Socket) { self.socket = socket }

  mutating func skipPreface() { _ = take("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8.count) }

  /// Blocks until a whole frame has arrived. `nil` when the connection has ended.
  mutating func next() -> Frame? {
    guard let header = take(9) else { return nil }
    let count = header[0..<3].reduce(0) { $0 << 8 | Int($1) }
    guard let payload = take(count) else { return nil }
    let stream = header[5..<9].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return Frame(kind: header[3], flags: header[4], stream: stream, payload: payload)
  }

  private mutating func take(_ count: Int) -> [UInt8]? {
    while buffer.count < count {
      let bytes = socket.receive()
      if bytes.isEmpty { return nil }
      buffer += bytes
    }
    defer { buffer.removeFirst(count) }
    return Array(buffer[..<count])
  }
}

extension UInt32 {
  fileprivate var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
