/// The temporary identifiers of a session, with the mutations that create their objects and the
/// real ones.
struct TemporaryNames: Sendable {
  private struct Entry: Sendable {
    let creator: Int64
    var real: String?
  }

  private var entries: [String: Entry] = [:]
  private(set) var realCount = 0

  init(_ stored: [StoredIdentifier] = []) {
    for identifier in stored {
      entries[identifier.temporary] = Entry(creator: identifier.creator, real: identifier.real)
      if identifier.real != nil { realCount += 1 }
    }
  }

  var isEmpty: Bool { entries.isEmpty }

  func contains(_ temporary: String) -> Bool { entries[temporary] != nil }
  func real(_ temporary: String) -> String? { entries[temporary]?.real }
  func creator(of temporary: String) -> Int64? { entries[temporary]?.creator }

  mutating func add(_ entry: EntryRecord) {
    for temporary in entry.creates.keys { entries[temporary] = Entry(creator: entry.id) }
  }

  mutating func resolve(_ temporary: String, _ real: String) {
    guard let entry = entries[temporary] else { return }
    if entry.real == nil { realCount += 1 }
    entries[temporary]?.real = real
  }

  /// Forgets the identifiers for which a mutation that leaves the queue has brought no real ones.
  mutating func forgetUnresolved(of entry: EntryRecord) {
    for temporary in entry.creates.keys
    where entries[temporary]?.creator == entry.id && entries[temporary]?.real == nil {
      entries[temporary] = nil
    }
  }

  /// Returns the identifiers to forget, the oldest first.
  func old(keeping count: Int, needed: Set<String>) -> [String] {
    entries.filter { $0.value.real != nil && !needed.contains($0.key) }
      .sorted { ($0.value.creator, $0.key) < ($1.value.creator, $1.key) }
      .prefix(max(0, realCount - count)).map(\.key)
  }

  mutating func forget(_ temporary: String) {
    if entries.removeValue(forKey: temporary)?.real != nil { realCount -= 1 }
  }

  /// Returns the real identifiers of some temporary ones.
  func reals(of temporary: [String]) -> [String: String] {
    var reals: [String: String] = [:]
    for name in temporary { reals[name] = entries[name]?.real }
    return reals
  }

  /// Returns the temporary identifiers in a payload that have no real ones, and the payload with
  /// the others replaced.
  ///
  /// - Parameters:
  ///   - payload: The contents.
  ///   - former: The temporary identifiers of former contents. They stay temporary when their
  ///     creators have left the queue without real ones.
  /// - Returns: The payload with real identifiers, and the temporary ones in it.
  func resolving(_ payload: Payload, former: [String] = []) -> (Payload, needs: [String]) {
    guard !isEmpty || !former.isEmpty else { return (payload, []) }
    var (needs, known) = (Set<String>(), [String: String]())
    payload.forEachText { text in
      if let real = entries[text]?.real {
        known[text] = real
      } else if entries[text] != nil || former.contains(text) {
        needs.insert(text)
      }
    }
    return (payload.replacingTexts(known), needs.sorted())
  }
}
