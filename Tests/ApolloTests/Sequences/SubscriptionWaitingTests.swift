import ApolloAPI
import ApolloCache
import ApolloTransport
import Foundation
import TestOperations
import Testing

@testable import Apollo

/// The task of a subscription waits outside of the steps, whose memory it would keep.
@Suite(.timeLimit(.minutes(10)))
struct SubscriptionWaitingTests {
  /// Counts the calls that are in the steps behind it.
  private struct Gauge: CallStep {
    let count = Lock((inside: 0, entered: 0))

    func next<Operation: GraphQLOperation>(
      of call: Call<Operation>, from rest: CallSteps
    ) async throws -> GraphQLResponse<Operation>? {
      count.withLock { $0 = ($0.inside + 1, $0.entered + 1) }
      defer { count.withLock { $0.inside -= 1 } }
      return try await rest.next(of: call)
    }
  }

  /// Calls a closure when its next response is awaited.
  private final class ObservedTransport: SubscriptionNetworkTransport {
    private let base: StreamingTransport
    private let awaited: @Sendable () -> Void

    init(_ base: StreamingTransport, _ awaited: @escaping @Sendable () -> Void) {
      self.base = base
      self.awaited = awaited
    }

    func send(_ request: OperationRequest) async throws -> NetworkResponse {
      try await base.send(request)
    }

    func responses(to request: OperationRequest) -> NetworkResponses {
      NetworkResponses { [base, awaited] in
        var iterator = base.responses(to: request).makeAsyncIterator()
        return {
          awaited()
          return try await iterator.next()
        }
      }
    }
  }

  /// The steps of each event are over when the next event is awaited, whether it is written to the
  /// cache or not.
  @Test(arguments: [true, false], [FetchBehavior.networkOnly, .cacheAndNetwork])
  func noStepIsUnderWayWhileAnEventIsAwaited(
    isWritten: Bool, behavior: FetchBehavior
  ) async throws {
    let gauge = Gauge()
    let base = StreamingTransport { _ in ["A", "B"].map { .response($0) } }
    let transport = ObservedTransport(base) { #expect(gauge.count.get().inside == 0) }
    let context = CallContext(
      transport: transport, store: ApolloStore(), observers: [], clock: SystemAlarmClock.shared)
    let request = GraphQLRequest(
      HeroAPI.HeroChangedSubscription(), behavior,
      configuration: RequestConfiguration(writeResultsToCache: isWritten))
    let steps = CallSteps([
      gauge, CacheThenServerStep(), SourcesStep(), WriteStep(), ServerStep(),
    ])
    var names: [String?] = []
    for try await response in steps.responses(to: request, context) {
      names.append(response.data?.heroChanged?.name)
    }
    #expect(names == ["A", "B"])
    // One to send the subscription, one for each event, and one for the end.
    #expect(gauge.count.get().entered == 4)
  }

  @Test func cancellingWhileAnEventIsAwaitedEndsTheSubscription() async throws {
    let base = StreamingTransport { _ in [.response("A"), .silence] }
    let (isAwaited, continuation) = AsyncStream.makeStream(of: Void.self)
    let transport = ObservedTransport(base) { if base.readCount == 1 { continuation.yield() } }
    let client = ApolloClient(networkTransport: transport)
    let task = Task {
      for try await _ in client.subscribe(subscription: HeroAPI.HeroChangedSubscription()) {}
    }
    for await _ in isAwaited { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(base.openCount == 0)
  }

  /// The value of a task-local variable reaches the code of the program that decodes and sends.
  @Test func theStepsSeeTheTaskLocalValuesOfTheSubscriber() async throws {
    enum Caller { @TaskLocal static var name = "" }
    struct NameStep: CallStep {
      let names = Lock<Set<String>>([])

      func next<Operation: GraphQLOperation>(
        of call: Call<Operation>, from rest: CallSteps
      ) async throws -> GraphQLResponse<Operation>? {
        names.withLock { _ = $0.insert(Caller.name) }
        return try await rest.next(of: call)
      }
    }
    let step = NameStep()
    let context = CallContext(
      transport: StreamingTransport { _ in [.response("A")] }, store: ApolloStore(),
      observers: [], clock: SystemAlarmClock.shared)
    let request = GraphQLRequest(
      HeroAPI.HeroChangedSubscription(), .networkOnly, configuration: RequestConfiguration())
    let steps = CallSteps([step, SourcesStep(), WriteStep(), ServerStep()])
    try await Caller.$name.withValue("the subscriber") {
      for try await _ in steps.responses(to: request, context) {}
    }
    #expect(step.names.get() == ["the subscriber"])
  }
}
