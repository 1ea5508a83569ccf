internal import ApolloAPI

/// The positions in time of the latest writes of some fields, one for each kind of write.
struct WriteStamp: Sendable {
  /// The query that was sent last.
  private var query: UInt64 = 0
  /// The mutation that was sent last.
  private var mutation: UInt64 = 0
  /// The latest commit of a mutation.
  private var mutationCommit: UInt64 = 0
  /// The latest commit of a mutation that has gone above what was there: with its layer, its
  /// closure, or its changes of lists.
  private var top: UInt64 = 0
  /// The latest write of the program, or arrival of an event.
  private var program: UInt64 = 0
  /// The latest change of a list by an event.
  private var eventEdit: UInt64 = 0

  static let none = WriteStamp()

  private init() {}

  /// The stamp of a write with this number.
  ///
  /// - Parameters:
  ///   - number: The position from which readers see it.
  ///   - origin: The request whose response was written, or `nil` for what is as new as the moment.
  ///   - isOnTop: Whether a mutation has gone above what was there.
  init(at number: UInt64, from origin: RequestMoment?, isOnTop: Bool) {
    guard let origin else {
      program = number
      return
    }
    if origin.isMutation {
      mutation = origin.number
      mutationCommit = number
      if isOnTop { top = number }
    } else if origin.isEvent {
      program = origin.number
    } else {
      query = origin.number
    }
  }

  /// The stamp of a change of a list with this number, which is newer than the values of requests
  /// that were sent before, but takes the place of no other such change.
  init(editAt number: UInt64, by origin: RequestMoment?) {
    if let origin, origin.isMutation {
      (mutation, mutationCommit, top) = (origin.number, number, number)
    } else {
      let arrival = origin?.number ?? number
      (mutationCommit, eventEdit) = (arrival, arrival)
    }
  }

  /// Returns whether a write is newer than a request.
  func overtakes(_ request: RequestMoment) -> Bool {
    if request.isEvent { return max(query, mutation, top, program, eventEdit) > request.number }
    guard request.isMutation else {
      return max(query, mutationCommit, program) > request.number
    }
    if mutation > request.number { return true }
    let program = request.isEdit ? program : max(program, eventEdit)
    if let visibility = request.visibility { return max(query, program) > visibility }
    return program > request.number || request.arrival.map { query > $0 } ?? false
  }

  /// Returns whether a mutation that was sent later than another one has written the fields.
  func isOfLaterMutation(than request: RequestMoment) -> Bool { mutation > request.number }

  /// Returns whether every request is overtaken by both or by neither of two writes, of which the
  /// other one is later.
  ///
  /// - Parameters:
  ///   - later: The later write.
  ///   - positions: The requests.
  /// - Returns: Whether that is so.
  func isSame(as later: WriteStamp, for positions: OpenPositions) -> Bool {
    guard eventEdit == 0, later.eventEdit == 0, (query == 0) == (later.query == 0),
      (mutation == 0) == (later.mutation == 0), (top == 0) == (later.top == 0)
    else { return false }
    guard mutation != 0 else {
      return !positions.tellApart(max(query, program), max(later.query, later.program))
    }
    // A stamp that two kinds of writes have in common is not compared.
    guard max(query, program, later.query, later.program) == 0 else { return false }
    return !positions.tellApart(mutation, later.mutation)
      && !positions.tellApart(mutationCommit, later.mutationCommit)
  }

  /// Returns whether a request with this number could be overtaken.
  func isNewer(than number: UInt64) -> Bool {
    max(query, mutationCommit, program) > number
  }

  mutating func formUnion(_ other: WriteStamp) {
    query = max(query, other.query)
    mutation = max(mutation, other.mutation)
    mutationCommit = max(mutationCommit, other.mutationCommit)
    top = max(top, other.top)
    program = max(program, other.program)
    eventEdit = max(eventEdit, other.eventEdit)
  }
}

/// The positions that tell writes apart: a write before one of them does not overtake what a later
/// one does.
struct OpenPositions: Sendable {
  /// The numbers of the queries, mutations and events under way, in ascending order.
  var requests: [UInt64] = []
  /// The positions from which readers have seen responses that wait in layers.
  var visible: [UInt64] = []

  func tellApart(_ earlier: UInt64, _ later: UInt64) -> Bool {
    let next = firstIndex(from: earlier)
    return earlier > later || next < requests.count && requests[next] < later
      || visible.contains { earlier <= $0 && $0 < later }
  }

  /// Removes a request. Returns `false` if it is not under way.
  @discardableResult
  mutating func remove(_ request: UInt64) -> Bool {
    let index = firstIndex(from: request)
    guard index < requests.count, requests[index] == request else { return false }
    requests.remove(at: index)
    return true
  }

