package import ApolloAPI

/// The records of a response, in the order in which their objects were completed.
package struct NormalizedResponse: Sendable {
  /// The objects. Records are made of them only if the draft cannot be used.
  let objects: [NormalizedObject]
  /// The fingerprint of the fields of the objects, if the store tracks ages.
  let fingerprint: FieldsFingerprint
  /// The records, if they differ from those of the objects.
  private(set) var written: RecordSet?
  /// The selection of a subscription and the root fields of its event, which are `nil` if some
  /// failed.
  package var event: (selection: SelectionKey, root: FieldMap?)?
  /// The draft of the cache, unless the records differ from those of the objects.
  package private(set) var draft: RecordDraft?

  /// The changes of lists that directives of the operation ask for.
  package var listChanges: [ListChange] = []

  /// The facts to remember with the fields, or `nil` if the store does not track their ages.
  package var receipt: ResponseReceipt?

  /// The request of the response, or `nil` if there was none.
  package var sent: SentRequest?
  /// The position of the attempt that it belongs to, or `nil` for the latest one.
  package var attempt: UInt64?
  /// The number of the latest note in the order of requests when the response was compared with it.
  var noteNumber: UInt64?
  /// Indicates whether the response takes the place of optimistic data.
  var replacesLayer = false
  /// The values that were left out of the response because newer ones were about to be committed.
  var leftOut = LeftOutValues()
  /// The part of the same response that was written before, if it arrives in parts.
  package var earlierPart: ResponsePart?

  init(objects: [NormalizedObject], fingerprint: FieldsFingerprint, draft: RecordDraft?) {
    self.objects = objects
    self.fingerprint = fingerprint
    self.draft = draft
  }

  package init(records: RecordSet) {
    objects = []
    fingerprint = FieldsFingerprint()
    written = records
  }

  /// Indicates whether the records are those of the objects.
  var isUnchanged: Bool { written == nil }

  package var records: RecordSet { written ?? RecordSet(objects.lazy.map(\.record)) }

  /// The keys of the records.
  var recordKeys: [RecordKey] { written?.map(\.key) ?? objects.map(\.key) }

  /// The dependencies of the response: all of its fields.
  package var dependencies: Dependencies {
    written.map { Dependencies($0, of: objects) } ?? Dependencies(objects, fingerprint)
  }

  /// Removes the fields with which objects were looked up. They belong to the request.
  package mutating func removeLookups() {
    update { record in
      guard record.key == .queryRoot else { return }
      let lookups = record.fields.map(\.key).filter {
        $0.rawValue.hasPrefix(ObjectPart.namePrefix)
      }
      record.fields.removeAll(Set(lookups))
    }
    removeEmptyRecords()
  }

  /// Removes records without fields.
  mutating func removeEmptyRecords() {
    written = written.map { RecordSet($0.filter { !$0.fields.isEmpty }) }
  }

  /// Changes each record.
  mutating func update(_ body: (inout Record) -> Void) {
    draft = nil
    var records = records
    written = nil  // makes `records` the only owner
    records.update(body)
    written = records
  }
}
