package import ApolloAPI

/// The observer that turns a response into records while it is decoded.
///
/// How a response is published:
///
/// 1. The decoder reports each object when it is complete, children first.
/// 2. The normalizer finds the object's key. An object without a key stays embedded in its parent.
/// 3. An object with a key receives it as its identity, and becomes the fields of that record as it
///    is. If the cache knows an equal object, the decoder continues with the known one.
/// 4. The records are merged into a draft of the cache (``RecordDraft``).
/// 5. The root of a mutation or a subscription is not a record: its fields have the arguments of
///    each call (a password), and nothing reads them again. The objects inside of it are records.
/// 6. After decoding, errors turn the nulls at their paths into failures.
/// 7. ``ApolloStore`` commits the response: the draft if it is still based on the current records,
///    otherwise the records once more.
package final class ResponseNormalizer: ResponseObserver {
  let rootKey: RecordKey
  let plan: NormalizationPlan
  let keepsRoot: Bool
  /// The selection of a subscription, whose latest event is kept in memory.
  private let eventKey: SelectionKey?
  private let records: (any RecordStore)?
  private let receipt: ResponseReceipt?
  /// The directives of the operation that change lists, and the lists that each names.
  let listEdits: [(edit: ListEdit, lists: [String])]
  private let recycle: () -> Void

  /// Exclusivity is not checked, because the check would run once for each object, a twentieth of a
  /// write. Only ``didComplete(_:)`` changes it, and calls no code that could access it.
  @exclusivity(unchecked) private var progress = Progress()
  /// The records of a model.
  private var written: [Record] = []
  /// The values of the fields of a model that have directives.
  private var edited: [ListEdit: [EditedValue]] = [:]
  /// The lists in a model that other pages can follow, by the keys of their pages.
  private(set) var lists: [FieldKey: ListPages] = [:]
  private var root: ResponseObject?
  /// The errors of the server.
  private var errors: [GraphQLError] = []
  private let keyText = KeyText()

  /// - Parameters:
  ///   - plan: The normalization plan of the operation. The normalizer is its only user.
  ///   - key: The record of the response's root object.
  ///   - keepsRoot: Whether the root object becomes a record.
  ///   - eventKey: The selection, if it is that of a subscription.
  ///   - records: The record store that the records are meant for.
  ///   - receipt: The facts to remember with the fields.
  ///   - listEdits: The directives that change lists, and the lists that each names.
  ///   - recycle: Called when the plan is no longer needed.
  package init(
    _ plan: NormalizationPlan, key: RecordKey, keepsRoot: Bool = true,
    eventKey: SelectionKey? = nil, records: (any RecordStore)? = nil,
    receipt: ResponseReceipt? = nil,
    listEdits: [(edit: ListEdit, lists: [String])] = [], recycle: @escaping () -> Void = {}
  ) {
    self.plan = plan
    self.eventKey = eventKey
    self.keepsRoot = keepsRoot
    rootKey = key
    self.records = records
    self.receipt = receipt
    self.listEdits = listEdits
    self.recycle = recycle
    progress.takesFingerprint = receipt != nil
  }

  deinit {
    recycle()
  }

  package func didComplete(_ object: ResponseObject) -> ResponseObject {
    let layout = plan.layout(of: object)
    guard !plan.isRoot(layout) else {
      root = object
      guard keepsRoot else { return object }
      return rootKey.identity.withBytes { progress.keep(object, layout, as: $0, for: records) }
    }
    guard layout.resolver.write(keyOf: object, to: keyText) else { return object }
    return progress.keep(object, layout, as: keyText.bytes, for: records)
  }

  package func didRead(_ errors: [GraphQLError]) { self.errors = errors }

  /// `true` if the response has data.
  package var hasData: Bool { root != nil }

  /// Returns the records of the decoded response.
  package func finish() -> NormalizedResponse {
    var response =
      written.isEmpty
      ? NormalizedResponse(
        objects: progress.objects, fingerprint: progress.fingerprint, draft: progress.draft)
      : NormalizedResponse(records: RecordSet(written))
    response.receipt = receipt
    if let root, !errors.isEmpty {
      response.note(errors, below: root, record: rootKey, plan: plan)
    }
    if let root, !listEdits.isEmpty { response.listChanges = listChanges(of: root, errors) }
    if !edited.isEmpty { response.listChanges = listChanges(edited) }
    if let root, let eventKey {
      let isWhole = errors.isEmpty
      response.event = (eventKey, isWhole ? plan.layout(of: root).fieldMap(of: root) : nil)
    }
    return response
  }

  /// Notes the value of a field of a model that has directives.
  func note(_ value: CacheValue, of field: RecordField) {
    for edit in field.listEdits { edited[edit, default: []] += value.innermost(at: []) }
  }

  /// Notes the lists of an object of a model.
  func noteLists(of layout: RecordLayout) {
    for index in layout.listFields {
      if let pages = layout.fields[index].pages { lists[pages.key] = pages }
    }
  }

  /// Adds a record with an object's fields, and returns the reference to it.
  func keep(_ fields: FieldMap, as key: RecordKey) -> CacheValue {
    written.append(Record(key: key, fields: fields))
    return .reference(key)
  }
}

/// The objects that a normalizer has received so far.
private struct Progress {
  /// The draft, which starts with the first object.
  private(set) var draft: RecordDraft?
  /// The objects with keys, in the order of their completion.
  private(set) var objects: [NormalizedObject] = []
  /// The fingerprint of their fields, if the store tracks ages.
  private(set) var fingerprint = FieldsFingerprint()
  var takesFingerprint = false

  @inline(__always)
  mutating func keep(
    _ object: ResponseObject, _ layout: RecordLayout, as key: UnsafeRawBufferPointer,
    for records: (any RecordStore)?
  ) -> ResponseObject {
    if draft == nil { draft = records?.draft() ?? RecordDraft() }
    let kept = draft!.write(object, layout, as: key)  // made above
    // If the draft started empty, a known object is in the list already.
    if kept === object || draft!.hasBasis {
      let new = NormalizedObject(object: kept, layout: layout)
      objects.append(new)
      if takesFingerprint { fingerprint.insert(new.writtenFields, of: new.key) }
    }
    return kept
  }
}
