/// The responses that wait in the layers of a store, by the positions from which its readers have
/// seen them.
struct WaitingWrites: Sendable {
  private var notes: [UInt64: OrderedWrites] = [:]

  var writes: some Collection<OrderedWrites> { notes.values }
  var positions: some Collection<UInt64> { notes.keys }
  /// The number of notes.
  var count: Int { notes.values.reduce(0) { $0 + $1.count } }

  mutating func insert(_ position: UInt64) { notes[position] = OrderedWrites() }

  mutating func remove(_ position: UInt64) -> OrderedWrites? {
    notes.removeValue(forKey: position)
  }

  mutating func note(_ note: WriteNote, _ positions: OpenPositions) {
    notes[note.position]?.note(note, positions)
  }

  func mayOvertake(_ moment: RequestMoment) -> Bool {
    notes.values.contains { $0.mayOvertake(moment) }
  }

  mutating func newer(
    _ fields: [WrittenFields], than moment: RequestMoment, after number: UInt64,
    _ positions: OpenPositions
  ) -> [NewerField] {
    notes.keys.flatMap {
      notes[$0]?.newer(fields, than: moment, after: number, positions) ?? []
    }
  }

  mutating func excludingLaterMutations(
    _ fields: [WrittenFields], than moment: RequestMoment, _ positions: OpenPositions
  ) -> [WrittenFields] {
    notes.keys.reduce(fields) { fields, position in
      notes[position]?.excludingLaterMutations(fields, than: moment, positions) ?? fields
    }
  }
}
