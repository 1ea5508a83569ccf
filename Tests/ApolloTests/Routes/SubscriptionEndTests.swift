import ApolloAPI
import ApolloTestSupport
import ApolloTransport
import Foundation
import LoopbackServer
import SimulatedRequests
import TestOperations
import Testing

@testable import Apollo

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Subscriptions that wait for events over HTTP, and end with their session.
@Suite(.timeLimit(.minutes(10)))
struct SubscriptionEndTests {
  enum Phase: CaseIterable { case beforeTheHead, beforeAnEvent, afterAnEvent }
  enum Way: CaseIterable { case alone, withADelegate, withAnotherClient, split }

  private final class Delegate: HTTPNetworkTransportDelegate {}

  /// The client of a program around another one.
  private final class Wrapper: HTTPClient {
    private let base: any HTTPClient

    init(_ base: any HTTPClient) { self.base = base }

    var limits: TransferLimits { base.limits }

    func response(to request: URLRequest) async throws -> HTTPResponse {
      try await base.response(to: request)
    }

    func invalidate() { base.invalidate() }
  }

  @Test(arguments: Phase.allCases, Way.allCases)
  func aSubscriptionOverHTTPEndsWithItsSession(phase: Phase, way: Way) async throws {
    let server = try LoopbackServer { _, reply in
      if phase != .beforeTheHead { reply.beginChunks(type: "text/event-stream") }
      if phase == .afterAnEvent {
        reply.chunk("event: next\ndata: \(HeroBody.event("alice"))\n\n")
      }
      reply.waitForClientToClose()
    }
    defer { server.stop() }
    let delegate = Delegate()
    let client: any HTTPClient = DefaultHTTPClient.patient
    let http = HTTPNetworkTransport(
      url: server.url(), client: way == .withAnotherClient ? Wrapper(client) : client,
      delegate: way == .withADelegate ? delegate : nil)
    http.subscriptionFormat = .serverSentEvents
    #expect(http._endsSubscriptions == (way == .alone || way == .split))
    let transport: any NetworkTransport =
      way == .split
      ? SplitNetworkTransport(
        queryTransport: http, mutationTransport: http, subscriptionTransport: http) : http
    let apollo = ApolloClient(networkTransport: transport, store: ApolloStore())
    let names = Lock<[String?]>([])
    let call = Task {
      for try await event in apollo.subscribe(subscription: HeroAPI.HeroChangedSubscription()) {
        names.withLock { $0.append(event.data?.heroChanged?.name) }
      }
    }
    if phase == .afterAnEvent {
      await until { names.get() == ["alice"] }
    } else {
      await server.wait { $0.requests.count == 1 }
    }
    try await apollo.endSession()
    await #expect(throws: CancellationError.self) { try await call.value }
    await server.wait { $0.openConnectionCount == 0 }
    withExtendedLifetime(delegate) {}
  }

  // MARK: - The reader of the events

  /// A reader of the events that a test sends.
  private struct Script {
    let sessions = CallSessions()
    let events: AsyncStream<NetworkResponse>.Continuation
    let hasEnded = Signal()
    var reader: EventReader?

    init() {
      let (stream, events) = AsyncStream<NetworkResponse>.makeStream()
      self.events = events
      events.onTermination = { [hasEnded] _ in hasEnded.fire() }
      let responses = NetworkResponses {
        var iterator = stream.makeAsyncIterator()
        return { await iterator.next() }
      }
      reader = EventReader(responses.makeAsyncIterator(), in: sessions.current)
    }

    func send(_ text: String) { events.yield(NetworkResponse(body: Data(text.utf8))) }

    func next() async throws -> String? {
      try await reader?.next().get().map { String(decoding: $0.body, as: UTF8.self) }
    }
  }

  @Test func aReaderReadsAllEventsInOrder() async throws {
    let script = Script()
    for number in 0..<3 { script.send("\(number)") }
    for number in 0..<3 { #expect(try await script.next() == "\(number)") }
    let last = Task { try await script.next() }
    script.events.finish()
    #expect(try await last.value == nil)
    #expect(try await script.next() == nil)
  }

  @Test(arguments: [false, true])
  func theEndOfTheSessionEndsAReader(isReading: Bool) async throws {
    let script = Script()
    script.send("alice")
    #expect(try await script.next() == "alice")
    let next = isReading ? Task { try await script.next() } : nil
    script.sessions.end()
    #expect(try await next?.value == nil)
    #expect(try await script.next() == nil)
    await script.hasEnded.wait()
  }

  @Test func cancellingTheCallEndsAReader() async throws {
    let script = Script()
    let next = Task { try await script.next() }
    next.cancel()
    #expect(try await next.value == nil)
    await script.hasEnded.wait()
  }

  @Test(arguments: [false, true])
  func releasingAReaderReleasesItsResponses(hasRead: Bool) async throws {
    var script = Script()
    if hasRead {
      script.send("alice")
      #expect(try await script.next() == "alice")
    }
    script.reader = nil
    await script.hasEnded.wait()
  }
}
