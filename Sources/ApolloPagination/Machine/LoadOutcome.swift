/// The end of a load.
enum LoadOutcome: Sendable {
  case loaded
  /// The server responded with errors alone.
  case withoutData([GraphQLError])
  case failed(any Error)
  case cancelled
  /// The page before it has changed, so that it does not follow any more. Another load can begin.
  case outdated

  /// Indicates whether the load has ended early, without a result for the subscribers.
  var isCancelled: Bool {
    switch self {
    case .cancelled, .outdated: true
    case .loaded, .withoutData, .failed: false
    }
  }
}
