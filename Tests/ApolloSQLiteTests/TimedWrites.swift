import ApolloCache
import ApolloSQLite

extension SQLiteNormalizedCache {
  /// Commits changes as one write with a time.
  func commit(_ mutations: [CacheMutation], at time: Double) throws {
    let context = try blockToWrite()
    defer { context.end() }
    _ = try context.begin(
      PendingWrite(WriteFacts(time: time, operationName: nil, maxAge: nil), .all))
    _ = try context.commit(mutations)
  }

  /// Returns the times of the writes that fields of a record are from, as far as they are known.
  func writeTimes(of key: RecordKey, among fields: [FieldKey]) throws -> [FieldKey: Double] {
    let snapshot = try openSnapshot()
    return try snapshot.writes(of: key, among: fields)
      .compactMapValues { try snapshot.facts(about: $0)?.time }
  }
}
