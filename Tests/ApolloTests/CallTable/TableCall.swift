import Apollo
import ApolloAPI
import Dispatch
import Foundation
import TestOperations

/// A call of the client, with its policy.
enum TableCall: Hashable, Sendable {
  case fetch(CachePolicy.Query.SingleResponse)
  case fetchCacheOnly
  case responses(FetchBehavior)
  case callback(CachePolicy)
  case perform
  case upload
  case subscribe(CachePolicy.Subscription)

  static let all: [TableCall] =
    [
      .fetch(.cacheFirst), .fetch(.networkFirst), .fetch(.networkOnly), .fetchCacheOnly,
      .responses(.cacheFirst), .responses(.networkFirst), .responses(.networkOnly),
      .responses(.cacheOnly), .responses(.cacheAndNetwork), .responses(.revalidateCache),
    ]
    + [
      CachePolicy.returnCacheDataElseFetch, .fetchIgnoringCacheData,
      .fetchIgnoringCacheCompletely, .returnCacheDataDontFetch, .returnCacheDataAndFetch,
      .networkElseCache,
    ].map(callback)
    + [.perform, .upload, .subscribe(.networkOnly), .subscribe(.cacheThenNetwork)]

  var name: String {
    switch self {
    case .fetch(let policy): "fetch \(policy)"
    case .fetchCacheOnly: "fetch cacheOnly"
    case .responses(let behavior): "responses \(behavior.cacheRead)/\(behavior.networkFetch)"
    case .callback(let policy): "callback \(policy)"
    case .perform: "perform"
    case .upload: "upload"
    case .subscribe(let policy): "subscribe \(policy)"
    }
  }

  var readsCache: Bool {
    switch self {
    case .fetch(let policy): policy != .networkOnly
    case .fetchCacheOnly: true
    case .responses(let behavior): behavior.cacheRead != .never
    case .callback(let policy): policy.fetchBehavior.cacheRead != .never
    case .perform, .upload: false
    case .subscribe(let policy): policy == .cacheThenNetwork
    }
  }

  /// The behavior of a fetch that returns one response.
  var singleFetchBehavior: FetchBehavior? {
    switch self {
    case .fetch(let policy): policy.fetchBehavior
    case .fetchCacheOnly: .cacheOnly
    default: nil
    }
  }

  var isSubscription: Bool { if case .subscribe = self { true } else { false } }

  private var isQuery: Bool {
    switch self {
    case .perform, .upload, .subscribe: false
    default: true
    }
  }

  private var sendsNothing: Bool {
    switch self {
    case .fetchCacheOnly, .responses(.cacheOnly), .callback(.returnCacheDataDontFetch): true
    default: false
    }
  }

  private var readsBoth: Bool {
    switch self {
    case .responses(.cacheAndNetwork), .callback(.returnCacheDataAndFetch): true
    default: false
    }
  }

  /// `true` if a chain of steps sends the request while it delivers cached data: which of both
  /// comes first varies from call to call.
  var sendsWhileItDelivers: Bool { readsBoth || self == .subscribe(.cacheThenNetwork) }

  /// `true` if the caller takes the response as a whole.
  var isWhole: Bool {
    switch self {
    case .responses, .callback, .subscribe: false
    default: true
    }
  }

  /// Returns whether the table has a row for a scenario over a transport.
  func isDefined(_ scenario: TableScenario, _ transport: TableTransport) -> Bool {
    switch scenario {
    case .response: return true
    case .unobserved: return singleFetchBehavior != nil
    case _ where sendsNothing: return false
    // The cached data may arrive before the end or after it.
    case _ where scenario.isSilent && transport == .steps && readsBoth: return false
    case .parts: return isQuery && (isWhole || !transport.isWithoutParts || !isCallback)
    case .unknownHash: return isQuery && transport.sendsOverHTTP && !isCallback
    case .unavailable, .deadline:
      return !isSubscription && !isCallback && !(isUpload && transport.isWithoutUploads)
        && (scenario == .deadline || transport != .socket)
    case .lost:
      if isCallback || isUpload && transport.isWithoutUploads { return false }
      if isSubscription { return transport == .socket || transport == .split || transport == .http }
      return transport != .plain && transport != .mock
    case .graphQLErrors, .failure, .cancelled, .sessionEnded:
      if isUpload { return !transport.isWithoutUploads }
      guard isSubscription else { return true }
      // Behind a failure, this transport tries its routes again and again.
      return transport != .plain && !(transport == .fallback && scenario == .failure)
    }
  }

