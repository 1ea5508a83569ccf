package import Foundation

/// A server that passes each request on to another port of the loopback interface, on a connection
/// of its own, and records every byte of the response.
package final class RecordingServer: Sendable {
  private let server: LoopbackServer
  private let recorded = Guarded<[[UInt8]]>([])

  package init(port: UInt16) throws {
    server = try LoopbackServer { [recorded] request, reply in
      defer { reply.close() }
      guard let target = try? Socket.connected(to: port) else { return }
      defer { target.closeDescriptor() }
      guard target.send(Self.bytes(of: request)) else { return }
      var response: [UInt8] = []
      while true {
        let bytes = target.receive()
        if bytes.isEmpty { break }
        response += bytes
      }
      recorded.withLock { $0.append(response) }
      reply.send(response)
    }
  }

  package func url(_ path: String) -> URL { server.url(path) }

  /// The bytes of the responses so far.
  package var responses: [[UInt8]] { recorded.withLock { $0 } }

  package func stop() { server.stop() }

  /// The same request, whose response is the last one of its connection.
  private static func bytes(of request: ReceivedRequest) -> [UInt8] {
    var headers = request.headers
    headers["connection"] = "close"
    let lines = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
    return Array("\(request.method) \(request.target) HTTP/1.1\r\n\(lines)\r\n".utf8)
      + request.body
  }
}
