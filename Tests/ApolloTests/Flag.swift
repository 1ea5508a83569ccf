import ApolloTransport

/// Is raised once.
final class Flag: Sendable {
  private let isRaised = Guarded(false)

  /// Raises the flag; `true` for the first who does.
  func set() -> Bool { !isRaised.exchange(true) }
}
