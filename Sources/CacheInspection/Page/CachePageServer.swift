internal import ApolloAPI
internal import Foundation
internal import LocalHTTP

/// A server of the page that shows one cache.
///
/// Its address has a random token. Without it, nothing is served: other users and other programs of
/// the machine can connect, but do not know it. A request that a page of another site makes is
/// refused, whatever its address.
///
/// | path | content |
/// | :-- | :-- |
/// | `/TOKEN/` | the page |
/// | `/TOKEN/summary` | the sums, types and operations |
/// | `/TOKEN/records?…` | a part of the list of records (``PageState/Choice``) |
/// | `/TOKEN/record?key=…` | everything about a record |
/// | `/TOKEN/events?after=…` | the events of the program (``ProgramActivity``) |
/// | `/TOKEN/state` | the watches and the layers of the program |
/// | `/TOKEN/changes` | an event for each change of the cache, and one for each of the program |
package final class CachePageServer: Sendable {
  /// The address of the page, with the token.
  package let address: String
  private let server: LocalHTTPServer

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - inspector: The cache.
  ///   - activity: The events of the program that uses the cache, if the page shows them.
  ///   - port: The port, or 0 to let the system choose one.
  /// - Throws: `LocalServerError`
  package init(
    _ inspector: CacheInspector, activity: (any ProgramActivity)? = nil, port: UInt16 = 0
  ) throws {
    let token = RandomWord.make()
    let pages = CachePages(inspector, activity, token: token)
    server = try LocalHTTPServer(port: port) { request, response in
      await pages.respond(to: request, response)
    }
    address = "\(server.address)/\(token)/"
  }

  /// Closes all connections. Blocks the thread until they have ended.
  package func stop() { server.stop() }

  /// Waits until the process is asked to end, as by Ctrl-C, and closes all connections.
  package func serveUntilInterrupted() async {
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
    let sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)  // so that only the source handles it
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { continuation.yield() }
      source.resume()
      return source
    }
    for await _ in signals { break }
    for source in sources { source.cancel() }
    stop()
  }
}

/// A word that cannot be guessed.
private enum RandomWord {
  /// Returns 128 random bits as text.
  static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

/// The responses of a page's server.
private struct CachePages: Sendable {
  private let name: String
  private let token: String
  private let state: PageState
  private let activity: (any ProgramActivity)?

  init(_ inspector: CacheInspector, _ activity: (any ProgramActivity)?, token: String) {
    name = inspector.name
    self.activity = activity
    self.token = token
    state = PageState(inspector.contents)
  }

  /// The time between two looks at the version of the cache.
  private static let interval = Duration.milliseconds(500)
  /// The part of the time that a page may spend with reading the whole cache: one in so many.
  private static let readingShare = 10

  func respond(to request: LocalRequest, _ response: LocalResponse) async {
    guard isOfThePage(request) else {
      return response.send(
        status: 403, "Open the whole address of the page, as it was printed.",
        headers: Self.headers)
    }
    guard ["GET", "HEAD"].contains(request.method) else {
      return response.send(
        status: 405, "The page only reads.", headers: Self.headers + [.init("Allow", "GET, HEAD")])
    }
    do {
      switch request.path.dropFirst(token.utf8.count + 2) {
      case "": sendPage(response)
      case "summary": send(try await state.summary(), response)
      case "records": send(try await state.records(PageState.Choice(request)), response)
      case "record": send(try await state.record(request.parameter("key") ?? ""), response)
      case "events" where activity != nil:
        let number = request.parameter("after").flatMap(Int.init) ?? 0
        send(activity?.events(after: max(0, number)) ?? .null, response)
      case "state" where activity != nil: send(activity?.state() ?? .null, response)
      case "changes": try await sendChanges(response)
      default: response.send(status: 404, "There is nothing here.", headers: Self.headers)
      }
    } catch is CancellationError {
    } catch {
      response.send(
        status: 500, JSONValue.object(["error": .string("\(error)")]).description,
        type: "application/json", headers: Self.headers)
    }
  }

