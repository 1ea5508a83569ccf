import Apollo
import ApolloAPI

/// A result of a pager, with the GraphQL errors of all of its pages.
struct Delivery<Model: Sendable>: Sendable {
  let result: Result<Model, any Error>
  var errors: [GraphQLError] = []
  /// The number of the session in which it was sent.
  var session = 0
  /// The number of the list to which it belongs.
  var list = 0
}

/// The subscribers of a pager, and what new subscribers receive at once: the latest model, and the
/// error that has followed it, because a page that fails leaves the pages that are there.
///
/// Isolation: a lock guards the state. `receive` is called under it, so that each subscriber gets
/// the results in order: it puts them into a stream or a box, and calls no code of the program.
/// A model is the program's, so releasing one can call its code, too: results that are forgotten
/// are returned, for the caller to release them without a lock.
final class Deliveries<Model: Sendable>: Sendable {
  private struct Subscriber {
    let receive: @Sendable (Delivery<Model>) -> Void
    let drop: @Sendable () -> any Sendable
    let finish: @Sendable () -> Void
  }

  private struct State {
    var latest: Delivery<Model>?
    var failure: Delivery<Model>?
    var subscribers: [Int: Subscriber] = [:]
    var lastNumber = 0
    var isFinished = false
    var sessionCount = 0
    /// The number of lists that have ended, with a session or without.
    var listCount = 0
    /// Follows the sessions of users, as long as there may be results that were not read.
    var sessions: StoreWatch?

    mutating func takeLatest() -> [Delivery<Model>] {
      defer { (latest, failure) = (nil, nil) }
      return [latest, failure].compactMap { $0 }
    }
  }

  private let state = Lock(State())

  /// The latest model.
  var latest: Model? { try? state.withLock { $0.latest }?.result.get() }

  /// Passes a result to the subscribers.
  ///
  /// - Returns: The results that it replaces.
  func send(_ delivery: Delivery<Model>) -> [Delivery<Model>] {
    state.withLock { state in
      var delivery = delivery
      (delivery.session, delivery.list) = (state.sessionCount, state.listCount)
      let replaced: [Delivery<Model>]
      switch delivery.result {
      case .success:
        replaced = state.takeLatest()
        state.latest = delivery
      case .failure:
        replaced = [state.failure].compactMap { $0 }
        state.failure = delivery
      }
      for subscriber in state.subscribers.values { subscriber.receive(delivery) }
      return replaced
    }
  }

  /// Forgets the latest results: another list begins.
  ///
  /// - Returns: These results.
  func endList() -> [Delivery<Model>] {
    state.withLock { state in
      state.listCount += 1
      return state.takeLatest()
    }
  }

  /// Forgets the latest results, and those that subscribers have not read.
  ///
  /// - Returns: These results.
  func endSession() -> [any Sendable] {
    state.withLock { state in
      state.sessionCount += 1
      state.listCount += 1
      var dropped = state.subscribers.values.map { $0.drop() }
      for delivery in state.takeLatest() { dropped.append(delivery) }
      return dropped
    }
  }

  /// Keeps the watch of the store that calls ``endSession()``.
  func keep(_ sessions: StoreWatch) { state.withLock { $0.sessions = sessions } }

  /// Ends all subscriptions after the results that were not read.
  func finish() {
    let subscribers = state.withLock { state in
      state.isFinished = true
      return state.subscribers
    }
    for subscriber in subscribers.values { subscriber.finish() }
  }

  /// Adds a subscriber.
  ///
  /// - Parameters:
  ///   - receive: A closure that receives each result.
  ///   - drop: A closure that removes and returns the results that were not read, as they belong to
  ///     a session that has ended.
  ///   - finish: A closure that is called at the end.
  /// - Returns: The number of the subscription, for ``unsubscribe(_:)``.
  func subscribe(
    _ receive: @escaping @Sendable (Delivery<Model>) -> Void,
    drop: @escaping @Sendable () -> any Sendable = { [Delivery<Model>]() },
    finish: @escaping @Sendable () -> Void
  ) -> Int {
    let (number, isFinished) = state.withLock { state in
      state.lastNumber += 1
      for delivery in [state.latest, state.failure].compactMap({ $0 }) { receive(delivery) }
      state.subscribers[state.lastNumber] = Subscriber(
        receive: receive, drop: drop, finish: finish)
      return (state.lastNumber, state.isFinished)
    }
    if isFinished { finish() }
    return number
  }

  func unsubscribe(_ number: Int) {
    let subscriber = state.withLock { $0.subscribers.removeValue(forKey: number) }
    withExtendedLifetime(subscriber) {}  // released outside of the lock
  }

  /// Returns the results from now on, beginning with the latest ones. All are kept until they are
  /// read, or until their session ends.
  func stream() -> AsyncStream<Result<Model, any Error>> {
    let (inbox, subscription) = makeInbox()
    return AsyncStream {
      defer { withExtendedLifetime(subscription) {} }
      return await inbox.next()?.result
    } onCancel: {
      inbox.finish()
    }
  }

  /// Returns the same results, for a consumer which shows them later than it reads them: each with
  /// its list, which ``isCurrent(list:)`` knows.
  func listStream() -> AsyncStream<ListResult> {
    let (inbox, subscription) = makeInbox()
    return AsyncStream {
      defer { withExtendedLifetime(subscription) {} }
      return await inbox.next()
    } onCancel: {
      inbox.finish()
    }
  }

  /// A result with the number of its list.
  typealias ListResult = (result: Result<Model, any Error>, list: Int)

  /// Returns whether a session has not ended.
  func isCurrent(session: Int) -> Bool { state.withLock { $0.sessionCount == session } }

  /// Returns whether a list has ended neither with its session, nor with a reset, nor because
  /// another one has taken its place.
  func isCurrent(list: Int) -> Bool { state.withLock { $0.listCount == list } }

  /// The subscription keeps this object: results that were not read when the pager is released are
  /// dropped at the end of their session, too.
  private func makeInbox() -> (ResultInbox<ListResult>, StreamSubscription) {
    let inbox = ResultInbox<ListResult>()
    let number = subscribe(
      { inbox.append(($0.result, $0.list)) }, drop: { inbox.removeAll() },
      finish: { inbox.finish() })
    return (inbox, StreamSubscription { self.unsubscribe(number) })
  }
}

/// Ends the subscription of a stream with the stream.
///
/// Only the stream refers to it, so that it is never released under the lock of the subscribers.
private final class StreamSubscription: Sendable {
  private let end: @Sendable () -> Void

  init(end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}