  private var isCallback: Bool { if case .callback = self { true } else { false } }
  private var isUpload: Bool { self == .upload }

  // MARK: Making the call

  /// Makes the call and passes each response to `deliver`.
  func run(
    _ client: ApolloClient, _ stage: TableStage, terminal: TerminalEvents,
    _ deliver: @escaping @Sendable (_ source: ResultSource, _ text: String) -> Void
  ) async throws {
    switch self {
    case .perform:
      let response = try await client.perform(
        mutation: HeroAPI.RenameMutation(id: "0", name: "Luke"))
      deliver(response.source, text(response.data?.rename?.name, response.errors))
    case .upload:
      let file = GraphQLFile(
        fieldName: "name", originalName: "a.txt", data: Data("content".utf8))
      let response = try await client.upload(
        operation: HeroAPI.RenameMutation(id: "0", name: "Luke"), files: [file])
      deliver(response.source, text(response.data?.rename?.name, response.errors))
    case .subscribe(let policy):
      let events = client.subscribe(
        subscription: HeroAPI.HeroChangedSubscription(), cachePolicy: policy,
        stateHandler: { state in
          switch state {
          case .interrupted(let error): stage.note("interrupted(\(TableOutcome.name(error)))")
          case .resumed: stage.note("resumed")
          case .dropped(let count): stage.note("dropped(\(count))")
          }
        })
      for try await event in events {
        deliver(event.source, text(event.data?.heroChanged?.name, event.errors))
      }
    default:
      if stage.scenario == .parts {
        try await fetch(HeroAPI.DeferredHeroQuery(), client, terminal, deliver) { data in
          data.hero.map { "\($0.name)/\($0.fragments.slow == nil ? "pending" : "complete")" }
        }
      } else {
        try await fetch(HeroAPI.HeroQuery(), client, terminal, deliver) { $0.hero?.name }
      }
    }
  }

  private func fetch<Query: GraphQLQuery>(
    _ query: Query, _ client: ApolloClient, _ terminal: TerminalEvents,
    _ deliver: @escaping @Sendable (ResultSource, String) -> Void,
    name: @escaping @Sendable (Query.Data) -> String?
  ) async throws {
    switch self {
    case .fetch(let policy):
      let response = try await client.fetch(query: query, cachePolicy: policy)
      deliver(response.source, text(response.data.flatMap(name), response.errors))
    case .fetchCacheOnly:
      guard let response = try await client.fetch(query: query, cachePolicy: .cacheOnly) else {
        return
      }
      deliver(response.source, text(response.data.flatMap(name), response.errors))
    case .responses(let behavior):
      for try await response in client.fetch(query: query, fetchBehavior: behavior) {
        deliver(response.source, text(response.data.flatMap(name), response.errors))
      }
    case .callback(let policy):
      let queue = DispatchQueue(label: "table")
      let failure = Lock<(any Error)?>(nil)
      let hasFailed = TerminalEvents()
      let call = client.fetch(query: query, cachePolicy: policy, queue: queue) { result in
        switch result {
        case .success(let result):
          deliver(result.source, text(result.data.flatMap(name), result.errors))
        case .failure(let error):
          failure.withLock { $0 = error }
          hasFailed.end(isCompletion: false)
        }
      }
      let isCompleted = await withTaskCancellationHandler {
        await terminal.wait()
      } onCancel: {
        call.cancel()
      }
      // The handler's last call follows the last event.
      if !isCompleted { _ = await hasFailed.wait() }
      await withCheckedContinuation { done in queue.async { done.resume() } }
      if let error = failure.get() { throw error }
    case .perform, .upload, .subscribe: break
    }
  }

  private func text(_ name: String?, _ errors: [GraphQLError]?) -> String {
    (name ?? "null") + (errors.map { " with \($0.count) errors" } ?? "")
  }
}

extension TableTransport {
  var isWithoutUploads: Bool { self == .plain || self == .socket }
  var isWithoutParts: Bool { self == .plain }
}
