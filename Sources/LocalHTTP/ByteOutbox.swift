internal import ApolloAPI

/// The reader of the bytes that a client sends after its request.
///
/// A protocol although `LocalWebSocket` alone conforms: an outbox knows nothing of frames.
protocol ByteReader: AnyObject, Sendable {
  /// `true` if no more bytes are wanted.
  var hasEnded: Bool { get }
  func receive(_ bytes: [UInt8])
  /// The connection has ended.
  func end()
}

/// The bytes on their way to a client. Handlers add them and never wait for the client: what it
/// does not take at once, the connection's thread sends.
///
/// Isolation: a lock guards the state.
final class ByteOutbox: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    /// The number of the first ones, which have been sent.
    var sent = 0
    var isClosed = false
    var isHandled = false
    var reader: (any ByteReader)?

    var count: Int { bytes.count - sent }
  }

  private let client: LocalSocket
  private let pipe: WakePipe
  private let state = Lock(State())

  /// The number of bytes from which on a client that does not read them gets no more.
  private static let mostBytes = 16 << 20

  init(_ client: LocalSocket, _ pipe: WakePipe) {
    self.client = client
    self.pipe = pipe
  }

  /// Adds bytes. Returns `false` if the client has gone, or does not read.
  func append(_ bytes: [UInt8]) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      guard state.count < Self.mostBytes else {
        close(&state)
        pipe.wake()
        return false
      }
      let wasEmpty = state.count == 0
      state.bytes += bytes
      guard wasEmpty else { return true }
      flush(&state)
      if state.count > 0 || state.isClosed { pipe.wake() }
      return !state.isClosed
    }
  }

  /// Sends what the client takes at once.
  func flush() { state.withLock { flush(&$0) } }

  private func flush(_ state: inout State) {
    while state.count > 0 {
      guard let count = client.sendAtOnce(state.bytes[state.sent...]) else {
        return close(&state)
      }
      if count == 0 { return }
      state.sent += count
    }
    state.bytes.removeAll(keepingCapacity: state.bytes.count < 1 << 16)
    state.sent = 0
  }

  /// Sends nothing any more.
  func close() { state.withLock { close(&$0) } }

  private func close(_ state: inout State) {
    state.isClosed = true
    (state.bytes, state.sent) = ([], 0)
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// `true` if bytes wait for the client.
  var hasBytes: Bool { state.withLock { $0.count > 0 } }

  // MARK: The handler

  /// Lets the connection's thread know that the handler has returned.
  func endHandler() {
    state.withLock { state in
      state.isHandled = true
      pipe.wake()
    }
  }

  var isHandled: Bool { state.withLock { $0.isHandled } }

  /// Lets the connection's thread read for another protocol from now on.
  func read(with reader: any ByteReader) {
    state.withLock { state in
      state.reader = reader
      pipe.wake()
    }
  }

  var reader: (any ByteReader)? { state.withLock { $0.reader } }
}
