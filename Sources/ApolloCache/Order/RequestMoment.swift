internal import ApolloAPI

/// A response was compared with all notes up to a number.
struct OrderCheck: Sendable {
  let moment: RequestMoment
  let noteNumber: UInt64
}

/// The position of a request in the order, without the request.
package struct RequestMoment: Hashable, Sendable {
  let number: UInt64
  /// The position at which its sending began.
  let beginning: UInt64
  let isMutation: Bool
  /// For a mutation with an optimistic layer, the position from which readers have seen its
  /// response there, or the largest number before. What is below the layer does not overtake it.
  var visibility: UInt64?
  /// For a mutation without one, the position of its response if values were left out of that. What
  /// was sent later is newer than these values.
  var arrival: UInt64?
  /// The store whose readers see the response, also while it waits in a layer.
  var store: ObjectIdentifier?
  /// Indicates whether it stands for the changes of lists that a mutation makes, which such changes
  /// by events do not overtake, and not for the values that it brings.
  private(set) var isEdit = false

  /// A mutation that was sent after all others, and that readers have seen from a position on.
  static func mutation(visibleFrom position: UInt64) -> RequestMoment {
    RequestMoment(number: .max, isMutation: true, visibility: position)
  }

  /// The changes of lists by such a mutation.
  static func edits(visibleFrom position: UInt64) -> RequestMoment {
    var moment = mutation(visibleFrom: position)
    moment.isEdit = true
    return moment
  }

  private init(number: UInt64, isMutation: Bool, visibility: UInt64?) {
    (self.number, self.isMutation, self.visibility) = (number, isMutation, visibility)
    beginning = number
  }

  /// `nil` for a subscription, whose events are as new as the moment.
  ///
  /// `attempt` is the position of the attempt, or `nil` for the latest one.
  init?(_ sent: SentRequest, _ attempt: UInt64? = nil) {
    guard sent.operationType != .subscription else { return nil }
    number = attempt ?? sent.number
    beginning = sent.beginning(of: attempt)
    isMutation = sent.operationType == .mutation
  }
}
