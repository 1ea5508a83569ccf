import ApolloAPI

/// The part of a waiting mutation that the queue keeps in memory. Everything else is read from the
/// file when it is needed.
struct EntryRecord: Sendable {
  /// The state in the file. Raw values are stored.
  enum Phase: Int64, Sendable {
    case waiting = 0
    case sending = 1
    case failed = 2
    case uncertain = 3
  }

  let id: Int64
  let lane: String
  let operationName: String
  var phase = Phase.waiting
  /// The number of requests that were begun, which also tells a late result from that of the
  /// latest one.
  var attempts: Int64 = 0
  /// `true` if a request may have reached the server.
  var mayHaveArrived = false
  /// In seconds since 1970.
  let time: Double
  let byteCount: Int64
  let isKeyed: Bool
  let conflict: OfflineConflictRule
  let uncertainty: OfflineUncertainty
  /// The name of what it changes, if later changes may take its place.
  let subject: String?
  /// The temporary identifiers in it that had no real ones when it was added.
  let needs: [String]
  /// The temporary identifiers that it creates.
  let creates: [String: [String]]
  /// `true` if it has optimistic data or an updater.
  let isVisible: Bool
  /// The reason of the phase `failed`.
  var failure: OfflineFailure?

  var state: OfflineState {
    switch phase {
    case .waiting: .waiting
    case .sending: .sending
    case .failed: .failed(failure ?? OfflineFailure(.rejected))
    case .uncertain: .uncertain
    }
  }

  /// Indicates whether it can be dropped in favor of a later change without a trace on the server.
  var canBeSuperseded: Bool { phase == .waiting && !mayHaveArrived && creates.isEmpty }
}

/// A mutation before it is in the file. Its contents are sealed.
struct NewEntry: Sendable {
  var lane: String
  var operationName: String
  var key: String?
  var rules: OfflineRules
  var needs: [String]
  var isVisible: Bool
  var payload: [UInt8]
  var files: [StoredFile]

  var byteCount: Int64 {
    Int64(payload.count) + files.reduce(0) { $0 + Int64($1.content?.count ?? 0) }
  }
}

/// A file to upload, as it is stored.
struct StoredFile: Sendable {
  var fieldName: String
  var originalName: String
  var mimeType: String
  /// The sealed content, if it was copied.
  var content: [UInt8]?
  /// The path, if the program keeps the file.
  var path: String?
}

/// The contents of a mutation.
struct Payload: Sendable {
  var variables: JSONValue
  var optimistic: JSONValue?
  var update: OfflineUpdate?

  init(variables: JSONValue, optimistic: JSONValue?, update: OfflineUpdate?) {
    self.variables = variables
    self.optimistic = optimistic
    self.update = update
  }

  init(bytes: [UInt8]) throws {
    let json = try JSONValue(jsonBytes: bytes)
    variables = json["variables"] ?? .object([:])
    optimistic = json["optimistic"]
    update = json["updater"]?.stringValue.map {
      OfflineUpdate($0, argument: json["argument"] ?? .null)
    }
  }

  var bytes: [UInt8] {
    var members = ["variables": variables]
    if let optimistic { members["optimistic"] = optimistic }
    if let update {
      members["updater"] = .string(update.name)
      members["argument"] = update.argument
    }
    return JSONValue.object(members).bytes
  }

  /// Calls `body` with each text of the variables, the optimistic data and the argument.
  func forEachText(_ body: (String) -> Void) {
    variables.forEachText(body)
    optimistic?.forEachText(body)
    update?.argument.forEachText(body)
  }

  /// The same contents with real identifiers in place of temporary ones.
  func replacingTexts(_ new: [String: String]) -> Payload {
    guard !new.isEmpty else { return self }
    return Payload(
      variables: variables.replacingTexts(new), optimistic: optimistic?.replacingTexts(new),
      update: update.map {
        OfflineUpdate($0.name, argument: $0.argument.replacingTexts(new))
      })
  }
}

/// One request for a mutation that has been noted in the file.
struct Attempt: Sendable {
  let id: Int64
  let number: Int64
  let operationName: String
  let key: String?
  /// Sealed.
  let payload: [UInt8]
  let files: [StoredFile]
  /// The real identifiers of those that the payload needs.
  let identifiers: [String: String]
  let creates: [String: [String]]
}

/// The end of one request, as far as the queue is concerned.
enum AttemptOutcome: Sendable {
  /// The server has performed the mutation, and named these identifiers.
  case performed([String: String])
  /// The server has surely not performed it, and will perhaps do so later.
  case notPerformed(retryAfter: Duration?, isFaultOfServer: Bool)
  /// The server may have performed it.
  case unknown(retryAfter: Duration?, isFaultOfServer: Bool)
  /// The server will not perform it as it is.
  case rejected(OfflineFailure)
}
