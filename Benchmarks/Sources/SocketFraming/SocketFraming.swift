/// The framing of WebSockets, compiled from the sources of `ApolloWebSocket`, which does not offer
/// it to programs.
public enum SocketFraming {
  /// Masks bytes in place, 64 at a time.
  public static func mask(_ bytes: UnsafeMutableRawBufferPointer) {
    MaskingKey(word: 0x1234_5678).apply(to: bytes)
  }

  /// The frames of a server that sends a text `count` times.
  public static func frames(_ text: [UInt8], count: Int, isCompressed: Bool = false) -> [UInt8] {
    let compression = isCompressed ? CompressionAgreement() : nil
    var machine = SocketMachine(.init(role: .server, compression: compression))
    for _ in 0..<count { _ = machine.send(WebSocketMessage(.text, text)) }
    return machine.takeOutput()
  }

  /// Reads the frames of a server in pieces of 64 KiB. Returns the number of messages.
  public static func read(_ frames: inout [UInt8], isCompressed: Bool = false) -> Int {
    let compression = isCompressed ? CompressionAgreement() : nil
    var machine = SocketMachine(.init(compression: compression))
    var count = 0
    frames.withUnsafeMutableBytes { bytes in
      var start = 0
      while start < bytes.count {
        let end = min(start + (64 << 10), bytes.count)
        var piece = UnsafeMutableRawBufferPointer(rebasing: bytes[start..<end])[...]
        while let event = machine.receive(&piece) {
          if case .message = event { count += 1 }
        }
        start = end
      }
    }
    return count
  }

  /// Writes the frames of a client. Returns their size.
  public static func write(_ text: [UInt8], count: Int) -> Int {
    var machine = SocketMachine(.init())
    for _ in 0..<count { _ = machine.send(WebSocketMessage(.text, text)) }
    return machine.takeOutput().count
  }

  /// The value with which a server accepts a handshake, in bytes.
  public static func acceptHash(_ key: String) -> [UInt8] {
    SHA1.hash(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
  }
}
