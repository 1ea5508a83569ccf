package import ApolloTransport
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests whose responses are mutated, many at once, and checks what comes back:
///
/// 1. Every request ends, with a response or with a ``NetworkError``, before the client's timeout.
/// 2. No response is that of another request.
/// 3. A response that the server did not change arrives as it is.
/// 4. A response whose end is missing is an error.
package struct Campaign: Sendable {
  /// The number of requests by their outcome: "response", or the code of the error.
  package private(set) var outcomes: [String: Int] = [:]
  /// The broken promises, as sentences with the number of the request.
  package private(set) var findings: [String] = []
  package private(set) var count = 0

  /// Sends requests until `shouldGoOn` returns `false` for the number of one.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - concurrency: The number of requests under way.
  ///   - makeClient: Returns a new client. Its idle timeout has to be so long that its end is a
  ///     finding. Requests share one client, but for those that must not share a connection.
  ///   - shouldGoOn: Called with the number of each request.
  /// - Returns: What came back.
  package static func run(
    _ server: MutationServer, concurrency: Int = 48,
    makeClient: @escaping @Sendable () -> any HTTPClient,
    shouldGoOn: @escaping @Sendable (Int) -> Bool
  ) async -> Campaign {
    let client = makeClient()
    defer { client.invalidate() }
    return await withTaskGroup(of: Campaign.self) { group in
      for first in 0..<concurrency {
        group.addTask {
          var part = Campaign()
          var number = first
          while shouldGoOn(number) {
            let response = MutatedResponse(number: number, seed: server.seed)
            let ownClient = response.mayHaveLateBytes ? makeClient() : nil
            await part.send(response, server, ownClient ?? client)
            ownClient?.invalidate()
            number += concurrency
          }
          return part
        }
      }
      return await group.reduce(into: Campaign()) { $0.add($1) }
    }
  }

  private mutating func add(_ part: Campaign) {
    outcomes.merge(part.outcomes, uniquingKeysWith: +)
    findings += part.findings
    count += part.count
  }

  private mutating func send(
    _ expected: MutatedResponse, _ server: MutationServer, _ client: any HTTPClient
  ) async {
    count += 1
    var request = URLRequest(url: server.url(expected.number))
    request.httpMethod = "POST"
    request.httpBody = Data("{}".utf8)
    do {
      let response = try await client.response(to: request)
      let body = try await [UInt8](response.body())
      outcomes["response", default: 0] += 1
      let stamp = response.response.value(forHTTPHeaderField: "X-Stamp") ?? ""
      check(body, stamp: stamp, expected, server)
    } catch let error as NetworkError {
      outcomes["\(error.code)", default: 0] += 1
      if error.code == .timedOut { find("has no end", expected) }
      // The server may close a connection at the moment in which it is used again.
      if expected.changes.isEmpty, error.code != .connectionLost || error.responseHadBegun {
        find("is whole and an error: \(error)", expected)
      }
    } catch {
      find("ends in another error: \(error)", expected)
    }
  }

  private mutating func check(
    _ body: [UInt8], stamp: String, _ expected: MutatedResponse, _ server: MutationServer
  ) {
    for stamp in [stamp[...]] + Self.stamps(in: body) {
      if let other = MutatedResponse.number(of: stamp, server.seed), other != expected.number {
        find("is the response of \(other)", expected)
      }
    }
    if expected.changes.isEmpty, body != expected.original.body {
      find("is whole and has another body", expected)
    }
    // Behind the last chunk, nothing depends on the very last line feed.
    if expected.isOnlyCut, expected.original.isFramed,
      expected.bytes.count < expected.original.bytes.count - 1
    {
      find("is cut off and taken for whole", expected)
    }
  }

  private static func stamps(in body: [UInt8]) -> [Substring] {
    guard let start = body.firstIndex(of: UInt8(ascii: "s")) else { return [] }
    return [String(decoding: body[start...].prefix(18), as: UTF8.self)[...]]
  }

  private mutating func find(_ text: String, _ response: MutatedResponse) {
    guard findings.count < 20 else { return }
    findings.append(
      "Request \(response.number) (\(response.changes.joined(separator: ", "))) \(text).")
  }
}
