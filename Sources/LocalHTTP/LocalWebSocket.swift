internal import ApolloAPI
internal import ApolloHashing
internal import Foundation

/// The server's end of a WebSocket, which a handler accepts and uses until it returns.
///
/// ```swift
/// guard let socket = response.acceptWebSocket() else { return }
/// for await message in socket.messages { socket.send("You said: \(message)") }
/// ```
///
/// Messages are texts; a binary one ends the connection. Pings are answered. The stream of messages
/// ends with the connection.
///
/// Spec: RFC 6455.
package final class LocalWebSocket: ByteReader {
  /// The messages of the client. They are kept without a limit until they are read.
  package let messages: AsyncStream<String>
  private let incoming: AsyncStream<String>.Continuation
  private let outbox: ByteOutbox

  private struct State {
    var frames = WebSocketFrames()
    var hasSentClose = false
    var hasEnded = false
  }

  private let state = Lock(State())

  init(_ outbox: ByteOutbox) {
    self.outbox = outbox
    (messages, incoming) = AsyncStream.makeStream(of: String.self)
  }

  /// Sends a message. Returns `false` if the connection has ended.
  @discardableResult
  package func send(_ text: String) -> Bool {
    state.withLock { state in
      guard !state.hasSentClose else { return false }
      return outbox.append(WebSocketFrames.frame(.text, Array(text.utf8)))
    }
  }

  /// Ends the connection, with a reason of at most 123 bytes. Of a longer one, whole characters of
  /// its beginning are sent, since clients refuse half a character (RFC 6455, section 5.5.1).
  package func close(_ code: UInt16 = 1000, _ reason: String = "") {
    state.withLock { close(code, reason, &$0) }
    incoming.finish()
  }

  private func close(_ code: UInt16?, _ reason: String, _ state: inout State) {
    guard !state.hasSentClose else { return }
    state.hasSentClose = true
    var body: [UInt8] = []
    if let code {
      var reason = reason[...]
      while reason.utf8.count > 123 { reason.removeLast() }
      body = [UInt8(code >> 8), UInt8(code & 0xFF)] + Array(reason.utf8)
    }
    _ = outbox.append(WebSocketFrames.frame(.close, body))
  }

  // MARK: The connection's thread

  /// Takes bytes of the client.
  func receive(_ bytes: [UInt8]) {
    var texts: [String] = []
    let hasEnded = state.withLock { state in
      state.frames.append(bytes)
      do throws(WebSocketFrames.Violation) {
        while !state.hasEnded, let event = try state.frames.next() {
          switch event {
          case .text(let text): texts.append(text)
          case .ping(let body):
            if !state.hasSentClose { _ = outbox.append(WebSocketFrames.frame(.pong, body)) }
          case .pong: break
          case .close(let code):
            state.hasEnded = true
            close(code, "", &state)
          }
        }
      } catch {
        state.hasEnded = true
        close(error.code, error.reason, &state)
      }
      return state.hasEnded
    }
    for text in texts { incoming.yield(text) }
    if hasEnded { incoming.finish() }
  }

  /// `true` after the client's end of the protocol.
  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Ends the stream of messages.
  func end() {
    state.withLock { ($0.hasEnded, $0.hasSentClose) = (true, true) }
    incoming.finish()
  }

  /// Returns the value of `Sec-WebSocket-Accept` for a key.
  static func acceptValue(for key: String) -> String {
    let text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    return Data(SHA1.hash(Array(text.utf8))).base64EncodedString()
  }
}
