/// The end of a load.
enum LoadOutcome: Sendable {
  case loaded
  /// The server responded with errors alone.
  case withoutData([GraphQLError])
  case failed(any Error)
  case cancelled
}
