import Apollo
import BenchmarkAPI
import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Makes one kind of call a number of times, for those who count its instructions.
// `CallsOfRevisions` compiles it with this revision of the library and with an earlier one, so it
// uses only what both have, and none of the other measurements.
//
//   Calls <kind> <count>

/// A kind of call. No other request is under way.
enum Kind: String {
  /// A write of a response by the program, of which one of 20 objects has changed.
  case written
  /// A fetch that the cache answers.
  case cached
  /// A fetch from the server, whose data the cache has already.
  case repeated
  /// A fetch from the server that changes one of 20 objects.
  case changed
  /// The same, until a watch has delivered the change.
  case watched
}

/// The server: a client that answers at once, in turns with the bodies of its list.
final class Answering: HTTPClient {
  let limits = TransferLimits()
  private let bodies: [Data]
  private let head: HTTPURLResponse
  // Because `make` waits for the end of each call before the next one, no two tasks use it at once.
  private nonisolated(unsafe) var count = 0

  init(_ bodies: [Data], _ url: URL) {
    self.bodies = bodies
    head = HTTPURLResponse(
      url: url, statusCode: 200, httpVersion: "HTTP/1.1",
      headerFields: ["Content-Type": "application/json"])!  // the values are valid
  }

  func response(to request: URLRequest) async throws -> HTTPResponse {
    count += 1
    let body = bodies[count % bodies.count]
    return HTTPResponse(
      response: head,
      chunks: AsyncThrowingStream { continuation in
        continuation.yield(body)
        continuation.finish()
      })
  }

  func invalidate() {}
}

/// A response to ``FriendsQuery`` with 20 objects, the last of which has the given age.
func response(age: Int) -> Data {
  let friends = (1...19).map { number in
    """
    {"__typename":"Character","id":"c\(number)","name":"Friend \(number)",\
    "age":\(number == 19 ? age : 30),"height":1.75,"mass":77.5,"isJedi":true,\
    "homePlanet":null,"species":"HUMAN","createdAt":"2026-01-01T00:00:00Z","score":\(number)}
    """
  }
  return Data(
    """
    {"data":{"hero":{"__typename":"Character","id":"c0","name":"Hero","friends":[\
    \(friends.joined(separator: ","))]}}}
    """.utf8)
}

func make(_ count: Int, _ kind: Kind) async throws {
  let url = URL(string: "http://127.0.0.1/graphql")!  // valid
  let bodies = kind == .repeated ? [response(age: 1)] : (1...2).map(response)
  let client = ApolloClient(
    networkTransport: HTTPNetworkTransport(url: url, client: Answering(bodies, url)))
  func fetch(_ policy: CachePolicy.Query.SingleResponse) async throws {
    let data = try await client.fetch(query: FriendsQuery(), cachePolicy: policy).data
    guard data?.hero?.friends.count == 19 else { fatalError("The data is not the server's.") }
  }
  try await fetch(.networkOnly)
  switch kind {
  case .written:
    for index in 0..<count {
      _ = try await client.store.publish(body: bodies[index % 2], of: FriendsQuery())
    }
  case .cached:
    for _ in 0..<count { try await fetch(.cacheFirst) }
  case .repeated, .changed:
    for _ in 0..<count { try await fetch(.networkOnly) }
  case .watched:
    let (deliveries, continuation) = AsyncStream.makeStream(of: Void.self)
    let watcher = client.watch(
      query: FriendsQuery(), cachePolicy: CachePolicy.Query.SingleResponse.cacheFirst,
      callbackQueue: DispatchQueue(label: "deliveries")
    ) { _ in continuation.yield() }
    var delivered = deliveries.makeAsyncIterator()
    await delivered.next()
    for _ in 0..<count {
      try await fetch(.networkOnly)
      await delivered.next()
    }
    watcher.cancel()
  }
}

// A mistake ends the program with its cause: nothing but a measurement runs it.
guard CommandLine.arguments.count == 3, let kind = Kind(rawValue: CommandLine.arguments[1]),
  let count = Int(CommandLine.arguments[2])
else { fatalError("Two arguments are needed: Calls <kind> <count>.") }

// The main thread waits, and does nothing else: valgrind cannot run the main queue of Dispatch.
let end = DispatchSemaphore(value: 0)
Task.detached {
  do { try await make(count, kind) } catch { fatalError("A call failed: \(error)") }
  end.signal()
}
end.wait()
