#if os(Linux)
  import Foundation
  import SocketFraming

  /// A server of WebSockets on a thread for each connection.
  ///
  /// - It responds to each message whose text is a number with so many small messages.
  /// - It speaks `graphql-transport-ws`: a subscription has as many events as its variable `count`
  ///   says. One with the count zero has one, stays open, and receives what ``publish(_:)`` sends.
  /// - It sends other messages back.
  final class SocketServer: Sendable {
    let url: URL
    private let listener: Int32
    private let peers = Peers()

    init() throws {
      listener = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let listener = listener
      let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          bind(listener, address, length) == 0 && listen(listener, 64) == 0
            && getsockname(listener, address, &length) == 0
        }
      }
      guard isBound,
        let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/")
      else { throw HTTPFailure() }
      self.url = url
      Thread.detachNewThread { [peers] in
        while true {
          let client = Glibc.accept(listener, nil, nil)
          guard client >= 0 else { return }
          Thread.detachNewThread {
            let peer = Peer(client)
            peers.add(peer)
            peer.serve()
          }
        }
      }
    }

    /// Sends an event to every open subscription, one after the other. `commentary` returns the
    /// text of the event.
    func publish(_ commentary: () -> String) {
      for peer in peers.all { peer.publish(commentary) }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }
  }

  // `@unchecked Sendable` because `lock` guards the list.
  private final class Peers: @unchecked Sendable {
    private let lock = NSLock()
    private var list: [Peer] = []

    func add(_ peer: Peer) { lock.withLock { list.append(peer) } }

    var all: [Peer] { lock.withLock { list } }
  }

  // `@unchecked Sendable` because one thread serves, `lock` guards the ids, and `sending` the
  // socket.
  private final class Peer: @unchecked Sendable {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var blocks: [Int: [UInt8]] = [:]
    private let lock = NSLock()
    private let sending = NSLock()
    private var openIDs: [String] = []

    init(_ descriptor: Int32) {
      self.descriptor = descriptor
      var isOn: Int32 = 1
      setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, 4)
    }

    deinit { close(descriptor) }

    func serve() {
      guard handshake() else { return }
      while let message = next() {
        if message.first == UInt8(ascii: "{") {
          guard respond(to: String(decoding: message, as: UTF8.self)) else { return }
        } else if let count = Int(String(decoding: message, as: UTF8.self)) {
          let block = blocks[count] ?? SocketFraming.frames(smallMessage, count: count)
          blocks[count] = block
          guard send(block) else { return }
        } else if !send([0x81, UInt8(message.count)] + message) {
          return
        }
      }
    }

    private func handshake() -> Bool {
      while true {
        guard fill() else { return false }
        let text = String(decoding: buffer, as: UTF8.self)
        guard text.hasSuffix("\r\n\r\n") else { continue }
        buffer = []
        let key = text.components(separatedBy: "\r\n").first { $0.hasPrefix("Sec-WebSocket-Key: ") }
        let hash = SocketFraming.acceptHash(String(key?.dropFirst(19) ?? ""))
        let accept = Data(hash).base64EncodedString()
        let subprotocol =
          text.contains("graphql-transport-ws")
          ? "Sec-WebSocket-Protocol: graphql-transport-ws\r\n" : ""
        return send(
          Array(
            "HTTP/1.1 101 S\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\(subprotocol)Sec-WebSocket-Accept: \(accept)\r\n\r\n"
              .utf8))
      }
    }

    /// Responds to a message of `graphql-transport-ws`.
    private func respond(to text: String) -> Bool {
      if text.contains("\"connection_init\"") { return sendText(#"{"type":"connection_ack"}"#) }
      guard text.contains("\"subscribe\""),
        let id = text.firstMatch(of: #/"id":"(.*?)"/#)?.1,
        let count = text.firstMatch(of: #/"count":([0-9]+)/#).flatMap({ Int($0.1) })
      else { return true }
      if count == 0 {
        lock.withLock { openIDs.append(String(id)) }
        return sendText(event(id, ""))
      }
      let events = SocketFraming.frames(Array(event(id, "Great film!").utf8), count: count)
      return send(events) && sendText(#"{"id":"\#(id)","type":"complete"}"#)
    }

    func publish(_ commentary: () -> String) {
      for id in lock.withLock({ openIDs }) where !sendText(event(id, commentary())) { return }
    }

    private func event(_ id: some StringProtocol, _ commentary: String) -> String {
      #"{"id":"\#(id)","type":"next","payload":{"data":{"reviewAdded":{"__typename":"Review","stars":5,"commentary":"\#(commentary)"}}}}"#
    }

    private func sendText(_ text: String) -> Bool {
      send(SocketFraming.frames(Array(text.utf8), count: 1))
    }

    /// The next message. Frames of other kinds, and fragments, end the connection.
    private func next() -> [UInt8]? {
      while true {
        if let header = header(), buffer.count >= header.size + 4 + header.length {
          guard buffer[0] == 0x81 else { return nil }
          let start = header.size + 4
          let message = (0..<header.length).map {
            buffer[start + $0] ^ buffer[header.size + $0 % 4]
          }
          buffer.removeFirst(start + header.length)
          return message
        }
        guard fill() else { return nil }
      }
    }

    /// The size of a frame's header without the mask, and that of its payload.
    private func header() -> (size: Int, length: Int)? {
      guard buffer.count >= 4 else { return nil }
      let length = Int(buffer[1] & 0x7F)
      return length < 126 ? (2, length) : (4, Int(buffer[2]) << 8 | Int(buffer[3]))
    }

    private func fill() -> Bool {
      let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { bytes, count in
        count = max(0, recv(descriptor, bytes.baseAddress, bytes.count, 0))
      }
      buffer += bytes
      return !bytes.isEmpty
    }

    private func send(_ bytes: [UInt8]) -> Bool {
      sending.lock()
      defer { sending.unlock() }
      return bytes.withUnsafeBytes { bytes in
        var sent = 0
        while sent < bytes.count {
          let count = Glibc.send(
            descriptor, bytes.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
          if count <= 0 { return false }
          sent += count
        }
        return true
      }
    }
  }
#endif
