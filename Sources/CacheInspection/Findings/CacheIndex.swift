internal import ApolloCache

/// An index of all records of a cache at one moment: their references in both directions, sizes and
/// ages. The fields themselves stay in the cache.
struct CacheIndex: Sendable {
  /// A reference of a field.
  struct Reference: Sendable {
    var field: FieldKey
    var key: RecordKey
  }

  struct Entry: Sendable {
    var key: RecordKey
    var typename: String?
    var fieldCount: Int
    var byteCount: Int
    var isReadable: Bool
    /// The times of the oldest and of the newest field, in seconds since 1970.
    var times: ClosedRange<Double>?
    /// The names of the operations whose responses have written fields, in order.
    var operations: [String]
    var lastUse: Int64?
    /// References, each field and key once.
    var references: [Reference]
    /// The positions of the records that refer to this one.
    var referrers: [Int] = []
    /// Indicates whether a root leads to the record.
    var isReachable = false
    /// The number of references to records that do not exist.
    var danglingCount = 0
  }

  private(set) var entries: [Entry] = []
  private(set) var positions: [RecordKey: Int] = [:]
  private(set) var shapes = FieldShapes()
  /// Damage of single records and fields.
  private(set) var damage: [Finding] = []

  /// Reads all records.
  ///
  /// - Complexity: O(*n*) in the number of all values.
  init(of contents: any CacheContents) async throws {
    var (entries, shapes, damage) = ([Entry](), FieldShapes(), [Finding]())
    try await contents.forEachRecord { record in
      entries.append(Entry(record))
      shapes.insert(record)
      damage += Finding.damage(of: record)
    }
    self.entries = entries
    self.shapes = shapes
    self.damage = damage
    positions = Dictionary(
      entries.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    connect()
  }

  subscript(key: RecordKey) -> Entry? { positions[key].map { entries[$0] } }

  /// Finds the referrers of each record, references that lead nowhere, and what a root reaches.
  private mutating func connect() {
    for index in entries.indices {
      var targets: Set<Int> = []
      for reference in entries[index].references {
        guard let target = positions[reference.key] else {
          entries[index].danglingCount += 1
          continue
        }
        if targets.insert(target).inserted { entries[target].referrers.append(index) }
      }
    }
    var unvisited = [RecordKey.queryRoot, .mutationRoot, .subscriptionRoot].compactMap {
      positions[$0]
    }
    for root in unvisited { entries[root].isReachable = true }
    while let index = unvisited.popLast() {
      for reference in entries[index].references {
        guard let target = positions[reference.key], !entries[target].isReachable else { continue }
        entries[target].isReachable = true
        unvisited.append(target)
      }
    }
  }

  /// The fields that refer to records that do not exist.
  var danglingReferences: [(record: RecordKey, reference: Reference)] {
    entries.filter { $0.danglingCount > 0 }.flatMap { entry in
      entry.references.filter { positions[$0.key] == nil }.map { (entry.key, $0) }
    }
  }

  /// Returns the fields of other records that refer to a record.
  func references(to key: RecordKey) -> [(record: RecordKey, field: FieldKey)] {
    guard let index = positions[key] else {
      return danglingReferences.filter { $0.reference.key == key }
        .map { ($0.record, $0.reference.field) }
    }
    return entries[index].referrers.flatMap { referrer in
      entries[referrer].references.filter { $0.key == key }
        .map { (entries[referrer].key, $0.field) }
    }
  }

  /// Returns keys that are like one that does not exist, nearest first.
  func keys(near key: String) -> [String] {
    let wanted = Array(key.lowercased().utf8)
    let limit = max(2, wanted.count / 3)
    var near: [(distance: Int, key: String)] = []
    for entry in entries {
      let text = entry.key.rawValue
      let bytes = Array(text.lowercased().utf8)
      if bytes.count <= wanted.count + limit, bytes.count + limit >= wanted.count {
        let distance = Self.distance(wanted, bytes)
        if distance <= limit { near.append((distance, text)) }
      }
    }
    return near.sorted { ($0.distance, $0.key) < ($1.distance, $1.key) }.prefix(3).map(\.key)
  }

  /// Returns the number of bytes to add, remove or replace (Levenshtein).
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in right.enumerated() {
        (diagonal, row[j + 1]) = (
          row[j + 1], min(row[j + 1] + 1, row[j] + 1, diagonal + (a == b ? 0 : 1))
        )
      }
    }
    return row[right.count]
  }
}

extension CacheIndex.Entry {
  fileprivate init(_ record: StoredRecord) {
    key = record.key
    typename = record.typename
    fieldCount = (record.fields?.count ?? 0) + record.unreadableFields.count
    byteCount = record.byteCount
    isReadable = record.fields != nil && record.unreadableFields.isEmpty
    let all = record.writes.values.map(\.time)
    if let oldest = all.min(), let newest = all.max() { times = oldest...newest }
    operations = Set(record.writes.values.compactMap(\.operationName)).sorted()
    lastUse = record.lastUse
    references = []
    for (field, value) in (record.fields ?? FieldMap()).sorted(by: { $0.key < $1.key }) {
      var known: Set<RecordKey> = []
      value.forEachReference { key in
        if known.insert(key).inserted {
          references.append(CacheIndex.Reference(field: field, key: key))
        }
      }
    }
  }
}
