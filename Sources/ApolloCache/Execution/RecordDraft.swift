internal import ApolloAPI

/// The records of a cache as they will be when a response is written, made while it is decoded.
///
/// For a cache in memory it begins with a copy of its records, which costs nothing. If nobody else
/// has written when the response is complete, writing it is putting the draft in their place. For
/// any other cache it begins empty, and only finds out what the response says twice.
package struct RecordDraft: Sendable {
  /// Which cache it is for, and how many writes it had seen when the draft was begun.
  private(set) var basis: (memory: InMemoryNormalizedCache, version: UInt64)?
  private(set) var table: RecordTable
  private(set) var changes = ChangeSet()
  /// Whether there is anything in it that the cache does not have, be it only that equal records
  /// hold newer objects.
  private(set) var isNew = false
  private var merger = RecordMerger()

  init(for memory: InMemoryNormalizedCache?) {
    let snapshot = memory?.currentSnapshot()
    table = snapshot?.table ?? RecordTable()
    if let memory, let snapshot { basis = (memory, snapshot.version) }
  }

  /// Writes an object into its record, and gives it its name.
  ///
  /// - Returns: the object; or the one that is known already and the same in everything, if there is
  ///   one.
  mutating func write(
    _ object: ResponseObject, _ layout: RecordLayout, as key: UnsafeRawBufferPointer
  ) -> ResponseObject {
    let hash = KeyHash.hash(key)
    guard let (key, known) = table.entry(key, hash: hash) else {
      let key = RecordKey(ObjectIdentity.make(key, hash: hash))
      object.identity = key.identity
      if layout.isPlain {
        put(
          key, FieldMap(RecordedObject(object, layout)),
          .masked(layout.shape, layout.shape.allFields))
      } else {
        let fields = layout.fieldMap(of: object)
        put(key, fields, fields.allChanged)
      }
      return object
    }
    if case .object(let stored) = known.storage, stored.layout.isSame(as: layout) {
      let difference = object.difference(from: stored)
      if difference.isInterchangeable { return stored.object }
      object.identity = key.identity
      let isChanged = difference.fields != 0
      put(
        key, FieldMap(RecordedObject(object, layout)),
        isChanged ? .masked(layout.shape, difference.fields) : nil)
      return object
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
