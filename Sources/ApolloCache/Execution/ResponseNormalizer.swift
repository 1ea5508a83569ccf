package import ApolloAPI

/// Turns a response into records while it is decoded.
///
/// As a listener of the decoder it is told of each object when the object is complete, children
/// first. An object with a key is the record of that key from now on: it is given the key as its
/// name, and is kept as it is. Any other object is embedded in its parent, which holds it already.
///
/// An object that is known already, down to the objects in it, gives way to the one that is known.
package final class ResponseNormalizer: ResponseObserver {
  let rootKey: RecordKey
  let plan: NormalizationPlan
  private let records: (any RecordStore)?
  private let recycle: () -> Void

  /// Unchecked because the runtime would note who has access to it, once for each object, which is a
  /// twentieth of a write; only ``didComplete(_:)`` changes it, and calls nobody meanwhile who could.
  @exclusivity(unchecked) private var progress = Progress()
  /// The records of a model that is written.
  private var written: [Record] = []
  private var root: ResponseObject?
  private let keyText = KeyText()

  /// - Parameters:
  ///   - plan: The normalization plan of the operation. The normalizer is its only user.
  ///   - key: The record of the response's root object.
  ///   - records: The record store that the records are meant for.
  ///   - recycle: Called when the plan is no longer needed.
  package init(
    _ plan: NormalizationPlan, key: RecordKey, records: (any RecordStore)? = nil,
    recycle: @escaping () -> Void = {}
  ) {
    self.plan = plan
    rootKey = key
    self.records = records
    self.recycle = recycle
  }

  deinit {
    recycle()
  }

  package func didComplete(_ object: ResponseObject) -> ResponseObject {
    let layout = plan.layout(of: object)
    guard !plan.isRoot(layout) else {
      root = object
      return rootKey.identity.withBytes { progress.keep(object, layout, as: $0, for: records) }
    }
    guard layout.resolver.write(keyOf: object, to: keyText) else { return object }
    return progress.keep(object, layout, as: keyText.bytes, for: records)
  }

  /// The records of the response that was decoded.
  package func finish(errors: [GraphQLError] = []) -> NormalizedResponse {
    var response =
      written.isEmpty
      ? NormalizedResponse(told: progress.told, draft: progress.draft)
      : NormalizedResponse(records: RecordSet(written))
    if let root, !errors.isEmpty {
      response.note(errors, below: root, record: rootKey, plan: plan)
    }
    return response
  }

  /// Makes a record of an object's fields, and returns the reference to it.
  func keep(_ fields: FieldMap, _ layout: RecordLayout, as key: RecordKey) -> CacheValue {
    written.append(Record(key: key, fields: fields))
    return .reference(key)
  }
}

/// What a normalizer has been told until now.
private struct Progress {
  /// Begun with the first object.
  private(set) var draft: RecordDraft?
  /// The objects that are records, in the order in which they were complete.
  private(set) var told: [NormalizedObject] = []

  @inline(__always)
  mutating func keep(
    _ object: ResponseObject, _ layout: RecordLayout, as key: UnsafeRawBufferPointer,
    for records: (any RecordStore)?
  ) -> ResponseObject {
    if draft == nil { draft = records?.draft() ?? RecordDraft() }
    let kept = draft!.write(object, layout, as: key)  // made above
    // Where the draft began empty, what is known already has been noted already.
    if kept === object || draft!.hasBasis {
      told.append(NormalizedObject(object: kept, layout: layout))
    }
    return kept
  }
}

/// An object of a response that is a record, and has the record's key as its name.
struct NormalizedObject: Sendable {
  let object: ResponseObject
  let layout: RecordLayout

  /// What the object tells of its record.
  var record: Record {
    Record(key: key, fields: layout.fieldMap(of: object))
  }

  var key: RecordKey {
    guard let key = object.recordKey else { preconditionFailure("An object without its name.") }
    return key
  }
}

/// What a response says: its records, in the order in which their objects were complete.
package struct NormalizedResponse: Sendable {
  /// The objects; records are made of them only where the draft is of no use.
  private let told: [NormalizedObject]
  /// The records, where they are not, or not only, what the objects tell.
  private var written: RecordSet?
  /// What the cache will have, unless there is more to it than the objects tell.
  package private(set) var draft: RecordDraft?

  init(told: [NormalizedObject], draft: RecordDraft?) {
    self.told = told
    self.draft = draft
  }

  package init(records: RecordSet) {
    told = []
    written = records
  }

  package var records: RecordSet { written ?? RecordSet(told.lazy.map(\.record)) }

  /// The fields that the response told.
  package var dependencies: Dependencies { written.map { Dependencies($0) } ?? Dependencies(told) }

  /// Changes records.
  mutating func update(_ body: (inout Record) -> Void) {
    draft = nil
    var records = records
    written = nil  // so that `records` is the only owner
    records.update(body)
    written = records
  }
}
