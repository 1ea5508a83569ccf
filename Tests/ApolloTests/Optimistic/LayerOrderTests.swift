import Apollo
import ApolloAPI
import Dispatch
import TestOperations
import Testing

/// The scenarios that urql documents for layers: whichever response comes first, what is visible is
/// ordered by request.
@Suite(.timeLimit(.minutes(10)))
struct LayerOrderTests {
  /// One step, and the name that is visible after it.
  enum Step: Sendable {
    /// Sends a mutation that shows a name, or nothing.
    case perform(optimistic: String?)
    /// Sends a mutation with a file.
    case upload
    /// Sends a mutation with a file, with a handler.
    case uploadWithHandler
    /// Sends the query.
    case fetch
    /// A response with a name to the request with this number.
    case respond(Int, String)
    /// A failure of the request with this number.
    case fail(Int)
    case reports(Int)
    case cancel(Int)
    case write(String)
    case clear
  }

  struct Scenario: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let steps: [(Step, visible: String?)]

    init(_ name: String, _ steps: [(Step, visible: String?)]) {
      testDescription = name
      self.steps = steps
    }
  }

  static let scenarios = [
    Scenario(
      "the response replaces the optimistic data",
      [(.perform(optimistic: "a"), "a"), (.respond(0, "A"), "A")]),
    Scenario(
      "a failure removes it", [(.perform(optimistic: "a"), "a"), (.fail(0), "base")]),
    Scenario(
      "an error of GraphQL removes it", [(.perform(optimistic: "a"), "a"), (.reports(0), "base")]),
    Scenario(
      "a cancellation removes it", [(.perform(optimistic: "a"), "a"), (.cancel(0), "base")]),
    Scenario(
      "the newer of two layers is visible",
      [
        (.perform(optimistic: "a"), "a"), (.perform(optimistic: "b"), "b"), (.respond(0, "A"), "b"),
        (.respond(1, "B"), "B"),
      ]),
    Scenario(
      "the response to the newer one stays above the older one",
      [
        (.perform(optimistic: "a"), "a"), (.perform(optimistic: "b"), "b"), (.respond(1, "B"), "B"),
        (.respond(0, "A"), "B"),
      ]),
    Scenario(
      "the older one fails after the newer one has responded",
      [
        (.perform(optimistic: "a"), "a"), (.perform(optimistic: "b"), "b"), (.respond(1, "B"), "B"),
        (.fail(0), "B"),
      ]),
    Scenario(
      "the newer one fails, and the older one is visible again",
      [
        (.perform(optimistic: "a"), "a"), (.perform(optimistic: "b"), "b"), (.fail(1), "a"),
        (.fail(0), "base"),
      ]),
    Scenario(
      "the older one fails first",
      [
        (.perform(optimistic: "a"), "a"), (.perform(optimistic: "b"), "b"), (.fail(0), "b"),
        (.respond(1, "B"), "B"),
      ]),
    Scenario(
      "three end in the reverse order",
      [
        (.perform(optimistic: "a"), "a"), (.perform(optimistic: "b"), "b"),
        (.perform(optimistic: "c"), "c"), (.respond(2, "C"), "C"), (.respond(1, "B"), "C"),
        (.respond(0, "A"), "C"),
      ]),
    Scenario(
      "a mutation without optimistic data takes its place among layers",
      [
        (.perform(optimistic: "a"), "a"), (.perform(optimistic: nil), "a"), (.respond(1, "B"), "B"),
        (.respond(0, "A"), "B"),
      ]),
    Scenario(
      "an upload takes its place among layers",
      [
        (.perform(optimistic: "a"), "a"), (.upload, "a"), (.respond(1, "B"), "B"),
        (.respond(0, "A"), "B"),
      ]),
    Scenario(
      "an upload with a handler takes its place among layers",
      [
        (.perform(optimistic: "a"), "a"), (.uploadWithHandler, "a"),
        (.perform(optimistic: "c"), "c"), (.respond(1, "B"), "c"), (.respond(0, "A"), "c"),
        (.fail(2), "B"),
      ]),
    Scenario(
      "a failed mutation without optimistic data leaves nothing",
      [
        (.perform(optimistic: "a"), "a"), (.perform(optimistic: nil), "a"), (.fail(1), "a"),
        (.respond(0, "A"), "A"),
      ]),
    Scenario(
      "the response of a query is below the layers",
      [
        (.perform(optimistic: "a"), "a"), (.fetch, "a"), (.respond(1, "Q"), "a"), (.fail(0), "Q"),
      ]),
    Scenario(
      "an older query's response is below a newer response",
      [
        (.perform(optimistic: "a"), "a"), (.fetch, "a"), (.perform(optimistic: "b"), "b"),
        (.respond(2, "B"), "B"), (.respond(1, "Q"), "B"), (.respond(0, "A"), "B"),
      ]),
    Scenario(
      "a newer query's response replaces a response that waits",
      [
        (.perform(optimistic: "a"), "a"), (.perform(optimistic: "b"), "b"), (.respond(1, "B"), "B"),
        (.fetch, "B"), (.respond(2, "Q"), "Q"), (.respond(0, "A"), "Q"),
      ]),
    Scenario(
      "a local write is below the layers",
      [(.perform(optimistic: "a"), "a"), (.write("W"), "a"), (.fail(0), "W")]),
    Scenario(
      "clearing removes layers too, and responses to requests from before are not written",
      [
        (.perform(optimistic: "a"), "a"), (.perform(optimistic: "b"), "b"), (.clear, nil),
        (.write("W"), "W"), (.respond(1, "B"), "W"), (.respond(0, "A"), "W"),
      ]),
    Scenario(
      "a response whose layer was cleared stays below newer layers",
      [
        (.perform(optimistic: "a"), "a"), (.clear, nil), (.write("W"), "W"),
        (.perform(optimistic: "b"), "b"), (.perform(optimistic: "c"), "c"),
        (.respond(2, "C"), "C"), (.respond(0, "A"), "C"), (.respond(1, "B"), "C"),
      ]),
  ]

  @Test(arguments: scenarios, CacheKind.allCases)
  func whatIsVisibleIsOrderedByRequest(_ scenario: Scenario, kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let run = try await Run(cache)
    for (number, (step, visible)) in scenario.steps.enumerated() {
      await run.take(step)
      #expect(try await run.visibleName == visible, "after step \(number): \(step)")
    }
    #expect(run.store.layers.isIdle)
    let kept = try cache.loadRecords(forKeys: ["Hero:1"])["Hero:1"]?["name"]
    #expect(kept == scenario.steps.last?.visible.map { .string($0) }, "only that is kept")
    withExtendedLifetime(owner) {}
  }

  @Test(arguments: CacheKind.allCases)
  func optimisticDataIsNeverInTheCache(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let run = try await Run(cache)
    await run.take(.perform(optimistic: "a"))
    await run.take(.perform(optimistic: "b"))
    #expect(try cache.loadRecords(forKeys: ["Hero:1"])["Hero:1"]?["name"] == "base")
    let other = ApolloStore(cache: cache)
    #expect(try await other.load(HeroAPI.HeroQuery()).data?.hero?.name == "base")
    await run.take(.fail(0))
    await run.take(.fail(1))
    withExtendedLifetime(owner) {}
  }
}

