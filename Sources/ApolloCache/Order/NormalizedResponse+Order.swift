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
  /// The request as a point in time, or `nil` for data without a request, and for an event whose
  /// arrival is not known. These are as new as the moment.
  var moment: RequestMoment? { sent.flatMap { RequestMoment($0, attempt) } }

  /// The same response, without its request if that has its number from the order of another cache.
  func known(to order: RequestOrder) -> NormalizedResponse {
    guard let sent, sent.order != order.number else { return self }
    var response = self
    (response.sent, response.attempt) = (nil, nil)
    return response
  }

  /// Removes fields that the cache must not get.
  ///
  /// 1. A request from before a clearing brings nothing.
  /// 2. A part of a response brings nothing that an earlier part has brought.
  /// 3. A field brings nothing if a newer write has overtaken it. Of an embedded object, the fields
  ///    stay that the newer one does not have.
  /// 4. A page of a list does not bring the items that a directive has deleted in the meantime.
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
    if order.isExcluded(sent, attempt, for: .writing) {
      self = NormalizedResponse(records: RecordSet())
      return .excluded
    }
    // Of all fields, because an earlier part may have been overtaken since.
    var moment = moment
    moment?.store = store
    if hasLayer { moment?.visibility = .max }
    (replacesLayer, noteNumber) = (hasLayer, order.noteNumber)
    let overtaken =
      moment.map { order.overtaken({ orderedFields }, of: $0, for: .writing) } ?? OvertakenFields()
    if let earlierPart {
      remove { record in earlierPart.fields(equalIn: record) }
      listChanges = newListChanges
    }
    let hasDeleted = moment.map { removeDeletedItems(by: order, of: $0) } ?? false
    guard !overtaken.isEmpty else { return hasDeleted ? .overtaken : .written }
    leftOut = overtaken.leftOut(of: records)
    update { overtaken.remove(from: &$0) }
    removeEmptyRecords()
    return .overtaken
  }

  /// The changes of lists that no earlier part of the response has asked for.
  var newListChanges: [ListChange] {
    guard let earlierPart else { return listChanges }
    return listChanges.compactMap { $0.removing(earlierPart.editedPlaces) }
  }

  /// Returns the relation to the cache that the response would have if it was written now.
  func standing(in order: RequestOrder, of store: ObjectIdentifier) -> ResponseStanding {
    guard let sent else { return .written }
    if order.isExcluded(sent, attempt, for: .reading) { return .excluded }
    guard var moment else { return .written }
    moment.store = store
    let overtaken = order.overtaken({ orderedFields }, of: moment, for: .reading)
    return overtaken.isEmpty ? .written : .overtaken
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
  func isExcluded(by order: RequestOrder, for purpose: RequestOrder.Purpose) -> Bool {
    moment.map { order.isExcluded($0, for: purpose) } ?? false
  }

  /// Removes the fields that newer writes have overtaken since the response has taken the place of
  /// its layer.
  mutating func removeOvertaken(by order: RequestOrder) {
    check = moment.map { OrderCheck(moment: $0, noteNumber: order.noteNumber) }
    let overtaken = overtaken(by: order, for: .writing)
    leftOut = overtaken.leftOut(of: records)
    remove(overtaken) { _, _ in nil }
  }

  /// Returns the response with the values alone that were left out. What else it changes has been
  /// changed.
  func only(_ leftOut: LeftOutValues) -> SettledResponse {
    var response = self
    (response.records, response.update, response.listChanges) = (leftOut.records, nil, [])
    return response
  }

  /// Takes over the values of newer writes, also by other stores, from the records of the cache.
  ///
  /// - Parameters:
  ///   - order: The order of requests.
  ///   - records: Returns the records, with the changes of lists by the responses that wait below
  ///     this one: their commits will make them.
  /// - Returns: The response with the newer values.
  /// - Throws: The errors of the cache.
  func replacingOvertaken(
    by order: RequestOrder, from records: () throws -> any StoreSnapshot
  ) throws -> SettledResponse {
    guard !isExcluded(by: order, for: .reading) else { return SettledResponse(RecordSet()) }
    let overtaken = overtaken(by: order, for: .reading)
    guard !overtaken.isEmpty else { return self }
    let known = try records()
    var newer: [RecordKey: FieldMap] = [:]
    for key in overtaken.keys {
      newer[key] = try known.fields(of: key, among: Array(overtaken.fields(of: key)))
    }
    var response = self
    response.remove(overtaken) { newer[$0]?[$1] }
    return response
  }

  private func overtaken(
    by order: RequestOrder, for purpose: RequestOrder.Purpose
  ) -> OvertakenFields {
    moment.map { moment in
      order.overtaken({ records.map { WrittenFields($0) } }, of: moment, for: purpose)
    } ?? OvertakenFields()
  }

  private mutating func remove(
    _ overtaken: OvertakenFields, orUse current: (RecordKey, FieldKey) -> CacheValue?
  ) {
    guard !overtaken.isEmpty else { return }
    records.update { record in
      let (key, old) = (record.key, record.fields)
      overtaken.remove(from: &record) { current(key, $0) }
      let lost = overtaken.fields(of: key).filter { old[$0] != nil && old[$0] != record.fields[$0] }
      guard !lost.isEmpty else { return }
      replaced.append(
        WrittenFields(
          key, .of(Array(lost)), embedded: FieldMap(embeddedIn: old, among: Array(lost))))
    }
    records = RecordSet(records.filter { !$0.fields.isEmpty })
  }
}

