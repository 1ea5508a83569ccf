internal import ApolloAPI

/// The records of a cache with those of a response merged in, made while the response is decoded.
///
/// For a cache in memory the draft starts with a copy of its records, which is free. If no other
/// write comes first, committing the response replaces the cache's records by the draft. For any
/// other cache the draft starts empty, and only detects objects that the response contains twice.
package struct RecordDraft: Sendable {
  /// The cache whose records the draft started with, and its version at that time. The cache serves
  /// as an identity only.
  private(set) var basis: (cache: any AnyObject & Sendable, version: UInt64)?
  /// Indicates whether there is a ``basis``.
  let hasBasis: Bool
  private(set) var table: RecordTable
  private(set) var changes = ChangeSet()
  /// Indicates whether the draft differs from the cache, if only because equal records hold newer
  /// objects.
  private(set) var isNew = false
  private var merger = RecordMerger()

  /// Creates an empty draft.
  init() {
    table = RecordTable()
    hasBasis = false
  }

  /// Creates a draft of the records of a cache in memory.
  init(of table: RecordTable, in cache: any AnyObject & Sendable, version: UInt64) {
    self.table = table
    basis = (cache, version)
    hasBasis = true
  }

  /// Merges an object into its record and gives the object its identity.
  ///
  /// - Returns: The object, or a known one that is equal in everything.
  mutating func write(
    _ object: ResponseObject, _ layout: RecordLayout, as key: UnsafeRawBufferPointer
  ) -> ResponseObject {
    let hash = KeyHash.hash(key)
    guard let (key, known) = table.entry(key, hash: hash) else {
      let key = RecordKey(ObjectIdentity.make(key, hash: hash))
      object.identity = key.identity
      let fields = layout.fieldMap(of: object)
      put(key, fields, fields.allChanged)
      return object
    }
    // Most objects of a response are known as they are.
    if case .object(let stored) = known.storage, stored.layout.isSame(as: layout),
      object.difference(from: stored).isInterchangeable
    {
      return stored.object
    }
    object.identity = key.identity
    var merged = known
    let outcome = merger.update(&merged, with: layout.fieldMap(of: object))
    if outcome.isNew { put(key, merged, outcome.changed) }
    return object
  }

  private mutating func put(
    _ key: RecordKey, _ fields: consuming FieldMap, _ changed: consuming ChangedFields?
  ) {
    isNew = true
    table.replace(key, by: fields)
    if let changed { changes.insert(changed, of: key) }
  }
}
