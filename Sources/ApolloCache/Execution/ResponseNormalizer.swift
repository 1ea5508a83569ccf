package import ApolloAPI

/// Turns a response into records while it is decoded.
///
/// As a listener of the decoder it is told of each object when the object is complete, children
/// first. An object with a key is the record of that key from now on: it is given the key as its
/// name, and is kept as it is. Any other object is embedded in its parent, which holds it already.
///
/// An object that is known already, down to the objects in it, gives way to the one that is known.
package final class ResponseNormalizer: ResponseListener {
  let rootKey: RecordKey
  let plan: RecordPlan
  private let memory: InMemoryNormalizedCache?
  private let giveBack: () -> Void

  /// Begun with the first object.
  private var draft: RecordDraft?
  private var records: [Record] = []
  private var root: ResponseObject?
  private let keyText = KeyText()

  /// - Parameters:
  ///   - plan: of what the response answers. Nobody else uses it meanwhile.
  ///   - key: the record of the response's root object.
  ///   - memory: the cache that the records are meant for, if it is one in memory.
  ///   - giveBack: called when the plan is not needed any more.
  package init(
    _ plan: RecordPlan, key: RecordKey, memory: InMemoryNormalizedCache? = nil,
    giveBack: @escaping () -> Void = {}
  ) {
    self.plan = plan
    rootKey = key
    self.memory = memory
    self.giveBack = giveBack
  }

  deinit {
    giveBack()
  }

  package func didComplete(_ object: ResponseObject) -> ResponseObject {
    let layout = plan.layout(object.layout)
    guard object.layout.place !== plan.root else {
      root = object
      return rootKey.bytes.withBytes { keep(object, layout, as: $0) }
    }
    guard layout.resolver.write(keyOf: object, to: keyText) else { return object }
    return keep(object, layout, as: keyText.bytes)
  }

  private func keep(
    _ object: ResponseObject, _ layout: RecordLayout, as key: UnsafeRawBufferPointer
  ) -> ResponseObject {
    if draft == nil { draft = RecordDraft(for: memory) }
    let written = draft!.write(object, layout, as: key)  // made above
    guard let known = written.known else {
      records.append(written.record)
      return object
    }
    // Where the draft began empty, what is known already has been noted already.
    if memory != nil { records.append(written.record) }
    return known
  }

  /// The records of the response that was decoded.
  package func finish(errors: [GraphQLError] = []) -> NormalizedResponse {
    var response = NormalizedResponse(records: RecordSet(records), draft: draft)
    if let root {
      for error in errors { response.note(error, below: root, record: rootKey, plan: plan) }
    }
    return response
  }

  /// Makes a record of an object's fields, and returns the reference to it.
  func keep(_ fields: FieldMap, _ layout: RecordLayout, as key: RecordKey) -> CacheValue {
    records.append(Record(key: key, fields: fields))
    return .reference(key)
  }
}

/// What a response says: its records, in the order in which their objects were complete.
package struct NormalizedResponse: Sendable {
  package private(set) var records: RecordSet
  /// What the cache will have, unless there is more to it than the objects tell.
  package private(set) var draft: RecordDraft?

  package init(records: RecordSet, draft: RecordDraft? = nil) {
    self.records = records
    self.draft = draft
  }

  /// The fields that the response told.
  package var dependencies: Dependencies { Dependencies(records) }

  /// Changes a part of a record.
  mutating func update(_ key: RecordKey, _ body: (inout FieldMap) -> Void) {
    draft = nil
    records.update(key, body)
  }
}
