internal import ApolloAPI

/// The positions in selections at which objects have been records of their own.
///
/// At other positions, objects are embedded in their parents. An empty list does not show which of
/// both it would have.
///
/// Positions live as long as the program, so their addresses identify them.
final class RecordPositions: Sendable {
  private let positions = Lock<Set<ObjectIdentifier>>([])

  /// Adds positions, and returns all of them.
  func inserting(_ new: some Sequence<ObjectIdentifier>) -> Set<ObjectIdentifier> {
    positions.withLock { positions in
      for position in new { positions.insert(position) }
      return positions
    }
  }
}
