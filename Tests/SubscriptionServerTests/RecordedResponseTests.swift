#if CURL
  import Apollo
  import Foundation
  import FoundationNetworking
  import LoopbackServer
  import TestProcesses
  import Testing

  /// Responses as servers really send them, cut off after every byte.
  @Suite(.needsHeroServers, .enabled(if: Nginx.isInstalled), .timeLimit(.minutes(10)))
  struct RecordedResponseTests {
    /// The program that writes the head of a response.
    enum Sender: String, CaseIterable {
      case uvicorn, hypercorn, ariadne, graphene, nginx

      var library: HeroServer.Library {
        let name = self == .nginx || self == .uvicorn ? "strawberry" : rawValue
        let all = HeroServer.Library.all
        return all.first { $0.name == name || $0.environment == "venv-\(name)" } ?? .strawberry
      }
    }

    enum Content: String, CaseIterable {
      case data, errors, malformedRequest, page

      /// The page is the library's own, or a large text for nginx to compress.
      func request(_ url: URL) -> URLRequest {
        var request = URLRequest(url: url)
        if self == .page {
          request.setValue("text/html", forHTTPHeaderField: "Accept")
          return request
        }
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(body.utf8)
        return request
      }

      private var body: String {
        switch self {
        case .data: #"{"query":"{ hero { __typename id name friends { id name } } }"}"#
        case .errors: #"{"query":"{ villain }"}"#
        case .malformedRequest, .page: "{"
        }
      }
    }

    private func client() -> CurlClient {
      var configuration = CurlClient.Configuration()
      configuration.idleTimeout = .seconds(600)
      configuration.connectTimeout = .seconds(600)
      return CurlClient(configuration: configuration, limits: TransferLimits(deadline: nil))
    }

    private typealias Recording = (content: Content, bytes: [UInt8], body: Data)

    /// Sends all requests to a server. Returns the bytes of each response, and its body.
    private func recordings(_ sender: Sender) async throws -> [Recording] {
      let server = try await HeroServer(sender.library)
      var recordings: [Recording] = []
      for content in Content.allCases {
        var (port, path) = (UInt16(server.url.port ?? 0), server.url.path)
        if sender == .nginx {
          path = content == .page ? "/file" : "/to/\(port)\(path)"
          port = try await Nginx.shared().port(of: .plain)
        }
        let recorder = try RecordingServer(port: port)
        let body = try await client().response(to: content.request(recorder.url(path))).body()
        recorder.stop()
        recordings.append((content, try #require(recorder.responses.last), body))
      }
      await server.stop()
      return recordings
    }

    @Test(arguments: Sender.allCases)
    func everyPrefixOfARecordedResponseIsAnError(_ sender: Sender) async throws {
      for recording in try await recordings(sender) { try await expectErrors(recording) }
    }

    private func expectErrors(_ recording: Recording) async throws {
      let (content, bytes, body) = recording
      let text = String(decoding: bytes, as: UTF8.self).lowercased()
      let isChunked = text.contains("\r\ntransfer-encoding: chunked\r\n")
      try #require(isChunked || text.contains("\r\ncontent-length: "))
      let server = try LoopbackServer(keepsRequests: false) { request, reply in
        reply.send(Array(bytes.prefix(Int(request.path.dropFirst()) ?? 0)))
        reply.close()
      }
      defer { server.stop() }
      let client = client()
      // Of large bodies, not every byte of the middle.
      for length in bytes.indices
      where length < 600 || length % 1_000 == 0 || length > bytes.count - 100 {
        // The last line feed behind chunks means nothing.
        let isComplete = isChunked && length == bytes.count - 1
        let place: Comment = "\(content): \(length) of \(bytes.count) bytes"
        do {
          let url = server.url("/\(length)")
          let received = try await client.response(to: URLRequest(url: url)).body()
          #expect(isComplete && received == body, place)
        } catch let error as NetworkError {
          #expect(!isComplete, place)
          #expect(error.code == .connectionLost || error.code == .malformedResponse, place)
        }
      }
      let whole = try await client.response(to: URLRequest(url: server.url("/\(bytes.count)")))
      #expect(try await whole.body() == body)
    }
  }
#endif
