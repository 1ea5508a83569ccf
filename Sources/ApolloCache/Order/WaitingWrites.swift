/// The responses that wait in the layers of a store, by the positions from which its readers have
/// seen them.
struct WaitingWrites: Sendable {
  private var notes: [UInt64: OrderedWrites] = [:]
  /// The pages of lists that the responses change.
  private var edits: [UInt64: OrderedWrites] = [:]
  /// The same pages. Layers are computed again and again, and each page is noted once.
  private var editedPages: [UInt64: Set<WrittenFields>] = [:]

  var writes: [OrderedWrites] { Array(notes.values) + Array(edits.values) }
  var positions: some Collection<UInt64> { notes.keys }
  /// The number of notes.
  var count: Int {
    notes.values.reduce(edits.values.reduce(0) { $0 + $1.count }) { $0 + $1.count }
  }

  mutating func insert(_ position: UInt64) { notes[position] = OrderedWrites() }

  /// - Returns: Notes to be released outside of a lock.
  mutating func remove(_ position: UInt64) -> [OrderedWrites] {
    editedPages[position] = nil  // what it has is in `edits`, too
    return [notes.removeValue(forKey: position), edits.removeValue(forKey: position)]
      .compactMap { $0 }
  }

  mutating func note(_ note: WriteNote, _ positions: OpenPositions) {
    notes[note.position]?.note(note, positions)
  }

  /// Returns the pages that are not noted yet of those that a response changes. They count as noted
  /// then.
  mutating func takeNew(_ pages: [WrittenFields], at position: UInt64) -> [WrittenFields] {
    guard notes[position] != nil else { return [] }
    return pages.filter { editedPages[position, default: []].insert($0).inserted }
  }

  /// Notes the pages that a response changes while it waits.
  mutating func note(edit note: WriteNote, _ positions: OpenPositions) {
    guard notes[note.position] != nil else { return }
    edits[note.position, default: OrderedWrites()].note(note, positions)
  }

  func mayOvertake(_ moment: RequestMoment) -> Bool {
    notes.values.contains { $0.mayOvertake(moment) }
  }

  /// Returns whether a mutation that was sent later than another one changes pages.
  func mayHaveEdited(after moment: RequestMoment) -> Bool {
    edits.values.contains { $0.mayOvertake(moment) }
  }

  mutating func newer(
    _ fields: [WrittenFields], than moment: RequestMoment, after number: UInt64,
    _ positions: OpenPositions
  ) -> [NewerField] {
    notes.keys.flatMap {
      notes[$0]?.newer(fields, than: moment, after: number, positions) ?? []
    }
  }

  /// Returns those of these fields whose pages waiting mutations change that were sent later.
  mutating func edited(
    _ fields: [WrittenFields], after moment: RequestMoment, _ positions: OpenPositions
  ) -> [NewerField] {
    edits.keys.flatMap { edits[$0]?.newer(fields, than: moment, positions) ?? [] }
  }

  mutating func excludingLaterMutations(
    _ fields: [WrittenFields], than moment: RequestMoment, _ positions: OpenPositions
  ) -> [WrittenFields] {
    notes.keys.reduce(fields) { fields, position in
      notes[position]?.excludingLaterMutations(fields, than: moment, positions) ?? fields
    }
  }
}
