import ApolloAPI
import Foundation
import LoopbackServer
import Testing

@testable import ApolloTransport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(10)))
struct URLSessionClientSubclassTests {
  /// Counts what the session reports. `@unchecked Sendable` because the count is behind a lock.
  private final class Counting: URLSessionClient, @unchecked Sendable {
    let byteCount = Lock(0)

    override func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data
    ) {
      byteCount.withLock { $0 += data.count }
      super.urlSession(session, dataTask: dataTask, didReceive: data)
    }
  }

  /// Sends everything with a header of its own.
  private final class Marking: URLSessionClient, @unchecked Sendable {
    override func response(to request: URLRequest) async throws -> HTTPResponse {
      var request = request
      request.setValue("yes", forHTTPHeaderField: "X-Marked")
      return try await super.response(to: request)
    }
  }

  /// Keeps no response in the cache of the session.
  // `@unchecked` because a subclass repeats that of its superclass. It has no state of its own.
  private final class Uncached: URLSessionClient, @unchecked Sendable {
    override func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask,
      willCacheResponse proposedResponse: CachedURLResponse,
      completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
      completionHandler(nil)
    }
  }

  @Test(arguments: [(0.1, 1), (1, 1), (1.5, 2), (60, 60)])
  func aSilenceIsNeverShorterThanTheProgramAllows(_ seconds: Double, onLinux: Double) {
    #if canImport(FoundationNetworking)
      #expect(URLSessionClient.systemTimeout(seconds) == onLinux)
    #else
      #expect(URLSessionClient.systemTimeout(seconds) == seconds)
    #endif
  }

  @Test func aSubclassDecidesWhichResponsesTheSessionKeeps() throws {
    #expect(try isKept(by: URLSessionClient()) == true)
    #expect(try isKept(by: Uncached()) == false)
  }

  /// Returns the decision of a client about a response, as its session asks for it.
  private func isKept(by client: URLSessionClient) throws -> Bool? {
    let url = try #require(URL(string: "http://localhost"))
    let response = URLResponse(
      url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
    let proposed = CachedURLResponse(response: response, data: Data())
    let isKept = Lock<Bool?>(nil)
    // Because the relay does not retain the client.
    withExtendedLifetime(client) {
      // The task is never resumed.
      SessionRelay(client).urlSession(
        .shared, dataTask: URLSession.shared.dataTask(with: url), willCacheResponse: proposed
      ) { kept in isKept.withLock { $0 = kept != nil } }
    }
    return isKept.get()
  }

  @Test(arguments: [true, false])
  func aRefusedCertificateIsNoLostConnection(isRefused: Bool) async throws {
    let url = try #require(URL(string: "https://localhost"))
    // The task is never resumed.
    let task = URLSession.shared.dataTask(with: url)
    let transfer = SessionTransfer(task, url: url, client: URLSessionClient())
    if isRefused { transfer.refusedConnection() }
    transfer.completed(URLError(.cancelled))
    let error = await #expect(throws: NetworkError.self) {
      try await transfer.exchange.response(of: transfer) {}
    }
    #expect(error?.code == (isRefused ? .insecure : .connectionLost))
    #expect(error?.urlErrorCode == .cancelled)
  }

  @Test func aSubclassSeesWhatTheSessionReports() async throws {
    let server = try LoopbackServer { _, reply in reply.respond(body: Array("12345".utf8)) }
    defer { server.stop() }
    let client = Counting(sessionConfiguration: .graphQL.patient)
    _ = try await client.response(to: URLRequest(url: server.url())).body()
    #expect(client.byteCount.get() == 5)
  }

  @Test func aSubclassCanChangeEveryRequest() async throws {
    let server = try LoopbackServer { _, reply in reply.respond(body: [1]) }
    defer { server.stop() }
    _ = try await Marking(sessionConfiguration: .graphQL.patient)
      .response(to: URLRequest(url: server.url())).body()
    #expect(server.requests.first?.headers["x-marked"] == "yes")
  }
}