  /// The index of the first request at a position or after it. O(log *n*), because a server may
  /// send an event to thousands of subscriptions at once.
  private func firstIndex(from position: UInt64) -> Int {
    var (low, high) = (0, requests.count)
    while low < high {
      let middle = (low + high) / 2
      if requests[middle] < position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The contents of a write, and its positions in time.
struct WriteNote: Sendable {
  enum Subject: Sendable {
    /// Fields, where a record without a shape was removed.
    case fields([WrittenFields])
    /// The removal of all records whose keys contain a text.
    case removal(matching: String)
    /// The deletion of items from lists.
    case deletion(ItemsOfLists)
    /// The insertion of items into lists by a mutation.
    case insertion(ItemsOfLists)
  }
  var subject: Subject
  let stamp: WriteStamp
  /// The position from which readers see the write.
  let position: UInt64
  /// The number of the note among all of its order. An expected write that is confirmed keeps its
  /// number, so that notes may come in another order.
  let number: UInt64
}

/// A field of a response that a newer write has brought.
struct NewerField: Sendable {
  let key: RecordKey
  let field: FieldKey
  /// The value that the newer write has brought of embedded objects, or `nil` if there are none.
  let value: CacheValue?
  /// The position from which readers see the newer write.
  let position: UInt64
  /// The number of the commit, if it is under way.
  var commit: UInt64?

  /// Returns what has taken the place of an earlier write of the same field, or `nil` if the two
  /// have no part of an embedded object in common.
  func inPlace(of earlier: NewerField) -> NewerField? {
    guard let own = earlier.value else { return self }
    guard let common = value.map(own.parts) ?? own else { return nil }
    return NewerField(key: key, field: field, value: common, position: position, commit: commit)
  }
}

/// The writes that may overtake a request under way: which fields, and when.
///
/// Noting a write appends its fields to a list. They are sorted in by records when a response asks
/// for the first time. Shapes stand for their fields, so a record has one entry for each selection
/// that has written it. Of embedded objects, it has one for each write that a request under way
/// tells from the one before.
struct OrderedWrites: Sendable {
  fileprivate struct Entry: Sendable {
    var fields: WrittenFields
    var stamp: WriteStamp
    var position: UInt64
    var number: UInt64
  }

  private var records: [RecordKey: [Entry]] = [:]
  private var latest: [WriteNote] = []
  /// The patterns of keys whose records were removed, with the number of the latest note.
  private var patterns: [String: (stamp: WriteStamp, number: UInt64)] = [:]
  /// The items that were deleted from lists.
  private var deletions: [(items: ItemsOfLists, stamp: WriteStamp)] = []
  /// The items that mutations have inserted into lists.
  private var insertions: [(items: ItemsOfLists, stamp: WriteStamp)] = []
  /// The newest stamp of each kind.
  private var newest = WriteStamp.none
  /// The number of notes since old ones were dropped.
  private var newCount = 0
  private var keptCount = 0

  var isEmpty: Bool {
    records.isEmpty && latest.isEmpty && patterns.isEmpty && deletions.isEmpty
      && insertions.isEmpty
  }

  /// The number of notes.
  var count: Int { newCount + keptCount }

  // MARK: - Noting

  mutating func note(_ note: WriteNote, _ positions: OpenPositions) {
    newest.formUnion(note.stamp)
    switch note.subject {
    case .fields(let fields):
      latest.append(note)
      newCount += fields.count
    case .removal(let pattern):
      var known = patterns[pattern] ?? (.none, 0)
      known.stamp.formUnion(note.stamp)
      known.number = max(known.number, note.number)
      patterns[pattern] = known
      newCount += 1
    case .deletion(let items):
      deletions.append((items, note.stamp))
      newCount += 1
    case .insertion(let items):
      insertions.append((items, note.stamp))
      newCount += 1
    }
    if newCount > Self.leastCountToDrop + keptCount { dropNotes(positions) }
  }

  private static var leastCountToDrop: Int { 4_096 }

  /// Drops what overtakes no request under way.
  ///
  /// - Complexity: O(*n*) in the number of notes, of which at least half are new.
  private mutating func dropNotes(_ positions: OpenPositions) {
    guard let oldest = positions.requests.first else { return self = OrderedWrites() }
    sortIn(positions)
    records = records.compactMapValues { entries in
      let kept = entries.filter { $0.stamp.isNewer(than: oldest) }
      return kept.isEmpty ? nil : kept
    }
    patterns = patterns.filter { $0.value.stamp.isNewer(than: oldest) }
    deletions = deletions.filter { $0.stamp.isNewer(than: oldest) }
    insertions = insertions.filter { $0.stamp.isNewer(than: oldest) }
    let itemCount = deletions.count + insertions.count
    keptCount = records.values.reduce(patterns.count + itemCount) { $0 + $1.count }
    newCount = 0
  }

  private mutating func sortIn(_ positions: OpenPositions) {
    for note in latest {
      guard case .fields(let fields) = note.subject else { continue }
      for fields in fields {
        let entry = Entry(
          fields: fields, stamp: note.stamp, position: note.position, number: note.number)
        records[fields.key, default: []].note(entry, positions)
      }
    }
    latest = []
  }

  var hasDeletions: Bool { !deletions.isEmpty }

  // MARK: - Asking

  func mayOvertake(_ request: RequestMoment) -> Bool { newest.overtakes(request) }

  /// Returns whether a mutation that was sent later than a request may have inserted items.
  func mayHaveInserted(after request: RequestMoment) -> Bool {
    !insertions.isEmpty && newest.isOfLaterMutation(than: request)
  }

  /// Returns which of these fields newer writes than a request have brought.
  ///
  /// - Parameters:
  ///   - fields: The fields.
  ///   - request: The request.
  ///   - number: The number of the latest note that does not matter.
  ///   - positions: The requests under way.
  /// - Returns: A field once for each of the writes.
  mutating func newer(
    _ fields: [WrittenFields], than request: RequestMoment, after number: UInt64 = 0,
    _ positions: OpenPositions
  ) -> [NewerField] {
    written(fields, positions) { $0.overtakes(request) && $1 > number }
  }

  /// Returns which of these items were deleted from their lists after a request was sent.
  ///
  /// `resolve`: Returns the place of a list as `items` has it.
  func deleted(
    _ items: ItemsOfLists, since request: RequestMoment,
    _ resolve: (ListLocation) -> ListLocation
  ) -> ItemsOfLists {
    var found: ItemsOfLists = [:]
    for deletion in deletions where deletion.stamp.overtakes(request) {
      for (list, keys) in deletion.items {
        let list = resolve(list)
        guard let deleted = items[list]?.intersection(keys), !deleted.isEmpty else { continue }
        found[list, default: []].formUnion(deleted)
      }
    }
    return found
  }

  /// Returns those of these items that later mutations than a request have inserted, by their
  /// lists.
  func inserted(_ items: Set<RecordKey>, after request: RequestMoment) -> ItemsOfLists {
    var found: ItemsOfLists = [:]
    for insertion in insertions where insertion.stamp.isOfLaterMutation(than: request) {
      for (list, keys) in insertion.items where !keys.isDisjoint(with: items) {
        found[list, default: []].formUnion(keys.intersection(items))
      }
    }
    return found
  }

  /// Returns the fields that no mutation has written which was sent later than another one.
  mutating func excludingLaterMutations(
    _ fields: [WrittenFields], than request: RequestMoment, _ positions: OpenPositions
  ) -> [WrittenFields] {
    guard newest.isOfLaterMutation(than: request) else { return fields }
    let later = written(fields, positions) { stamp, _ in stamp.isOfLaterMutation(than: request) }
    let excluded = Dictionary(grouping: later, by: \.key).mapValues { Set($0.map(\.field)) }
    return fields.map { written in
      // Of embedded objects, the write has left out the parts that the later ones have brought.
      let excluded = excluded[written.key]?.filter { written.embedded?[$0] == nil } ?? []
      guard let shape = written.shape, !excluded.isEmpty else { return written }
      return WrittenFields(
        written.key, .of(shape.fields.filter { !excluded.contains($0) }),
        embedded: written.embedded)
    }
  }

  /// Returns which of these fields have a note with a stamp and a number that fulfill a condition.
  private mutating func written(
    _ fields: [WrittenFields], _ positions: OpenPositions,
    where condition: (WriteStamp, _ number: UInt64) -> Bool
  ) -> [NewerField] {
    sortIn(positions)
    let patterns = patterns.filter { condition($0.value.stamp, $0.value.number) }.keys
    var found: [NewerField] = []
    for asked in fields {
      guard let shape = asked.shape else { continue }
      let key = asked.key
      if patterns.contains(where: { key.contains(ignoringCase: $0) }) {
        for field in shape.fields {
          found.append(NewerField(key: key, field: field, value: nil, position: 0))
        }
        continue
      }
      for entry in records[key] ?? [] where condition(entry.stamp, entry.number) {
        let written = entry.fields.shape
        for field in shape.fields where written?.contains(field) ?? true {
          found.append(
            NewerField(
              key: key, field: field, value: entry.fields.embedded?[field],
              position: entry.position))
        }
      }
    }
    return found
  }
}

extension [OrderedWrites.Entry] {
  /// Adds an entry, or its contents to one of the same shape that no request tells from it.
  fileprivate mutating func note(_ entry: Element, _ positions: OpenPositions) {
    guard entry.fields.embedded != nil else {
      let same = firstIndex { $0.fields.embedded == nil && $0.fields.shape === entry.fields.shape }
      guard let same else { return append(entry) }
      self[same].stamp.formUnion(entry.stamp)
      self[same].number = Swift.max(self[same].number, entry.number)
      return
    }
    // Between two writes of embedded objects, there must be no other that changes them too.
    if let index = lastIndex(where: { $0.fields.embedded != nil }),
      self[index].position < entry.position,
      self[index].stamp.isSame(as: entry.stamp, for: positions),
      let merged = self[index].fields.merging(entry.fields)
    {
      let number = Swift.max(self[index].number, entry.number)
      self[index] = entry
      (self[index].fields, self[index].number) = (merged, number)
    } else {
      append(entry)
    }
  }
}

extension RecordShape {
  fileprivate func contains(_ field: FieldKey) -> Bool { position(of: field) != nil }
}
