import Foundation
import LoopbackServer

/// A GraphQL server one response in a hundred of which has each fault.
enum FaultyServer {
  /// The misbehavior of a response.
  enum Fault: Int, CaseIterable {
    case closedInHead, closedInBody, reset, garbage, slow, silent, oversized, endless
    case redirectLoop, foreignRedirect, serverError, webPage, emptyBody, wrongLength, trailer
    case closedAfterwards
  }

  /// The most bytes that the clients accept.
  static let maximumByteCount = 256 << 10

  /// Prints the port and serves until the standard input ends.
  static func run() throws {
    let server = try LoopbackServer(keepsRequests: false) { request, reply in
      // The client's number decides, so a run can be repeated.
      let number = Int(request.headers["x-number"] ?? "") ?? 0
      respond(to: number, request, reply)
    }
    print(server.port)
    fflush(nil)
    _ = FileHandle.standardInput.readDataToEndOfFile()
  }

  /// A number from 0 to 99 that looks random.
  private static func die(_ number: Int) -> Int {
    var x = UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15
    x ^= x >> 32
    return Int((x &* 0xD6E8_FEB8_6659_FD93) >> 33) % 100
  }

  private static func respond(to number: Int, _ request: ReceivedRequest, _ reply: Reply) {
    let body =
      #"{"data":{"hero":{"__typename":"Hero","id":"\#(number % 500)","name":"\#(number)","friends":[]}}}"#
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
    guard let fault = Fault(rawValue: die(number)) else { return reply.json(body) }
    switch fault {
    case .closedInHead:
      reply.send("HTTP/1.1 200 OK\r\nContent-Ty")
      reply.close()
    case .closedInBody:
      reply.send(head + "Content-Length: 1000\r\n\r\n" + body)
      reply.close()
    case .reset:
      reply.send(head + "Content-Length: 1000\r\n\r\n{")
      reply.reset()
    case .garbage:
      reply.send([UInt8]((0..<300).map { UInt8(truncatingIfNeeded: $0 &* number &+ 7) }))
      reply.close()
    case .slow:
      reply.beginChunks()
      for character in body where reply.chunk(String(character)) {
        Thread.sleep(forTimeInterval: 0.005)
      }
      reply.endChunks()
    case .silent: reply.waitForClientToClose()
    case .oversized:
      reply.send(head + "Content-Length: \(maximumByteCount + 1)\r\n\r\n" + body)
      reply.waitForClientToClose()
    case .endless:
      reply.beginChunks()
      let piece = String(repeating: " ", count: 16 << 10)
      while reply.chunk(piece) {}
      reply.close()
    case .redirectLoop:
      reply.respond(307, headers: [("Location", request.target)])
    case .foreignRedirect:
      reply.respond(307, headers: [("Location", "http://localhost:1/elsewhere")])
    case .serverError: reply.json(#"{"errors":[{"message":"down"}]}"#, status: 503)
    case .webPage: reply.json("<!DOCTYPE html>", status: 502, type: "text/html")
    case .emptyBody: reply.json("")
    case .wrongLength:
      reply.send(head + "Content-Length: 12\r\nContent-Length: 13\r\n\r\n" + body)
      reply.close()
    case .trailer:
      reply.beginChunks()
      reply.chunk(body)
      reply.send("0\r\nX-Trailer: 1\r\n\r\n")
    case .closedAfterwards:
      reply.json(body)
      reply.close()
    }
  }
}
