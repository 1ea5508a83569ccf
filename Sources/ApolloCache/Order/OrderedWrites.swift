internal import ApolloAPI

/// The positions in time of the latest writes of some fields, one for each kind of write.
struct WriteStamp: Sendable {
  /// The query that was sent last.
  private var query: UInt64 = 0
  /// The mutation that was sent last.
  private var mutation: UInt64 = 0
  /// The latest commit of a mutation.
  private var mutationCommit: UInt64 = 0
  /// The latest write of the program or of an event.
  private var program: UInt64 = 0

  static let none = WriteStamp()

  private init() {}

  /// The stamp of a write with this number.
  ///
  /// `origin`: The request whose response was written, or `nil` for an event and the program.
  init(at number: UInt64, from origin: RequestMoment?) {
    guard let origin else {
      program = number
      return
    }
    if origin.isMutation {
      mutation = origin.number
      mutationCommit = number
    } else {
      query = origin.number
    }
  }

  /// Returns whether a write is newer than a request.
  func overtakes(_ request: RequestMoment) -> Bool {
    guard request.isMutation else {
      return max(query, mutationCommit, program) > request.number
    }
    if mutation > request.number { return true }
    guard let visibility = request.visibility else { return program > request.number }
    return max(query, program) > visibility
  }

  /// Returns whether a mutation that was sent later than another one has written the fields.
  func isOfLaterMutation(than request: RequestMoment) -> Bool { mutation > request.number }

  /// Returns whether a request with this number could be overtaken.
  func isNewer(than number: UInt64) -> Bool {
    max(query, mutationCommit, program) > number
  }

  mutating func formUnion(_ other: WriteStamp) {
    query = max(query, other.query)
    mutation = max(mutation, other.mutation)
    mutationCommit = max(mutationCommit, other.mutationCommit)
    program = max(program, other.program)
  }
}

/// The writes that may overtake a request under way: which fields, and when.
///
/// Noting a write appends its fields to a list. They are sorted in by records when a response asks
/// for the first time. Shapes stand for their fields, so a record has one entry for each selection
/// that has written it, and one for each write of embedded objects.
struct OrderedWrites: Sendable {
  fileprivate struct Entry: Sendable {
    let fields: WrittenFields
    var stamp: WriteStamp
  }
  private struct Write: Sendable {
    let fields: [WrittenFields]
    let stamp: WriteStamp
  }

  private var records: [RecordKey: [Entry]] = [:]
  private var latest: [Write] = []
  /// The patterns of keys whose records were removed.
  private var patterns: [String: WriteStamp] = [:]
  /// The newest stamp of each kind.
  private var newest = WriteStamp.none
  /// The number of notes since old ones were dropped.
  private var newCount = 0
  private var keptCount = 0

  var isEmpty: Bool { records.isEmpty && latest.isEmpty && patterns.isEmpty }

  /// The number of notes.
  var count: Int { newCount + keptCount }

  mutating func removeAll() { self = OrderedWrites() }

  // MARK: - Noting

  mutating func note(
    _ fields: [WrittenFields], _ stamp: WriteStamp, oldestRequest: UInt64
  ) {
    newest.formUnion(stamp)
    latest.append(Write(fields: fields, stamp: stamp))
    newCount += fields.count
    if newCount > Self.leastCountToDrop + keptCount { dropNotes(before: oldestRequest) }
  }

  mutating func note(_ pattern: String, _ stamp: WriteStamp, oldestRequest: UInt64) {
    newest.formUnion(stamp)
    patterns[pattern, default: .none].formUnion(stamp)
    newCount += 1
    if newCount > Self.leastCountToDrop + keptCount { dropNotes(before: oldestRequest) }
  }

  private static var leastCountToDrop: Int { 4_096 }

  /// Drops what overtakes no request with this number or a later one.
  ///
  /// - Complexity: O(*n*) in the number of notes, of which at least half are new.
  private mutating func dropNotes(before number: UInt64) {
    sortIn()
    records = records.compactMapValues { entries in
      let kept = entries.filter { $0.stamp.isNewer(than: number) }
      return kept.isEmpty ? nil : kept
    }
    patterns = patterns.filter { $0.value.isNewer(than: number) }
    keptCount = records.values.reduce(patterns.count) { $0 + $1.count }
    newCount = 0
  }

  private mutating func sortIn() {
    for write in latest {
      for fields in write.fields { records[fields.key, default: []].note(fields, write.stamp) }
    }
    latest = []
  }

  // MARK: - Asking

  func mayOvertake(_ request: RequestMoment) -> Bool { newest.overtakes(request) }

  /// Returns which of these fields newer writes than a request have overtaken.
  mutating func overtaken(
    _ fields: [WrittenFields], of request: RequestMoment
  ) -> OvertakenFields {
    written(fields) { $0.overtakes(request) }
  }

  /// Returns the fields that no mutation has written which was sent later than another one.
  mutating func excludingLaterMutations(
    _ fields: [WrittenFields], than request: RequestMoment
  ) -> [WrittenFields] {
    guard newest.isOfLaterMutation(than: request) else { return fields }
    let later = written(fields) { $0.isOfLaterMutation(than: request) }
    return fields.map { written in
      // Of embedded objects, the write has left out the parts that the later ones have brought.
      let excluded = later.fields(of: written.key).filter { written.embedded?[$0] == nil }
      guard let shape = written.shape, !excluded.isEmpty else { return written }
      return WrittenFields(
        written.key, .of(shape.fields.filter { !excluded.contains($0) }),
        embedded: written.embedded)
    }
  }

  /// Returns which of these fields have a note with a stamp that fulfills a condition.
  private mutating func written(
    _ fields: [WrittenFields], where condition: (WriteStamp) -> Bool
  ) -> OvertakenFields {
    sortIn()
    let patterns = patterns.filter { condition($0.value) }.keys
    var overtaken = OvertakenFields()
    for asked in fields {
      guard let shape = asked.shape else { continue }
      let key = asked.key
      if patterns.contains(where: { key.contains(ignoringCase: $0) }) {
        for field in shape.fields { overtaken.insert(field, of: key, bringing: nil) }
        continue
      }
      for entry in records[key] ?? [] where condition(entry.stamp) {
        let written = entry.fields.shape
        for field in shape.fields where written?.contains(field) ?? true {
          overtaken.insert(field, of: key, bringing: entry.fields.embedded?[field])
        }
      }
    }
    return overtaken
  }
}

extension [OrderedWrites.Entry] {
  /// Adds fields. Those of the same shape share an entry, unless their values must be known.
  fileprivate mutating func note(_ fields: WrittenFields, _ stamp: WriteStamp) {
    func isSame(_ entry: Element) -> Bool {
      entry.fields.shape === fields.shape && entry.fields.embedded == nil
    }
    if fields.embedded == nil, let index = firstIndex(where: isSame) {
      self[index].stamp.formUnion(stamp)
    } else {
      append(Element(fields: fields, stamp: stamp))
    }
  }
}

extension RecordShape {
  fileprivate func contains(_ field: FieldKey) -> Bool { position(of: field) != nil }
}
