#if CURL
  import ApolloAPI
  import ApolloTransport
  import Foundation
  import FoundationNetworking
  import LoopbackServer
  import MutatedResponses
  import SeededRandom
  import Testing

  /// A short run of what `scripts/fuzz HTTP` does for as long as it is told.
  @Suite(.timeLimit(.minutes(10)))
  struct MutatedResponseTests {
    private static let limits = TransferLimits(deadline: nil, maximumResponseByteCount: 1 << 20)

    @Test(arguments: [1, freshSeed])
    func endInAResponseOrAnErrorOfTheirOwnRequest(_ seed: UInt64) async throws {
      let server = try MutationServer(seed: seed, silence: 250)
      let campaign = await Campaign.run(
        server, makeClient: { CurlClient.patient(limits: Self.limits) },
        shouldGoOn: { $0 < 1_500 })
      #expect(campaign.count == 1_500)
      #expect(campaign.findings.isEmpty, "seed \(seed): \(campaign.findings)")
      // Of each outcome enough to mean something. On a busy machine, many connections are closed
      // before their request arrives.
      for outcome in ["response", "malformedResponse", "connectionLost"] {
        #expect(campaign.outcomes[outcome, default: 0] > 30, "\(outcome), seed \(seed)")
      }
      server.stop()
    }

    /// Every prefix of every kind of response is an error, and the whole is not.
    @Test(arguments: 0..<OriginalResponse.kindCount)
    func everyPrefixOfAWholeResponseIsAnError(_ kind: Int) async throws {
      let response = OriginalResponse(kind: kind, stamp: "s00000000-00000000")
      let bytes = response.bytes
      let server = try LoopbackServer { request, reply in
        reply.send(Array(bytes.prefix(Int(request.path.dropFirst()) ?? 0)))
        reply.close()
      }
      defer { server.stop() }
      let client = CurlClient.patient()
      // Of large bodies, not every byte of the middle.
      let lengths = bytes.indices.filter { $0 < 400 || $0 % 5_000 == 0 || $0 > bytes.count - 100 }
      let headLength = response.parts.reduce(into: (count: 0, isOver: false)) { head, part in
        if part.layer == .body || part.layer == .framing { head.isOver = true }
        if !head.isOver { head.count += part.bytes.count }
      }.count
      for length in lengths {
        let isComplete =
          // The end of a body without a length is the end of the connection,
          !response.isFramed && (kind == 5 ? length >= headLength : length == headLength)
          // and the last line feed behind chunks means nothing.
          || length == bytes.count - 1 && response.parts.last?.layer == .trailers
        do {
          let body = try await client.response(to: URLRequest(url: server.url("/\(length)"))).body()
          #expect(isComplete, "\(length) of \(bytes.count): \(body.count) bytes")
        } catch let error as NetworkError {
          #expect(!isComplete, "\(length) of \(bytes.count): \(error)")
          #expect(error.code == .connectionLost || error.code == .malformedResponse)
        }
      }
      let whole = try await client.response(to: URLRequest(url: server.url("/\(bytes.count)")))
      #expect(try await [UInt8](whole.body()) == response.body)
    }
  }
#endif
