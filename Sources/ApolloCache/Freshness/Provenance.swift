internal import ApolloAPI
public import struct Foundation.Date

/// The write that a field of the cache is from.
///
/// ```swift
/// for (field, write) in store.provenance(of: "Product:7") {
///   print(field, write.operationName ?? "the program", write.date)
/// }
/// ```
public struct Provenance: Hashable, Sendable {
  /// The time of the write.
  public let date: Date
  /// The name of the operation whose response was written, or `nil` for a change by the program.
  public let operationName: String?
  /// The maximum age that the server has sent with the response.
  public let maxAge: Duration?
}

extension Provenance {
  init(_ facts: WriteFacts) {
    date = Date(timeIntervalSince1970: facts.time)
    operationName = facts.operationName
    maxAge = facts.maxAge.map { .seconds($0) }
  }
}

extension ApolloStore {
  /// Returns who has written the fields of a record, and when.
  ///
  /// The store knows that if it tracks ages: ``Configuration/freshness``. Several stores of one
  /// cache share what they know, and a SQLite file keeps it.
  ///
  /// - Parameter key: The key of the record.
  /// - Returns: The latest write of each field for which it is known.
  /// - Complexity: O(*n*) in the number of fields.
  public func provenance(of key: RecordKey) -> [FieldKey: Provenance] {
    noteForeignCommitsInLedger()
    let ledger = siblings.freshness.ledger
    let kept = keptProvenance(of: key)
    guard let writes = ledger.writes(of: key) else { return kept }
    var provenance: [FieldKey: Provenance] = [:]
    for (field, write) in writes.all {
      provenance[field] = ledger.facts(about: write).map(Provenance.init)
    }
    return kept.merging(provenance) { $1 }
  }

  /// Returns what the cache has kept. Nothing if it cannot be read now.
  private func keptProvenance(of key: RecordKey) -> [FieldKey: Provenance] {
    guard let snapshot = try? records.openSnapshotAtOnce(), snapshot.keepsWrites,
      let fields = try? snapshot.fields(of: key),
      let writes = try? snapshot.writes(of: key, among: fields.keys)
    else { return [:] }
    return writes.compactMapValues { write in
      (try? snapshot.facts(about: write)).flatMap { $0 }.map(Provenance.init)
    }
  }

  /// Returns who has written a field, and when.
  ///
  /// - Parameter address: The record and the field.
  /// - Returns: The latest write, or `nil` if it is not known.
  public func provenance(of address: FieldAddress) -> Provenance? {
    noteForeignCommitsInLedger()
    return siblings.freshness.ledger.facts(about: address).map(Provenance.init)
      ?? keptProvenance(of: address.record)[address.field]
  }
}
