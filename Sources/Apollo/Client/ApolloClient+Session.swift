import ApolloCache
import ApolloTransport

extension ApolloClient {
  /// Ends the session of a user, so that the next one sees nothing of it.
  ///
  /// ```swift
  /// try await apollo.endSession()
  /// authentication.setToken(newToken)  // at the next login
  /// ```
  ///
  /// 1. Requests under way are stopped, also those that a server does not answer: their callers
  ///    receive a `CancellationError`, and their responses do not reach the cache. A call that
  ///    waits in an interceptor sends nothing any more, and fails when it goes on.
  /// 2. Interceptors of type `AuthenticationInterceptor` forget their tokens, and equal requests of
  ///    the next session are not shared with those of this one.
  /// 3. Watches of queries pause: they deliver nothing, and fetch nothing, until the program calls
  ///    their `refetch()` or `fetch`. Watches of fragments deliver that the cache is empty, and go
  ///    on when it is.
  /// 4. The cache is cleared, after the writes of earlier calls with callbacks have ended. So is
  ///    that of each other store that the steps of a ``RequestChain`` have used for this client.
  ///
  /// ``clearCache()`` alone is not enough at a logout: watches fetch their data again at once, with
  /// the token that is still there.
  ///
  /// Subscriptions end at once with an error, also those that wait for another attempt. A WebSocket
  /// is closed, because its connection belongs to the user who opened it, and forgets its
  /// connecting payload; the next operation makes another one, for which a provider is asked.
  ///
  /// A token that the program keeps elsewhere, such as in an interceptor of its own or in the
  /// headers of a transport, is its own concern. So is a wrapper of a transport that the program
  /// has written, or of an HTTP interceptor: it passes `_endSession()` on to the one in it, which
  /// keeps the token otherwise. So is a store of steps that no call has used since the start of the
  /// program, or that the program has released: clear its cache as well.
  ///
  /// - Throws: The errors of the cache, and of a queue of offline mutations. The session has ended,
  ///   but its data may still be there. If the cache has failed, watches of fragments wait until
  ///   this method or `clearCache()` has cleared it.
  public func endSession() async throws {
    // First, so that no watch delivers that its fetch was cancelled.
    store.registry.report(.begun)
    let finish = attachment.get()?.stopSession()
    sessions.end()
    networkTransport._endSession()
    store.endSession()
    var failure: (any Error)?
    do { try await finish?() } catch { failure = error }
    // In a task of its own: this one may be a part of the session, such as an interceptor that has
    // found the user to be logged out, and is cancelled then.
    try await Task { [store, others = context.stores.others] in
      var failureOfOthers: (any Error)?
      for other in others {
        do { try await other.clearCache() } catch { failureOfOthers = error }
      }
      do {
        try await store.clearCache()
      } catch {
        store.registry.noteFailedClearing()
        throw error
      }
      store.registry.report(.cleared)
      if let failureOfOthers { throw failureOfOthers }
    }.value
    if let failure { throw failure }
  }

  /// The number of sessions whose watches have paused, also those of other clients of the store.
  package var endedSessionCount: Int { store.registry.endedSessionCount }
}
