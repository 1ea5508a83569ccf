internal import ApolloAPI

/// The relation of a response to the cache after it was published.
package enum ResponseStanding: Hashable, Sendable {
  /// The cache has all of the response.
  case written
  /// The cache has newer values for some of the fields.
  case overtaken
  /// The request is from before a clearing, or from a session that has ended, so that the cache has
  /// nothing of the response.
  case excluded
}

extension NormalizedResponse {
  /// The request as a point in time, or `nil` for an event and for data without a request, which
  /// are as new as the moment.
  var moment: RequestMoment? { sent.flatMap(RequestMoment.init) }

  /// Removes fields that the cache must not get.
  ///
  /// 1. A request from before a clearing brings nothing.
  /// 2. A part of a response brings nothing that an earlier part has brought.
  /// 3. A field brings nothing if a newer write has overtaken it. Of an embedded object, the fields
  ///    stay that the newer one does not have.
  ///
  /// - Parameters:
  ///   - order: The order of requests, as readers of the store see it.
  ///   - hasLayer: Whether the response takes the place of an optimistic layer.
  ///   - known: Returns the values of fields that the cache has.
  /// - Returns: The relation of the response to the cache.
  /// - Throws: The errors of `known`.
  nonisolated(nonsending) mutating func removeKnown(
    by order: VisibleOrder, hasLayer: Bool,
    known: ([RecordKey: Set<FieldKey>]) async throws -> [RecordKey: FieldMap]
  ) async throws -> ResponseStanding {
    guard let sent else { return .written }
    if order.isExcluded(sent) {
      self = NormalizedResponse(records: RecordSet())
      return .excluded
    }
    // Of all fields, because an earlier part may have been overtaken since.
    var moment = moment
    if hasLayer { moment?.visibility = .max }
    let overtaken = moment.map { order.overtaken({ writtenFields }, of: $0) } ?? [:]
    if let earlierPart { remove { record in earlierPart.fields(equalIn: record) } }
    guard !overtaken.isEmpty else { return .written }
    let embedded = embeddedFields(among: overtaken)
    let newer = embedded.isEmpty ? [:] : try await known(embedded)
    var kept: [RecordKey: Set<FieldKey>] = [:]
    update { record in
      guard let fields = embedded[record.key], let newer = newer[record.key] else { return }
      for field in fields where record.fields.merge(beneath: newer, field) {
        kept[record.key, default: []].insert(field)
      }
    }
    remove { (overtaken[$0.key] ?? []).subtracting(kept[$0.key] ?? []) }
    return .overtaken
  }

  /// Returns the relation to the cache that the response would have if it was written now.
  func standing(in order: VisibleOrder) -> ResponseStanding {
    guard let sent else { return .written }
    if order.isExcluded(sent) { return .excluded }
    guard let moment else { return .written }
    return order.overtaken({ writtenFields }, of: moment).isEmpty ? .written : .overtaken
  }

  /// The fields among these that have embedded objects.
  private func embeddedFields(
    among fields: [RecordKey: Set<FieldKey>]
  ) -> [RecordKey: Set<FieldKey>] {
    var embedded: [RecordKey: Set<FieldKey>] = [:]
    for record in records {
      for field in fields[record.key] ?? [] where record.fields[field]?.hasEmbeddedObjects == true {
        embedded[record.key, default: []].insert(field)
      }
    }
    return embedded
  }

  /// Removes the fields of each record that `body` returns.
  private mutating func remove(_ body: (Record) -> Set<FieldKey>) {
    update { record in
      let removed = body(record)
      if !removed.isEmpty { record.fields.removeAll(removed) }
    }
    removeEmptyRecords()
  }
}

extension SettledResponse {
  /// Indicates whether the response is from before a clearing. One by another store of the cache
  /// has left the layer here.
  func isExcluded(by order: VisibleOrder) -> Bool { moment.map(order.isExcluded) ?? false }

  /// Removes the fields that newer writes have overtaken since the response has taken the place of
  /// its layer. Those of the own store were taken over, and embedded objects stay with them.
  mutating func removeOvertaken(by order: VisibleOrder) {
    replace(overtaken(by: order)) { _, _ in nil }
  }