/// The failure of a request.
struct Refused: Error {}

/// A client whose requests wait, and their calls.
private final class Run {
  let store: ApolloStore
  private let transport = HeldTransport()
  private let client: ApolloClient
  private var calls: [Task<Void, Never>] = []
  private let query = HeroAPI.HeroQuery()

  init(_ cache: any NormalizedCache) async throws {
    store = ApolloStore(cache: cache)
    client = ApolloClient(networkTransport: transport, store: store)
    await take(.write("base"))
  }

  var visibleName: String? {
    get async throws { try await store.load(query).data?.hero?.name }
  }

  func take(_ step: LayerOrderTests.Step) async {
    switch step {
    case .perform(let name):
      let mutation = HeroAPI.RenameMutation(id: "1", name: name ?? "")
      await send { [client] in
        if let name {
          _ = try await client.perform(
            mutation: mutation,
            optimistic: { try $0.merge(["Hero:1": ["name": .string(name)]]) })
        } else {
          _ = try await client.perform(mutation: mutation)
        }
      }
    case .upload:
      await send { [client] in
        _ = try await client.upload(
          operation: HeroAPI.RenameMutation(id: "1", name: ""), files: [])
      }
    case .uploadWithHandler:
      await send { [client] in
        await withCheckedContinuation { continuation in
          client.upload(
            operation: HeroAPI.RenameMutation(id: "1", name: ""), files: [],
            queue: DispatchQueue(label: "upload")
          ) { _ in continuation.resume() }
        }
      }
    case .fetch:
      await send { [client, query] in
        _ = try await client.fetch(query: query, cachePolicy: .networkOnly)
      }
    case .respond(let number, let name):
      // One of the two fits the operation.
      transport.respond(
        to: number,
        .success(
          """
          {"data":{"rename":{"__typename":"Hero","id":"1","name":"\(name)"},\
          "hero":{"__typename":"Hero","id":"1","name":"\(name)","friends":null}}}
          """))
      await calls[number].value
    case .fail(let number):
      transport.respond(to: number, .failure(Refused()))
      await calls[number].value
    case .reports(let number):
      transport.respond(
        to: number, .success(#"{"data":null,"errors":[{"message":"not allowed"}]}"#))
      await calls[number].value
    case .cancel(let number):
      calls[number].cancel()
      await calls[number].value
    case .write(let name):
      _ = try? await store.publish([
        "QUERY_ROOT": ["hero": .reference("Hero:1")],
        "Hero:1": [
          "__typename": "Hero", "id": "1", "name": .string(name), "friends": .null,
        ],
      ])
    case .clear: try? await client.clearCache()
    }
  }

  private func send(_ call: @escaping @Sendable () async throws -> Void) async {
    calls.append(
      Task {
        do { try await call() } catch {}  // some steps are failures
      })
    await transport.untilSent(calls.count)
  }
}
