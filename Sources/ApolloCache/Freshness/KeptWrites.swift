internal import ApolloAPI

/// The writes of fields as a cache has kept them.
struct KeptWrites: Sendable {
  /// The write of each field, ``WriteID/none`` for one of which the cache knows nothing.
  private(set) var fields: [RecordKey: [FieldKey: WriteID]] = [:]
  private(set) var facts: [WriteID: WriteFacts] = [:]

  var isEmpty: Bool { fields.isEmpty }
}

extension KeptWrites {
  /// Asks a snapshot for the writes of all fields that were read and of which a ledger knows
  /// nothing.
  ///
  /// - Complexity: O(*n*) in the number of these records, each of which is one lookup.
  init(
    _ dependencies: Dependencies, unknownTo ledger: FreshnessLedger, in snapshot: any StoreSnapshot
  )
    throws
  {
    for entry in dependencies.entries {
      guard let layout = entry.layout else { continue }
      let known = ledger.writes(of: entry.record)
      if case .one(let shape, _)? = known, shape === layout.shape { continue }
      let asked = fields[entry.record]
      let unknown = layout.shape.fields.filter {
        $0 != .typename && known?[$0] == nil && asked?[$0] == nil
      }
      guard !unknown.isEmpty else { continue }
      let found = try snapshot.writes(of: entry.record, among: unknown)
      for field in unknown {
        let id = found[field] ?? .none
        fields[entry.record, default: [:]][field] = id
        guard id != .none, ledger.facts(about: id) == nil, facts[id] == nil else { continue }
        facts[id] = try snapshot.facts(about: id)
      }
    }
  }
}