  /// Returns whether the request has the token, and is not made by a page of another site.
  private func isOfThePage(_ request: LocalRequest) -> Bool {
    let path = Array(request.path.utf8)
    let expected = Array("/\(token)/".utf8)
    guard path.count >= expected.count else { return false }
    // Compared as a whole, so that the time says nothing about the token.
    guard zip(path, expected).reduce(0, { $0 | ($1.0 ^ $1.1) }) == 0 else { return false }
    if let origin = request.header("Origin") {
      guard let host = request.header("Host"), origin == "http://\(host)" else { return false }
    }
    guard let site = request.header("Sec-Fetch-Site") else { return true }
    return ["same-origin", "none"].contains(site) || isNavigation(request)
  }

  /// Returns whether a person follows a link to the page, such as one in a terminal that is a page
  /// itself.
  private func isNavigation(_ request: LocalRequest) -> Bool {
    request.header("Sec-Fetch-Mode") == "navigate" && request.header("Sec-Fetch-Dest") == "document"
      && request.path.utf8.count == token.utf8.count + 2
  }

  /// The fields of every response: nothing of it is kept, framed, or read by other sites.
  private static let headers: [LocalRequest.Header] = [
    .init("Cache-Control", "no-store"),
    .init("Referrer-Policy", "no-referrer"),
    .init("X-Content-Type-Options", "nosniff"),
    .init("Cross-Origin-Resource-Policy", "same-origin"),
  ]

  private func sendPage(_ response: LocalResponse) {
    let nonce = RandomWord.make()
    let policy =
      "default-src 'none'; style-src 'nonce-\(nonce)'; script-src 'nonce-\(nonce)'; "
      + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    response.send(
      CachePage.html(name: name, nonce: nonce, hasActivity: activity != nil),
      type: "text/html; charset=utf-8",
      headers: Self.headers + [.init("Content-Security-Policy", policy)])
  }

  private func send(_ json: JSONValue, _ response: LocalResponse) {
    response.send(json.description, type: "application/json", headers: Self.headers)
  }

  /// Sends an event when the cache has changed, until the client leaves.
  ///
  /// The page then reads the whole cache again, so a large cache is looked at less often.
  private func sendChanges(_ response: LocalResponse) async throws {
    // The response begins before the cache is read. A browser connects again after the end of a
    // stream, but never after an error status, and a cache that cannot be read can come back.
    response.begin(headers: Self.headers + [.init("Content-Type", "text/event-stream")])
    var knownActivity = activity?.version
    var known = try await state.version()
    guard response.write("data: \(known)\n\n") else { return }
    var silence = 0
    var next = ContinuousClock.now
    while true {
      try await Task.sleep(for: Self.interval)
      silence += 1
      if let version = activity?.version, version != knownActivity {
        guard response.write("event: activity\ndata: \(version)\n\n") else { return }
        (knownActivity, silence) = (version, 0)
      }
      let now = ContinuousClock.now
      let version = now < next ? known : try await state.version()
      if version != known {
        guard response.write("data: \(version)\n\n") else { return }
        (known, silence) = (version, 0)
        next = now + (await state.readingTime) * Self.readingShare
      } else if silence >= 30 {
        // A comment, which fails when the client has gone.
        guard response.write(":\n\n") else { return }
        silence = 0
      }
    }
  }
}

extension PageState.Choice {
  /// Reads the parameters of a request. What has no meaning is ignored.
  fileprivate init(_ request: LocalRequest) {
    if let kind = request.parameter("show").flatMap(Kind.init) { self.kind = kind }
    if let order = request.parameter("order").flatMap(Order.init) { self.order = order }
    type = request.parameter("type")
    operation = request.parameter("operation")
    text = request.parameter("text") ?? ""
    searchesValues = request.parameter("values") == "true"
    if let offset = request.parameter("offset").flatMap(Int.init) { self.offset = max(0, offset) }
    if let count = request.parameter("count").flatMap(Int.init) {
      self.count = min(max(1, count), Self.greatestCount)
    }
  }
}
