/// The watches and the optimistic layers of a store at one moment, for tools.
package struct StoreActivity: Sendable {
  /// A watch, or a subscriber of every change.
  package struct Watch: Sendable {
    /// A number that no other watch of the process has.
    package var number: UInt64
    /// The type of the data that is watched, such as that of a query, if it is known.
    package var subject: Any.Type?
    package var dependsOnEverything: Bool
    /// The fields that the watch depends on. A record may be there several times.
    package var dependencies: [(record: RecordKey, fields: [FieldKey])]
  }

  /// The layer of a mutation.
  package struct Layer: Sendable {
    package enum State: String, Sendable {
      /// The mutation has no optimistic data.
      case reserved
      /// The optimistic data is shown.
      case optimistic
      /// The response is shown, and waits for older mutations.
      case settled
    }

    package var number: UInt64
    package var state: State
    /// Indicates whether the mutation waits to be sent, as in an offline queue.
    package var isWaiting: Bool
    /// The records that the layer changes, as they are shown, or `nil` for those that it removes.
    /// They are in the order of the keys.
    package var records: [(key: RecordKey, fields: FieldMap?)]
  }

  /// The number of all watches.
  package var watchCount: Int
  /// The first watches, in the order in which they began.
  package var watches: [Watch]
  /// The layers, the lowest first.
  package var layers: [Layer]
}