// MARK: - Edits of lists

/// Returns whether a write that is newer than a response has brought one of the values to which
/// fields lead in a record.
typealias NewerWrites = (_ ways: [[FieldKey]], _ key: RecordKey) -> Bool

extension SettledResponse {
  /// Returns the writes that are newer than the response, or `nil` if it has waited neither in a
  /// layer nor for the reader of an event.
  func newerWrites(in order: RequestOrder, for purpose: RequestOrder.Purpose) -> NewerWrites? {
    guard let visibility = moment?.editVisibility else { return nil }
    return { ways, key in
      let fields = { [WrittenFields(key, .of(ways.compactMap(\.first)))] }
      let overtaken = order.overtaken(fields, of: .edits(visibleFrom: visibility), for: purpose)
      return ways.contains { overtaken.contains($0, of: key) }
    }
  }
}

// MARK: - Noting writes

extension PendingCommit {
  /// The contents of the commit, in order, at its position.
  func writes(at position: UInt64) -> [OrderedWrite] {
    switch self {
    case .response(let response, _): return [response.write(at: position)]
    case .updated(let response, let mutations, _):
      let origin = response.moment
      let (edited, parts) = (response.edited.shapes, response.edited.parts)
      let beside = response.edited.beside
      let edits =
        mutations.merging(only: edited, except: parts).writes(
          at: position, from: origin, areEdits: true)
        + parts.writes(at: position, from: origin)
      let mutations =
        response.edited.isEmpty ? mutations : mutations.merging(except: edited, noting: beside)
      let unwritten = response.unwrittenEdits(at: origin?.visibility ?? position)
      let visibility = origin?.visibility ?? origin?.arrival
      let isOnTop = origin?.visibility != nil || response.replacesLayer
      // Readers have seen the response from then on, and what was sent since may be newer. What a
      // closure changes is as new as the moment.
      let brought = response.records.merged
      let writes =
        mutations.merging(onlyPartsOf: brought).writes(
          at: visibility ?? position, from: origin, areOnTop: isOnTop)
        + mutations.merging(exceptPartsOf: brought).writes(
          at: position, from: origin?.isEvent == true ? nil : origin, areOnTop: true)
        + edits + unwritten
      guard let visibility else { return writes }
      return [OrderedWrite(at: visibility, from: origin) { .fields(response.replaced) }] + writes
        + response.laterParts.map { part in
          OrderedWrite(at: part.position, from: origin, isOnTop: isOnTop) { .fields(part.fields) }
        }
    case .mutations(let mutations): return mutations.writes(at: position, from: nil)
    case .updating, .removals, .collected, .clearing: return []
    }
  }

  /// The number at which the clearing was asked for, if the commit is one.
  func clearing(at position: UInt64) -> UInt64? {
    switch self {
    case .clearing(let asked): asked
    case .mutations(let mutations), .updated(_, let mutations, _):
      mutations.contains { if case .clear = $0 { true } else { false } } ? position : nil
    case .response, .updating, .removals, .collected: nil
    }
  }

  /// The comparison of the response with the order, and its fields, if there is one.
  var check: (OrderCheck, @Sendable () -> [WrittenFields])? {
    switch self {
    case .response(let response, _): response.check.map { ($0, { response.orderedFields }) }
    case .updated(let response, _, _):
      response.check.map { ($0, { response.records.map { WrittenFields($0) } }) }
    case .mutations, .clearing, .updating, .removals, .collected: nil
    }
  }
}

