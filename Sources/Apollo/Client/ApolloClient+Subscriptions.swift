public import ApolloAPI
public import ApolloTransport
public import Dispatch
public import Foundation

extension ApolloClientProtocol {
  /// Subscribes to the events of a subscription.
  ///
  /// ```swift
  /// for try await event in apollo.subscribe(subscription: ReviewAddedSubscription()) {
  ///   print(event.data?.reviewAdded.stars ?? 0)
  /// }
  /// ```
  ///
  /// The subscription starts when the first event is awaited. Leaving the loop, cancelling its task
  /// or releasing the iterator ends it. The loop ends when the server completes the subscription.
  ///
  /// - Parameters:
  ///   - subscription: The subscription with the values of its variables.
  ///   - cachePolicy: The order in which the cache and the server are used.
  ///   - contextIdentifier: An identifier for the cache writes. A store's subscribers receive it.
  ///   - requestConfiguration: The options of this call, or `nil` for those of the client.
  ///   - stateHandler: A closure that receives the losses of the connection and their ends. Called
  ///     on the task that awaits the events.
  /// - Returns: A sequence of events, each with data, GraphQL errors, or both. It throws
  ///   ``ApolloClientError`` if the transport cannot send subscriptions, and the errors of the
  ///   transport if the connection is lost for good.
  public func subscribe<Subscription: GraphQLSubscription>(
    subscription: Subscription,
    cachePolicy: CachePolicy.Subscription = .cacheThenNetwork,
    contextIdentifier: UUID? = nil,
    requestConfiguration: RequestConfiguration? = nil,
    stateHandler: (@Sendable (SubscriptionState) -> Void)? = nil
  ) -> GraphQLResponses<Subscription> {
    responses(
      to: request(
        subscription, cachePolicy.fetchBehavior, requestConfiguration, contextIdentifier,
        stateHandler: stateHandler))
  }

  /// Subscribes to the events of a subscription and delivers each of them to a handler.
  ///
  /// ```swift
  /// let subscription = apollo.subscribe(subscription: ReviewAddedSubscription()) { result in
  ///   if case .success(let event) = result { print(event.data?.reviewAdded.stars ?? 0) }
  /// }
  /// // later:
  /// subscription.cancel()
  /// ```
  ///
  /// The next event is read when the handler has returned, so a slow handler slows the server down
  /// or uses the buffer that the transport documents, and never the memory of the queue. A failure
  /// is the last result; a cancelled subscription delivers a `CancellationError`. The handler is
  /// not called when the server completes the subscription.
  ///
  /// - Parameters:
  ///   - subscription: The subscription with the values of its variables.
  ///   - cachePolicy: The order in which the cache and the server are used.
  ///   - publishResultToStore: `false` to leave the cache unchanged.
  ///   - contextIdentifier: An identifier for the cache writes. A store's subscribers receive it.
  ///   - resultHandler: A closure that receives each event, on the main actor.
  /// - Returns: A reference that can cancel the subscription. Releasing it does not.
  public func subscribe<Subscription: GraphQLSubscription>(
    subscription: Subscription,
    cachePolicy: CachePolicy.Subscription = .networkOnly,
    publishResultToStore: Bool = true,
    contextIdentifier: UUID? = nil,
    resultHandler: @escaping MainActorResultHandler<Subscription.Data>
  ) -> any Cancellable {
    subscribe(
      subscription: subscription, cachePolicy: cachePolicy,
      publishResultToStore: publishResultToStore, contextIdentifier: contextIdentifier, queue: .main
    ) { result in
      MainActor.assumeIsolated { resultHandler(result) }
    }
  }

  /// Subscribes to the events of a subscription and delivers each of them to a handler on a queue.
  ///
  /// The next event is read when the handler has returned.
  ///
  /// - Parameters:
  ///   - subscription: The subscription with the values of its variables.
  ///   - cachePolicy: The order in which the cache and the server are used.
  ///   - publishResultToStore: `false` to leave the cache unchanged.
  ///   - contextIdentifier: An identifier for the cache writes. A store's subscribers receive it.
  ///   - queue: The queue on which the handler is called.
  ///   - resultHandler: A closure that receives each event.
  /// - Returns: A reference that can cancel the subscription. Releasing it does not.
  public func subscribe<Subscription: GraphQLSubscription>(
    subscription: Subscription,
    cachePolicy: CachePolicy.Subscription = .networkOnly,
    publishResultToStore: Bool = true,
    contextIdentifier: UUID? = nil,
    queue: DispatchQueue,
    resultHandler: @escaping GraphQLResultHandler<Subscription.Data>
  ) -> any Cancellable {
    let request = request(
      subscription, cachePolicy.fetchBehavior,
      configuration(writesResultsToCache: publishResultToStore), contextIdentifier)
    let responses = responses(to: request)
    return CallTask(in: request.facts.session) { results in
      do {
        for try await response in responses {
          try Task.checkCancellation()
          await deliver(
            .success(GraphQLResult(response)), of: results, to: resultHandler, on: queue)
        }
        try Task.checkCancellation()
      } catch {
        await deliver(.failure(error), of: results, to: resultHandler, on: queue)
      }
    }
  }
}

/// Calls a handler on a queue and waits until it has returned.
private func deliver<Data>(
  _ result: Result<GraphQLResult<Data>, any Error>, of results: CallResults,
  to handler: @escaping GraphQLResultHandler<Data>,
  on queue: DispatchQueue
) async {
  await withCheckedContinuation { continuation in
    queue.async {
      if let result = results.delivered(result) { handler(result) }
      continuation.resume()
    }
  }
}
