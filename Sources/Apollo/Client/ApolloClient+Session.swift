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
  /// 1. Requests under way are stopped: their callers receive a `CancellationError`, and their
  ///    responses do not reach the cache.
  /// 2. Interceptors of type `AuthenticationInterceptor` forget their tokens, and equal requests of
  ///    the next session are not shared with those of this one.
  /// 3. Watches pause: they deliver nothing, and fetch nothing, until the program calls their
  ///    `refetch()` or `fetch`.
  /// 4. The cache is cleared.
  ///
  /// ``clearCache()`` alone is not enough at a logout: watches fetch their data again at once, with
  /// the token that is still there.
  ///
  /// A token that the program keeps elsewhere, such as in an interceptor of its own, is its own
  /// concern. So are subscriptions over a WebSocket, whose connection belongs to the user that
  /// opened it: end them, and make a new transport or update its payload.
  ///
  /// - Throws: The errors of the cache. The session has ended, but its data may still be there.
  public func endSession() async throws {
    sessions.end()
    networkTransport._endSession()
    store.registry.pauseWatches()
    try await store.clearCache()
  }
}
