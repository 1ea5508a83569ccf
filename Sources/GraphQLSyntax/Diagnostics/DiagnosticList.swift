/// What is found wrong with one kind of input, with a schema or with operations, up to limits.
///
/// Nobody reads very many problems; but a few kilobytes can be wrong in billions of ways, as when a
/// thousand types lack a thousand fields each. Errors and warnings are counted apart, so that a
/// project with a great many deprecated fields still hears of its errors.
package struct DiagnosticList: Sendable {
  /// How many errors are kept at most, and how many warnings.
  package static let greatestCount = 10_000
  /// How many problems are looked at at most, those that are not kept included.
  package static let greatestFoundCount = 100_000

  /// What was found; the last one says so if that is not all.
  package private(set) var diagnostics: [Diagnostic] = []
  /// Whether so much was found that the rest is not kept and need not be looked for. Who may find a
  /// great many more checks this first, as finding them takes time.
  package private(set) var isFull = false
  /// How many more there may be of each: errors, warnings, notes, and bytes of messages.
  private var room = (
    errors: greatestCount, warnings: greatestCount, notes: 20_000, messages: 5_000_000
  )
  private var foundCount = 0

  /// An empty list.
  package init() {}

  /// Adds `diagnostic`, with as many of its notes as there is room for.
  package mutating func append(_ diagnostic: Diagnostic) {
    guard hasRoomForAnother() else { return }
    switch diagnostic.severity {
    case .error:
      guard room.errors > 0 else { return close() }
      room.errors -= 1
    case .warning:
      room.warnings -= 1
      guard room.warnings >= 0 else {
        if room.warnings == -1 { diagnostics.append(.tooManyWarnings) }
        return
      }
    }
    var diagnostic = diagnostic
    diagnostic.notes.removeLast(max(0, diagnostic.notes.count - max(1, room.notes)))
    room.notes -= diagnostic.notes.count
    room.messages -= diagnostic.message.utf8.count
    diagnostics.append(diagnostic)
  }

  /// Takes note of a problem that nobody wants to hear of.
  package mutating func skip() {
    _ = hasRoomForAnother()
  }

  private mutating func hasRoomForAnother() -> Bool {
    guard !isFull else { return false }
    foundCount += 1
    guard foundCount <= Self.greatestFoundCount, room.messages > 0 else {
      close()
      return false
    }
    return true
  }

  private mutating func close() {
    isFull = true
    diagnostics.append(.tooMany)
  }
}

extension Diagnostic {
  /// What is reported in place of all further problems.
  package static let tooMany = Diagnostic(
    rule: .limit, message: "Too many problems were found; the rest is not reported.", at: nil)

  /// What is reported in place of all further warnings.
  fileprivate static let tooManyWarnings = Diagnostic(
    rule: .limit, severity: .warning,
    message:
      "More than \(DiagnosticList.greatestCount) warnings were found; the rest is not reported.",
    at: nil)
}