  /// Takes over the values of newer writes, also by other stores, from the records below the layer.
  ///
  /// - Throws: The errors of the cache.
  func replacingOvertaken(
    by order: VisibleOrder, from base: any StoreSnapshot
  ) throws -> SettledResponse {
    guard !isExcluded(by: order) else { return SettledResponse(RecordSet()) }
    let overtaken = overtaken(by: order)
    guard !overtaken.isEmpty else { return self }
    var newer: [RecordKey: FieldMap] = [:]
    for (key, fields) in overtaken {
      newer[key] = try base.fields(of: key, among: Array(fields))
    }
    var response = self
    response.replace(overtaken) { newer[$0]?[$1] }
    return response
  }

  private func overtaken(by order: VisibleOrder) -> [RecordKey: Set<FieldKey>] {
    moment.map {
      order.overtaken({ NormalizedResponse(records: records).writtenFields }, of: $0)
    } ?? [:]
  }

  /// Replaces the values of fields, or removes those that have none now.
  private mutating func replace(
    _ fields: [RecordKey: Set<FieldKey>], by newer: (RecordKey, FieldKey) -> CacheValue?
  ) {
    guard !fields.isEmpty else { return }
    records.update { record in
      for field in fields[record.key] ?? []
      where record.fields[field]?.hasEmbeddedObjects == false {
        record.fields[field] = newer(record.key, field)
      }
    }
    records = RecordSet(records.filter { !$0.fields.isEmpty })
  }
}

extension FieldMap {
  /// Merges a newer value of a field into the one here, so that what only the older one has stays.
  ///
  /// - Returns: `false` if the newer value is another object, or a list of another length. It has
  ///   nothing in common with the older one then.
  fileprivate mutating func merge(beneath newer: FieldMap, _ field: FieldKey) -> Bool {
    guard let old = self[field], let new = newer[field], old.mayMerge(with: new) else {
      return false
    }
    var merger = RecordMerger()
    var merged = FieldMap([(field, old)])
    merger.merge(FieldMap([(field, new)]), into: &merged)
    self[field] = merged[field]
    return true
  }
}

extension CacheValue {
  /// Indicates whether the value is an embedded object or a list with one.
  fileprivate var hasEmbeddedObjects: Bool {
    switch self {
    case .object: true
    case .list(let elements): elements.contains(where: \.hasEmbeddedObjects)
    default: false
    }
  }

  /// Returns whether a newer value can be of the same objects.
  fileprivate func mayMerge(with newer: CacheValue) -> Bool {
    switch (self, newer) {
    case (.object, .object): true
    case (.list(let elements), .list(let others)): elements.count == others.count
    default: false
    }
  }
}

// MARK: - Noting writes

extension RequestOrder {
  /// Notes the fields that a commit has written.
  func note(_ pending: PendingCommit, at number: UInt64) {
    switch pending {
    case .response(let response): note(response, at: number)
    case .updated(let response, let mutations):
      var changes = mutations
      if let visibility = response.moment?.visibility {
        // Readers have seen the response from then on, and what was sent since may be newer.
        note([.merge(response.records)], at: visibility, from: response.moment)
        changes = mutations.excluding(response.records)
      }
      note(changes, at: number, from: response.moment)
    case .mutations(let mutations): note(mutations, at: number, from: nil)
    case .clearing(let asked): noteClearing(at: asked)
    case .updating, .removals, .collected: break
    }
  }

  /// Notes the fields of a response, which readers see.
  func note(_ response: NormalizedResponse, at number: UInt64) {
    note(at: number, from: response.moment) {
      response.writtenFields.map { ($0.key, $0.shape) }
    }
  }

  /// Notes changes by the program, or by the response to a mutation with a closure.
  func note(_ mutations: [CacheMutation], at number: UInt64, from origin: RequestMoment?) {
    for mutation in mutations {
      switch mutation {
      case .merge(let records):
        note(at: number, from: origin) { records.map { ($0.key, $0.fields.shape) } }
      case .remove(let key): note(at: number, from: nil) { [(key, nil)] }
      case .removeMatching(let pattern): note(removedMatching: pattern, at: number)
      case .clear: noteClearing(at: number)
      }
    }
  }
}

extension [CacheMutation] {
  /// The changes of fields that a response has not written.
  func excluding(_ response: RecordSet) -> [CacheMutation] {
    let written = Dictionary(response.lazy.map { ($0.key, $0.fields.shape) }) { first, _ in first }
    return map { mutation in
      guard case .merge(var records) = mutation else { return mutation }
      records.update { record in
        guard let shape = written[record.key] else { return }
        record.fields.removeAll(Set(shape.fields))
      }
      return .merge(records)
    }
  }
}