extension NormalizedResponse {
  /// The comparison with the order, if there was one. (Of the store's own layers, nothing can be
  /// newer since: the writer has its turn.)
  var check: OrderCheck? {
    guard let noteNumber, var moment else { return nil }
    if replacesLayer { moment.visibility = .max }
    return OrderCheck(moment: moment, noteNumber: noteNumber)
  }

  /// The response as a write that readers see from a position on.
  ///
  /// `isWaiting`: Whether it waits in a layer.
  func write(at position: UInt64, isWaiting: Bool = false) -> OrderedWrite {
    OrderedWrite(at: position, from: moment, isOnTop: replacesLayer || isWaiting) {
      .fields(orderedFields)
    }
  }
}

extension RecordSet {
  fileprivate var withoutEmptyRecords: RecordSet { RecordSet(filter { !$0.fields.isEmpty }) }
}

extension [RecordKey: FieldMap] {
  /// The changes of lists inside of embedded objects: a page is newer, and what is beside it is
  /// not.
  fileprivate func writes(at position: UInt64, from origin: RequestMoment?) -> [OrderedWrite] {
    let written = filter { !$0.value.isEmpty }
    guard !written.isEmpty else { return [] }
    return [
      OrderedWrite(at: position, from: origin, isEdit: true) {
        .fields(written.map { WrittenFields($0, .of($1.keys.sorted()), embedded: $1) })
      }
    ]
  }
}

extension [CacheMutation] {
  /// The contents of the changes, which are by an event, the program, or a closure with its
  /// response.
  fileprivate func writes(
    at position: UInt64, from origin: RequestMoment?, areEdits: Bool = false,
    areOnTop: Bool = false
  ) -> [OrderedWrite] {
    compactMap { mutation in
      let subject: @Sendable () -> WriteNote.Subject
      switch mutation {
      case .merge(let records): subject = { .fields(records.map { WrittenFields($0) }) }
      case .remove(let key): subject = { .fields([WrittenFields(key, nil)]) }
      case .removeMatching(let pattern): subject = { .removal(matching: pattern) }
      case .clear: return nil
      }
      return OrderedWrite(
        at: position, from: origin, isUnconditional: true, isEdit: areEdits, isOnTop: areOnTop,
        subject)
    }
  }

  /// The changes of some fields alone, but for those of which a part has changed.
  fileprivate func merging(
    only written: [RecordKey: RecordShape], except parts: [RecordKey: FieldMap]
  ) -> [CacheMutation] {
    changingRecords(keepsOthers: false) { record in
      let (shape, parts) = (written[record.key], parts[record.key])
      record.fields.removeAll(
        Set(record.fields.keys.filter { shape?.position(of: $0) == nil || parts?[$0] != nil }))
    }
  }

  /// The changes but those of some fields, and with other values in place of further ones: an edit
  /// writes all of an object to change a part of it.
  fileprivate func merging(
    except written: [RecordKey: RecordShape], noting others: [RecordKey: FieldMap]
  ) -> [CacheMutation] {
    let rest = changingRecords(keepsOthers: true) { record in
      if let shape = written[record.key] { record.fields.removeAll(Set(shape.fields)) }
      if let fields = others[record.key] { record.fields.removeAll(Set(fields.keys)) }
    }
    let noted = others.filter { !$0.value.isEmpty }.map { Record(key: $0, fields: $1) }
    return noted.isEmpty ? rest : rest + [.merge(RecordSet(noted))]
  }

  /// The changes of what a response has brought: of embedded objects, of the same parts.
  fileprivate func merging(onlyPartsOf brought: [RecordKey: FieldMap]) -> [CacheMutation] {
    changingRecords(keepsOthers: false) { record in
      let own = brought[record.key]
      for (field, value) in record.fields {
        record.fields[field] = own?[field].flatMap(value.parts)
      }
    }
  }

  /// The changes but those of what a response has brought.
  fileprivate func merging(exceptPartsOf brought: [RecordKey: FieldMap]) -> [CacheMutation] {
    changingRecords(keepsOthers: true) { record in
      for (field, own) in brought[record.key] ?? [:] {
        record.fields[field] = record.fields[field]?.replacing(own, by: nil)
      }
    }
  }

  private func changingRecords(
    keepsOthers: Bool, _ change: (inout Record) -> Void
  ) -> [CacheMutation] {
    compactMap { mutation in
      guard case .merge(var records) = mutation else { return keepsOthers ? mutation : nil }
      records.update(change)
      return .merge(records.withoutEmptyRecords)
    }
  }
}
