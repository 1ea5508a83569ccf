#if CURL
  import ApolloAPI
  import CurlShim
  import Foundation
  import FoundationNetworking
  import LoopbackServer
  import Testing

  @testable import ApolloTransport

  /// Compressed bodies, whole and broken.
  @Suite(.timeLimit(.minutes(10)))
  struct CompressionTests {
    /// `{"data":{"hero":{"name":"Ä"}}}` in each coding.
    static let bodies: [(coding: String, bytes: [UInt8])] = [
      ("gzip", bytes("H4sIAAAAAAACA6tWSkksSVSyqlbKSC3KB9F5ibmpSlZKh1uUamtrASmuo0AfAAAA")),
      ("x-gzip", bytes("H4sIAAAAAAACA6tWSkksSVSyqlbKSC3KB9F5ibmpSlZKh1uUamtrASmuo0AfAAAA")),
      ("GZip", bytes("H4sIAAAAAAACA6tWSkksSVSyqlbKSC3KB9F5ibmpSlZKh1uUamtrASmuo0AfAAAA")),
      ("deflate", bytes("eJyrVkpJLElUsqpWykgtygfReYm5qUpWSodblGprawGmswrX")),
      ("deflate", bytes("q1ZKSSxJVLKqVspILcoH0XmJualKVkqHW5Rqa2sB")),
      ("br", bytes("Cw+AeyJkYXRhIjp7Imhlcm8iOnsibmFtZSI6IsOEIn19fQM=")),
      ("identity", Array(text.utf8)), ("", Array(text.utf8)),
      ("gzip, identity", bytes("H4sIAAAAAAACA6tWSkksSVSyqlbKSC3KB9F5ibmpSlZKh1uUamtrASmuo0AfAAAA")),
    ]

    static let text = #"{"data":{"hero":{"name":"Ä"}}}"#

    private static func bytes(_ base64: String) -> [UInt8] {
      [UInt8](Data(base64Encoded: base64) ?? Data())
    }

    private func decoded(
      _ coding: String, _ bytes: [UInt8], limit: Int = 1_000
    ) throws -> (text: String, isComplete: Bool) {
      guard let decoder = try decoder(coding) else {
        return (String(decoding: bytes, as: UTF8.self), true)
      }
      var output = Data()
      try bytes.withUnsafeBytes {
        try decoder.decode($0, limit: limit) { output.append(contentsOf: $0) }
      }
      return (String(decoding: output, as: UTF8.self), decoder.isComplete)
    }

    private func decoder(_ coding: String) throws -> ContentDecoder? {
      let field = ResponseHead.Field(name: "Content-ENCODING", value: coding)
      return try ContentDecoder.decoder(
        for: ResponseHead(version: "HTTP/1.1", statusCode: 200, fields: [field]))
    }

    @Test(arguments: bodies.indices)
    func aWholeBodyIsDecompressed(_ index: Int) throws {
      let (coding, bytes) = Self.bodies[index]
      if coding == "br", !curlshim_has_brotli() { return }
      #expect(try decoded(coding, bytes) == (Self.text, true))
      // Byte by byte, where a decoder exists.
      guard let decoder = try decoder(coding) else { return }
      var output = Data()
      for byte in bytes {
        try withUnsafeBytes(of: byte) {
          try decoder.decode($0, limit: 1_000) { output.append(contentsOf: $0) }
        }
      }
      // The first byte alone does not show which kind of `deflate` it is.
      #expect(String(decoding: output, as: UTF8.self) == Self.text)
      #expect(decoder.isComplete)
    }

    @Test(arguments: bodies.indices)
    func everyPrefixIsIncomplete(_ index: Int) throws {
      let (coding, bytes) = Self.bodies[index]
      guard try decoder(coding) != nil else { return }
      for length in 1..<bytes.count {
        #expect(try !decoded(coding, Array(bytes.prefix(length))).isComplete, "\(length)")
      }
    }

    @Test func gzipMayHaveManyMembers() throws {
      let member = Self.bodies[0].bytes
      #expect(try decoded("gzip", member + member) == (Self.text + Self.text, true))
    }

    /// Bare `deflate` has no mark at its beginning, so some bytes only never come to an end.
    @Test(arguments: ["gzip", "deflate", "br"])
    func otherBytesAreMalformedOrIncomplete(_ coding: String) {
      for bytes in [Array("{}".utf8), Array(repeating: 0xFF, count: 100)] {
        let result = Result { try decoded(coding, bytes) }
        #expect((try? result.get().isComplete) != true)
        if coding != "deflate" {
          #expect(throws: ContentDecoder.Failure.malformed) { try result.get() }
        }
      }
    }

    @Test(arguments: bodies.indices)
    func whatFollowsTheEndIsMalformed(_ index: Int) throws {
      let (coding, bytes) = Self.bodies[index]
      guard try decoder(coding) != nil else { return }
      #expect(throws: ContentDecoder.Failure.malformed) { try decoded(coding, bytes + [0]) }
    }

    @Test(arguments: ["compress", "zstd", "gzip, gzip", "gzip, br", "gzip;q=1", "gzi\u{7F}"])
    func otherCodingsAreUnknown(_ coding: String) {
      #expect(throws: ContentDecoder.Failure.unknownCoding) { try decoder(coding) }
    }

    @Test func theLimitStopsABomb() throws {
      for (coding, bytes) in Self.bodies where try decoder(coding) != nil {
        let size = Self.text.utf8.count
        #expect(try decoded(coding, bytes, limit: size).isComplete)
        #expect(throws: ContentDecoder.Failure.tooLarge) {
          try decoded(coding, bytes, limit: size - 1)
        }
      }
    }

    // MARK: Over the network

    @Test func aBodyThatIsCutOffIsMalformed() async throws {
      let bytes = Self.bodies[0].bytes
      let server = try LoopbackServer { request, reply in
        let length = Int(request.path.dropFirst()) ?? 0
        reply.respond(headers: [("Content-Encoding", "gzip")], body: Array(bytes.prefix(length)))
      }
      defer { server.stop() }
      let client = CurlClient.patient()
      for length in 1..<bytes.count {
        let error = await #expect(throws: NetworkError.self, "\(length)") {
          try await client.response(to: URLRequest(url: server.url("/\(length)"))).body()
        }
        #expect(error?.code == .malformedResponse)
        #expect(error?.description.contains("the compressed body is cut off") == true)
      }
      let whole = try await client.response(to: URLRequest(url: server.url("/\(bytes.count)")))
      #expect(try await whole.body() == Data(Self.text.utf8))
      #expect(try await client.response(to: URLRequest(url: server.url("/0"))).body().isEmpty)
      #expect(
        server.requests.first?.headers["accept-encoding"]
          == (curlshim_has_brotli() ? "gzip, br" : "gzip"))
    }

    @Test func aCutConnectionIsLost() async throws {
      let server = try LoopbackServer { _, reply in
        reply.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
        reply.send(Array(Self.bodies[0].bytes.dropLast(4)))
        reply.close()
      }
      defer { server.stop() }
      let error = await #expect(throws: NetworkError.self) {
        try await CurlClient.patient().response(to: URLRequest(url: server.url())).body()
      }
      #expect(error?.code == .connectionLost)
    }
  }
#endif
