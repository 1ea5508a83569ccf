#if CURL
  import ApolloTransport
  import Foundation
  import FoundationNetworking
  import LoopbackServer
  import Testing

  /// Responses whose reader is slower than the network, so that libcurl keeps some of their bytes.
  @Suite(.timeLimit(.minutes(10)))
  struct PausedResponseTests {
    /// A first chunk that fills the buffer, and a second one that is refused when it is read.
    struct Row: CustomTestStringConvertible {
      var testDescription: String
      var headers = ""
      var chunks: [[UInt8]]
      var code: NetworkError.Code
    }

    static let rows = [
      Row(
        testDescription: "beyond the limit",
        chunks: [Array(repeating: 0x20, count: 100_000), [0x20]], code: .responseTooLarge),
      Row(
        testDescription: "not a compressed body", headers: "Content-Encoding: gzip\r\n",
        chunks: [compressedZeros, [1, 2, 3]], code: .malformedResponse),
    ]

    /// 70,000 times the digit zero, by gzip.
    private static let compressedZeros = [UInt8](
      Data(
        base64Encoded:
          "H4sIAAAAAAACA+3BMQEAAADCoErrn84SnkABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAG8DPp6zQ3ARAQA="
      ) ?? Data())

    @Test(arguments: rows)
    func aKeptPieceThatIsRefusedEndsTheResponse(_ row: Row) async throws {
      let server = try LoopbackServer { _, reply in
        var bytes = Array(
          "HTTP/1.1 200 OK\r\n\(row.headers)Transfer-Encoding: chunked\r\n\r\n".utf8)
        for chunk in row.chunks + [[]] {
          bytes += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8)
        }
        // At once, so that the second chunk has arrived when the reader begins.
        reply.send(bytes)
      }
      defer { server.stop() }
      let client = CurlClient.patient(limits: TransferLimits(maximumResponseByteCount: 100_000))
      let response = try await client.response(to: URLRequest(url: server.url()))
      let error = await #expect(throws: NetworkError.self) { try await response.body() }
      #expect(error?.code == row.code)
      await server.wait { $0.openConnectionCount == 0 }
    }
  }
#endif
