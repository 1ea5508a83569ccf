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
  ///   - order: The order of requests.
  ///   - store: The store whose readers see the response.
  ///   - hasLayer: Whether the response takes the place of optimistic data.
  /// - Returns: The relation of the response to the cache.
  mutating func removeKnown(
    by order: RequestOrder, in store: ObjectIdentifier, hasLayer: Bool
  ) -> ResponseStanding {
    guard let sent else { return .written }
    if order.isExcluded(sent) {
      self = NormalizedResponse(records: RecordSet())
      return .excluded
    }
    // Of all fields, because an earlier part may have been overtaken since.
    var moment = moment
    moment?.store = store
    if hasLayer { moment?.visibility = .max }
    noteNumber = order.noteNumber
    let overtaken = moment.map { order.overtaken({ orderedFields }, of: $0) } ?? OvertakenFields()
    if let earlierPart { remove { record in earlierPart.fields(equalIn: record) } }
    guard !overtaken.isEmpty else { return .written }
    update { overtaken.replace(in: &$0) }
    removeEmptyRecords()
    return .overtaken
  }

  /// Returns the relation to the cache that the response would have if it was written now.
  func standing(in order: RequestOrder, of store: ObjectIdentifier) -> ResponseStanding {
    guard let sent else { return .written }
    if order.isExcluded(sent) { return .excluded }
    guard var moment else { return .written }
    moment.store = store
    return order.overtaken({ orderedFields }, of: moment).isEmpty ? .written : .overtaken
  }

  /// The fields that the response has brought.
  var orderedFields: [WrittenFields] {
    written?.map { WrittenFields($0) } ?? objects.map { WrittenFields($0) }
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
  func isExcluded(by order: RequestOrder) -> Bool { moment.map(order.isExcluded) ?? false }

  /// Removes the fields that newer writes have overtaken since the response has taken the place of
  /// its layer.
  mutating func removeOvertaken(by order: RequestOrder) {
    replace(overtaken(by: order)) { _, _ in nil }
  }

  /// Takes over the values of newer writes, also by other stores, from the records below the layer.
  ///
  /// - Throws: The errors of the cache.
  func replacingOvertaken(
    by order: RequestOrder, from base: any StoreSnapshot
  ) throws -> SettledResponse {
    guard !isExcluded(by: order) else { return SettledResponse(RecordSet()) }
    let overtaken = overtaken(by: order)
    guard !overtaken.isEmpty else { return self }
    var newer: [RecordKey: FieldMap] = [:]
    for key in overtaken.keys {
      newer[key] = try base.fields(of: key, among: Array(overtaken.fields(of: key)))
    }
    var response = self
    response.replace(overtaken) { newer[$0]?[$1] }
    return response
  }

  private func overtaken(by order: RequestOrder) -> OvertakenFields {
    moment.map { order.overtaken({ records.map { WrittenFields($0) } }, of: $0) }
      ?? OvertakenFields()
  }

  private mutating func replace(
    _ overtaken: OvertakenFields, by current: (RecordKey, FieldKey) -> CacheValue?
  ) {
    guard !overtaken.isEmpty else { return }
    records.update { record in
      let key = record.key
      overtaken.replace(in: &record) { current(key, $0) }
    }
    records = RecordSet(records.filter { !$0.fields.isEmpty })
  }
}

// MARK: - Noting writes

extension RequestOrder {
  /// Notes the fields that a commit has written.
  ///
  /// - Returns: The number of notes that were added.
  @discardableResult
  func note(_ pending: PendingCommit, at number: UInt64) -> UInt64 {
    switch pending {
    case .response(let response): return note(response, at: number)
    case .updated(let response, let mutations):
      guard let visibility = response.moment?.visibility else {
        return note(mutations, at: number, from: response.moment)
      }
      // Readers have seen the response from then on, and what was sent since may be newer.
      return note([.merge(response.records)], at: visibility, from: response.moment)
        + note(mutations.excluding(response.records), at: number, from: response.moment)
    case .mutations(let mutations): return note(mutations, at: number, from: nil)
    case .clearing(let asked): noteClearing(at: asked)
    case .updating, .removals, .collected: break
    }
    return 0
  }

  /// Notes the fields of a response, which readers see: those of one store alone while it waits in
  /// a layer.
  ///
  /// - Returns: The number of notes that were added.
  @discardableResult
  func note(
    _ response: NormalizedResponse, at number: UInt64, in store: ObjectIdentifier? = nil
  ) -> UInt64 {
    note(at: number, from: response.moment, in: store) { response.orderedFields }
  }

  /// Notes changes by the program, or by the response to a mutation with a closure.
  ///
  /// - Returns: The number of notes that were added.
  private func note(
    _ mutations: [CacheMutation], at number: UInt64, from origin: RequestMoment?
  ) -> UInt64 {
    var count: UInt64 = 0
    for mutation in mutations {
      switch mutation {
      case .merge(let records):
        count += note(at: number, from: origin) { records.map { WrittenFields($0) } }
      case .remove(let key): count += note(at: number, from: nil) { [WrittenFields(key, nil)] }
      case .removeMatching(let pattern): count += note(removedMatching: pattern, at: number)
      case .clear: noteClearing(at: number)
      }
    }
    return count
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
