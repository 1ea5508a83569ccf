package import ApolloAPI

/// The facts of a call that accompany its operation from the client to the place where it is sent.
///
/// A request of the client, of a transport and of a client of HTTP has them as one value, so that
/// whatever makes the next request of the previous one passes on all of them.
package struct CallFacts: Sendable {
  /// The name and the version of the program, or `nil` for those that the transport has.
  package var clientAwareness: ClientAwareness?

  /// A Boolean value that indicates whether the caller limits the time of the call. Otherwise the
  /// transport does.
  package var hasDeadline = false

  /// The deadline of a call that waits for nothing but its requests, which end in time by
  /// themselves. `nil` if the caller, or the transport, ends the call as a whole.
  package var deadline: CallDeadline?

  /// The deadline of what the client does around its requests, if the transport names no limit.
  package var pausableDeadline: PausableDeadline?

  /// The session in which the call began, or `nil` if it belongs to none. Nothing begins for a call
  /// whose session has ended, and its responses do not reach the cache.
  package var session: CallSession?

  /// The position in time at which the request is sent, which is that of the latest attempt. `nil`
  /// if it does not matter.
  package var sent: SentRequest?

  /// A Boolean value that indicates whether the caller shows the response beside the data of the
  /// cache, without writing it there. The response must not be that of an older request.
  package var needsOwnRequest = false

  /// The query for a part of the operation, which is sent in place of the whole text. A transport
  /// that knows nothing of it sends the operation as a whole, whose response has the part.
  package var completion: CompletionQuery?

  /// The client that a step of the call has for its requests, in place of that of the transport.
  /// Requests of two clients are never shared.
  package var client: (any ClientOfStep)?

  /// Reports the steps of the call; `nil` if there is no observer.
  package var events: CallEventRecorder?

  /// Receives the changes in the state of a subscription, on the task that awaits its responses.
  package var stateHandler: (@Sendable (SubscriptionState) -> Void)?

  /// Receives the reaction of the server to a subscription, also when it is sent again. Called on
  /// any thread.
  package var openingHandler: (@Sendable (SubscriptionOpening) -> Void)?

  package init() {}
}

/// The value of ``CallFacts/client``.
///
/// Only ``StepClient`` conforms: the requests of clients have facts, so facts name no client.
package protocol ClientOfStep: Sendable {
  /// The identity of the client, for as long as it is alive.
  var identity: ObjectIdentifier { get }
}

/// The facts of a call in the memory of one reference. Requests share them until one changes.
package final class SharedFacts: Sendable {
  package let facts: CallFacts

  package init(_ facts: CallFacts) { self.facts = facts }

  /// The facts of a request that belongs to no call of a client.
  package static let none = SharedFacts(CallFacts())
}
