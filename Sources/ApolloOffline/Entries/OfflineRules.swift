public import ApolloAPI

/// The identity of a change for the server, which performs two requests with one key once.
///
/// A mutation with a key is sent again until the server responds. Give a key only if the server
/// recognizes it; ``OfflineQueueConfiguration/keyCarriers`` says where it is sent.
public struct OfflineKey: Hashable, Sendable, ExpressibleByStringLiteral {
  let value: String?

  /// A new key, which is kept with the mutation.
  public static let automatic = OfflineKey(value: nil)

  private init(value: String?) { self.value = value }

  /// A key of the program.
  public init(_ value: String) { self.value = value }

  /// A key of the program.
  public init(stringLiteral value: String) { self.init(value) }
}

/// The place of the key in a request.
public enum OfflineKeyCarrier: Hashable, Sendable {
  /// An HTTP header, such as `Idempotency-Key`. A `WebSocketTransport` sends none.
  case header(String)
  /// A variable, with dots into input objects: `input.clientMutationId`.
  case variable(String)
}

/// The reaction to a mutation that has failed.
///
/// A server rejects a mutation with GraphQL errors, or with a status such as 400. It can also fail
/// without a server: when it is too old, or when its file is gone. Then it stays in the queue until
/// the program or its handler decides.
public enum OfflineConflictRule: Int, Hashable, Sendable {
  /// Stops the lane until the program decides with ``OfflineMutationQueue/retry(_:)`` or
  /// ``OfflineMutationQueue/drop(_:)``.
  case stop = 0
  /// Drops a mutation that a GraphQL server has rejected. The lane goes on. What has failed for
  /// another reason stops the lane, and so does a status without GraphQL errors other than 400, 413
  /// and 422: something in front of the server may have sent it.
  case skip = 1
  /// Asks the handler that is registered for the type of the mutation, for each reason. A handler
  /// that returns `.skip` drops the mutation, also one that is only too old.
  case handler = 2
}

/// The reaction when a mutation without a key may have reached the server, and no response came.
public enum OfflineUncertainty: Int, Hashable, Sendable {
  /// Stops the lane until the program decides.
  case ask = 0
  /// Takes the mutation for performed.
  case assumeDone = 1
  /// Sends it again. The server may perform it twice.
  case retry = 2
}

/// The treatment of earlier changes of the same subject that still wait.
public enum OfflineSuperseding: Hashable, Sendable {
  /// All changes are sent.
  case none
  /// Earlier mutations of the same type, lane and subject are dropped, if they have not been sent.
  case replace(String)
  /// The registered merge makes one mutation of the new one and the latest one of the same type,
  /// lane and subject that has not been sent.
  case merge(String)

  var subject: String? {
    switch self {
    case .none: nil
    case .replace(let subject), .merge(let subject): subject
    }
  }
}

/// The way in which the queue keeps files to upload.
public enum OfflineFileStorage: Hashable, Sendable {
  /// The content is copied into the queue's file.
  case copied
  /// The path is kept. The program keeps the file until the mutation has ended.
  case referenced
}

/// A change of the cache that a registered updater makes, with its argument.
public struct OfflineUpdate: Hashable, Sendable {
  /// The name under which the updater is registered.
  public var name: String
  /// The argument, which is stored. Temporary identifiers in it are replaced.
  public var argument: JSONValue

  /// Names an updater.
  public init(_ name: String, argument: JSONValue = .null) {
    self.name = name
    self.argument = argument
  }
}

/// The rules for one mutation in the queue.
///
/// ```swift
/// let rules = OfflineRules.enqueue(key: .automatic, conflict: .skip, lane: "todos")
/// ```
public struct OfflineRules: Hashable, Sendable {
  /// The key, or `nil` if the server does not recognize keys. Without one, a mutation that may have
  /// been performed is not sent again, unless ``uncertainty`` is `.retry`.
  public var key: OfflineKey?
  /// The reaction to a rejection.
  public var conflict: OfflineConflictRule
  /// The lane. Mutations of a lane are sent in order, and each waits for the end of the one before.
  public var lane: String
  /// The reaction when the mutation has no key and may have been performed.
  public var uncertainty: OfflineUncertainty
  /// The treatment of earlier changes of the same subject.
  public var superseding: OfflineSuperseding
  /// The temporary identifiers that the mutation creates, each with the path of the real one in the
  /// data of the response.
  public var creates: [String: [String]]
  /// The way in which files are kept.
  public var files: OfflineFileStorage

  /// The rules of a mutation that is put into the queue.
  ///
  /// - Parameters:
  ///   - key: The key, or `nil` if the server does not recognize keys.
  ///   - conflict: The reaction to a rejection.
  ///   - lane: The lane.
  ///   - uncertainty: The reaction when the mutation has no key and may have been performed.
  ///   - superseding: The treatment of earlier changes of the same subject.
  ///   - creates: The temporary identifiers that the mutation creates, each with the path of the
  ///     real one in the data: `["new-1": ["createTodo", "id"]]`.
  ///   - files: The way in which files are kept.
  /// - Returns: The rules.
  public static func enqueue(
    key: OfflineKey? = nil, conflict: OfflineConflictRule = .stop, lane: String = "",
    uncertainty: OfflineUncertainty = .ask, superseding: OfflineSuperseding = .none,
    creates: [String: [String]] = [:], files: OfflineFileStorage = .copied
  ) -> OfflineRules {
    OfflineRules(
      key: key, conflict: conflict, lane: lane, uncertainty: uncertainty,
      superseding: superseding, creates: creates, files: files)
  }
}
