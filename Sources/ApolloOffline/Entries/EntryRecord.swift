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

  /// The part that every change compares in its transaction. If it differs, another queue has
  /// changed the mutation since the decision was made.
  struct Standing: Hashable, Sendable {
    var phase: Phase
    /// The number of requests that were begun, which also tells a late result from that of the
    /// latest one.
    var attempts: Int64
    /// The number of times that the contents or the key were replaced.
    var revision: Int64
  }

  let id: Int64
  let lane: String
  let operationName: String
  var standing = Standing(phase: .waiting, attempts: 0, revision: 0)
  /// `true` if a request may have reached the server.
  var mayHaveArrived = false
  /// In seconds since 1970.
  var time: Double
  var byteCount: Int64
  let isKeyed: Bool
  let conflict: OfflineConflictRule
  let uncertainty: OfflineUncertainty
  /// The name of what it changes, if later changes may take its place.
  let subject: String?
  /// The temporary identifiers in it that had no real ones when it was added.
  var needs: [String]
  /// The temporary identifiers that it creates.
  let creates: [String: [String]]
  /// `true` if it has optimistic data or an updater.
  var isVisible: Bool
  /// The reason of the phase `failed`.
  var failure: OfflineFailure?

  var phase: Phase { standing.phase }

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
  var operationName: String
  var key: String?
  var rules: OfflineRules
  var needs: [String] = []
  var isVisible: Bool
  var payload: [UInt8]
  var files: [StoredFile] = []

  var byteCount: Int64 {
    Int64(payload.count) + files.reduce(0) { $0 + Int64($1.content?.count ?? 0) }
  }

  /// The mutation as it is kept in memory.
  func record(id: Int64, time: Double) -> EntryRecord {
    EntryRecord(
      id: id, lane: rules.lane, operationName: operationName, time: time, byteCount: byteCount,
      isKeyed: key != nil, conflict: rules.conflict, uncertainty: rules.uncertainty,
      subject: rules.superseding.subject, needs: needs, creates: rules.creates,
      isVisible: isVisible)
  }
}

/// New contents of a mutation that is in the file, sealed.
struct NewContents: Sendable {
  /// `nil` for the same.
  var payload: [UInt8]?
  var key: String?
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
