#if os(Linux)
  import Foundation
  import SocketFraming

  /// A server of WebSockets on a thread for each connection. It responds to each message whose text
  /// is a number with so many small messages, and sends other messages back.
  final class SocketServer {
    let url: URL
    private let listener: Int32

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
      Thread.detachNewThread {
        while true {
          let client = Glibc.accept(listener, nil, nil)
          guard client >= 0 else { return }
          Thread.detachNewThread { Peer(client).serve() }
        }
      }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }
  }

  private final class Peer {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var blocks: [Int: [UInt8]] = [:]

    init(_ descriptor: Int32) {
      self.descriptor = descriptor
      var isOn: Int32 = 1
      setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, 4)
    }

    deinit { close(descriptor) }

    func serve() {
      guard handshake() else { return }
      while let message = next() {
        if let count = Int(String(decoding: message, as: UTF8.self)) {
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
        return send(
          Array(
            "HTTP/1.1 101 S\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(accept)\r\n\r\n"
              .utf8))
      }
    }

    /// The next short message. Other frames end the connection.
    private func next() -> [UInt8]? {
      while buffer.count < 6 || buffer.count < 6 + Int(buffer[1] & 0x7F) {
        guard fill() else { return nil }
      }
      let count = Int(buffer[1] & 0x7F)
      guard buffer[0] == 0x81, count < 126 else { return nil }
      let message = (0..<count).map { buffer[6 + $0] ^ buffer[2 + $0 % 4] }
      buffer.removeFirst(6 + count)
      return message
    }

    private func fill() -> Bool {
      let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { bytes, count in
        count = max(0, recv(descriptor, bytes.baseAddress, bytes.count, 0))
      }
      buffer += bytes
      return !bytes.isEmpty
    }

    private func send(_ bytes: [UInt8]) -> Bool {
      bytes.withUnsafeBytes { bytes in
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
