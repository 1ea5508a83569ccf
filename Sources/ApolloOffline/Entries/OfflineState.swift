import ApolloAPI
public import Foundation

/// The identity of a mutation in the file of a queue. A later mutation has a larger one.
public struct OfflineID: RawRepresentable, Hashable, Comparable, Sendable {
  /// The number of the mutation, which stays the same over restarts.
  public let rawValue: Int64

  /// The identity with a number that the program has kept.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// Returns whether the left mutation is the earlier one.
  public static func < (left: OfflineID, right: OfflineID) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The state of a mutation in a queue.
///
/// | state | on disk | next |
/// | :-- | :-- | :-- |
/// | `waiting` | yes | `sending`, `failed` (too old, or lacks an identifier), `uncertain` (too old), `done` |
/// | `sending` | yes, before the request | `waiting`, `failed`, `uncertain`, `done` |
/// | `failed` | yes | `waiting` (retried), `done` (dropped) |
/// | `uncertain` | yes | `waiting` (retried), `done` |
/// | `done` | no | |
public enum OfflineState: Hashable, Sendable {
  /// It waits for its turn, for the network, or for the next attempt.
  case waiting
  /// Its request is under way.
  case sending
  /// It was rejected, or cannot be sent. The lane is stopped until the program or its handler
  /// decides.
  case failed(OfflineFailure)
  /// It may have been performed, and must not be sent again: it has no key, or is so old that the
  /// server may have forgotten the key. The lane is stopped until the program decides.
  case uncertain
  /// It has left the queue.
  case done(OfflineEnding)
}

/// The way in which a mutation left the queue.
public enum OfflineEnding: String, Hashable, Sendable {
  /// The server has performed it.
  case performed
  /// It was taken for performed, or another process has sent it.
  case assumed
  /// A rule or the program has dropped it.
  case dropped
  /// A later change of the same subject has taken its place.
  case superseded
  /// Its session has ended.
  case sessionEnded
}

/// The reason for which a mutation has failed.
public struct OfflineFailure: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// The kind of a failure. Later versions can add kinds, so a `switch` needs a `default`.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// The name of the kind.
    public let description: String

    /// The response has GraphQL errors.
    public static let graphQL = Kind(description: "graphQL")
    /// The server has responded with a status that will not change, such as 400.
    public static let rejected = Kind(description: "rejected")
    /// The response could not be read.
    public static let unreadable = Kind(description: "unreadable")
    /// The mutation has waited for longer than ``OfflineQueueConfiguration/maximumAge``.
    public static let expired = Kind(description: "expired")
    /// The mutation needs an identifier of another one, which has left the queue without it.
    public static let dependency = Kind(description: "dependency")
    /// The server has failed too often.
    public static let repeatedly = Kind(description: "repeatedly")
    /// The request could not be made, such as for a file that is gone.
    public static let unsendable = Kind(description: "unsendable")
  }

  /// The kind.
  public let kind: Kind
  /// The status of the HTTP response, or `nil`.
  public let statusCode: Int?
  /// The messages of the GraphQL errors, or the text of the error.
  public let messages: [String]

  init(_ kind: Kind, statusCode: Int? = nil, messages: [String] = []) {
    self.kind = kind
    self.statusCode = statusCode
    self.messages = messages
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The kind and the messages.
  public var description: String {
    let status = statusCode.map { " with status \($0)" } ?? ""
    return "\(kind)\(status)" + (messages.isEmpty ? "" : ": \(messages.joined(separator: "; "))")
  }
}

extension OfflineFailure {
  /// Indicates whether a server has rejected the mutation. It would give the same response to the
  /// same key again.
  var isRejection: Bool { [.graphQL, .rejected].contains(kind) }

  /// Indicates whether a GraphQL server has rejected the mutation. Other statuses without its
  /// errors may be those of something in front of it, such as 404 while it is replaced.
  var isOfGraphQLServer: Bool {
    switch kind {
    case .graphQL: true
    case .rejected: !messages.isEmpty || [400, 413, 422].contains(statusCode)
    default: false
    }
  }

  /// The form in the file.
  var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.write(
      .object([
        "kind": .string(kind.description),
        "status": statusCode.map { .int(Int64($0)) } ?? .null,
        "messages": .array(messages.map(JSONValue.string)),
      ]))
    return writer.bytes
  }

  init?(bytes: [UInt8]) {
    // Text that is no failure: the entry then shows that its reason is not known.
    guard let json = try? JSONValue(jsonBytes: bytes), let kind = json["kind"]?.stringValue else {
      return nil
    }
    self.init(
      Kind(description: kind), statusCode: json["status"]?.intValue,
      messages: (json["messages"]?.arrayValue ?? []).compactMap(\.stringValue))
  }
}

/// A change in the state of a mutation.
public struct OfflineEvent: Hashable, Sendable {
  /// The mutation.
  public let id: OfflineID
  /// The name of the operation.
  public let operationName: String
  /// The lane.
  public let lane: String
  /// The new state.
  public let state: OfflineState
}

/// The number of mutations in each state.
public struct OfflineCounts: Hashable, Sendable, CustomStringConvertible {
  /// The mutations that wait.
  public internal(set) var waiting = 0
  /// The mutations whose requests are under way.
  public internal(set) var sending = 0
  /// The mutations that were rejected, or cannot be sent.
  public internal(set) var failed = 0
  /// The mutations that may have been performed.
  public internal(set) var uncertain = 0

  /// The mutations in the queue.
  public var total: Int { waiting + sending + failed + uncertain }

  /// A sentence such as "3 changes are waiting".
  public var description: String {
    var parts: [String] = []
    let pending = waiting + sending
    let undecided = failed + uncertain
    if pending > 0 { parts.append("\(Self.changes(pending)) waiting") }
    if undecided > 0 { parts.append("\(Self.changes(undecided)) in need of a decision") }
    return parts.isEmpty ? "all changes are saved" : parts.joined(separator: ", ")
  }

  private static func changes(_ count: Int) -> String {
    count == 1 ? "1 change is" : "\(count) changes are"
  }
}

/// A mutation in the queue, as a program sees it.
public struct OfflineEntry: Hashable, Sendable {
  /// The identity.
  public let id: OfflineID
  /// The name of the operation.
  public let operationName: String
  /// The lane.
  public let lane: String
  /// The state.
  public let state: OfflineState
  /// The number of times that a request was begun.
  public let attemptCount: Int
  /// The time at which it was added, or retried by the program.
  public let date: Date
  /// The subject of its ``OfflineSuperseding``, if it has one.
  public let subject: String?
}
