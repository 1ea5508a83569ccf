import Dispatch
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A request line and the headers, with names in lower case.
struct Request: Sendable {
  var path: String
  var headers: [String: String]
}

/// The status and the text of a response.
struct Response: Sendable {
  var status: String
  var text: String
}

/// A server for this example: one request for each connection, and no body. A real program uses
/// Hummingbird or Vapor.
struct HTTPServer {
  private let listener: Int32
  /// The port, which the system has chosen.
  let port: UInt16

  /// Listens on the loopback interface.
  init() throws {
    #if canImport(Darwin) || canImport(Musl)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    listener = socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian  // 127.0.0.1
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    let isListening = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, size) == 0 && listen(descriptor, 64) == 0
          && getsockname(descriptor, address, &size) == 0
      }
    }
    guard isListening else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    port = UInt16(bigEndian: address.sin_port)
  }

  /// Serves requests for the rest of the program, each in a task of its own.
  func serve(_ respond: @escaping @Sendable (Request) async -> Response) async {
    let listener = listener
    let connections = AsyncStream<Int32> { continuation in
      // A thread of its own, because waiting for a connection blocks it.
      Thread.detachNewThread {
        while true {
          let connection = accept(listener, nil, nil)
          guard connection >= 0 else { continue }
          continuation.yield(connection)
        }
      }
    }
    await withDiscardingTaskGroup { group in
      for await connection in connections {
        group.addTask {
          let request = await receive(connection)
          let response =
            if let request { await respond(request) } else {
              Response(status: "400 Bad Request", text: "This is not a request.\n")
            }
          send(response, connection)
        }
      }
    }
  }
}

/// Reads a request up to the end of its headers, or returns `nil` if there is none.
private func receive(_ connection: Int32) async -> Request? {
  await withCheckedContinuation { continuation in
    DispatchQueue.global().async {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while bytes.count < 64 * 1024, bytes.suffix(4) != Array("\r\n\r\n".utf8) {
        let count = recv(connection, &buffer, buffer.count, 0)
        guard count > 0 else { break }
        bytes += buffer[..<count]
      }
      continuation.resume(returning: Request(String(decoding: bytes, as: UTF8.self)))
    }
  }
}

private func send(_ response: Response, _ connection: Int32) {
  let text = """
    HTTP/1.1 \(response.status)\r
    Content-Type: text/plain; charset=utf-8\r
    Content-Length: \(response.text.utf8.count)\r
    Connection: close\r
    \r
    \(response.text)
    """
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(connection, $0.baseAddress, $0.count) }
    guard count > 0 else { break }  // the other side has gone
    rest = rest.dropFirst(count)
  }
  close(connection)
}

extension Request {
  fileprivate init?(_ text: String) {
    let lines = text.split(separator: "\r\n")
    guard let parts = lines.first?.split(separator: " "), parts.count == 3, parts[0] == "GET"
    else { return nil }
    path = String(parts[1])
    headers = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] =
        line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
  }
}
