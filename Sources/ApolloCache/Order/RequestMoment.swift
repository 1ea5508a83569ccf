internal import ApolloAPI

/// A response was compared with all notes up to a number.
struct OrderCheck: Sendable {
  let moment: RequestMoment
  let noteNumber: UInt64
}

/// The position of a request in the order, without the request.
package struct RequestMoment: Hashable, Sendable {
  private enum Kind: Sendable {
    case query
    case mutation
    /// An event of a subscription, whose position is that of its arrival.
    case event
  }

  let number: UInt64
  /// The position at which its sending began, which a clearing of the cache must not follow. For an
  /// event it is the arrival.
  let beginning: UInt64
  private let kind: Kind
  var isMutation: Bool { kind == .mutation }
  var isEvent: Bool { kind == .event }
  /// For a mutation with an optimistic layer, the position from which readers have seen its
  /// response there, or the largest number before. What is below the layer does not overtake it.
  var visibility: UInt64?
  /// For a mutation without one, the position of its response if values were left out of that. What
  /// was sent later is newer than these values.
  var arrival: UInt64?
  /// The store whose readers see the response, also while it waits in a layer.
  var store: ObjectIdentifier?
  /// The position from which its changes of lists are in order: what is newer is not changed by
  /// them. `nil` for a response that is written as it arrives.
  var editVisibility: UInt64? { visibility ?? (isEvent ? number : nil) }
  /// Indicates whether it stands for the changes of lists that a mutation makes, which such changes
  /// by events do not overtake, and not for the values that it brings.
  private(set) var isEdit = false

  /// A mutation that was sent after all others, and that readers have seen from a position on.
  static func mutation(visibleFrom position: UInt64) -> RequestMoment {
    RequestMoment(number: .max, .mutation, visibility: position)
  }

  /// The changes of lists by such a mutation.
  static func edits(visibleFrom position: UInt64) -> RequestMoment {
    var moment = mutation(visibleFrom: position)
    moment.isEdit = true
    return moment
  }

  private init(number: UInt64, _ kind: Kind, visibility: UInt64?) {
    (self.number, self.kind, self.visibility) = (number, kind, visibility)
    beginning = number
  }

  /// `nil` for an event whose transport has not noted its arrival, which is as new as the moment.
  ///
  /// `attempt` is the position of the attempt, or `nil` for the latest one.
  init?(_ sent: SentRequest, _ attempt: UInt64? = nil) {
    switch sent.operationType {
    case .query: kind = .query
    case .mutation: kind = .mutation
    case .subscription where sent.isEvent: kind = .event
    case .subscription: return nil
    }
    number = attempt ?? sent.number
    beginning = sent.isEvent ? number : sent.beginning(of: attempt)
  }
}
