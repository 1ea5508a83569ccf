/// A list of diagnostics with a limited size.
///
/// A few kilobytes of input can contain billions of problems: a thousand types can each lack a
/// thousand fields. The list bounds the memory and the time that go into reporting them. It counts
/// errors and warnings separately, so errors still appear in a project with many deprecated fields.
///
/// | State | `append` | Leaves when |
/// | :-- | :-- | :-- |
/// | open | keeps errors and warnings | 10,000 warnings are kept, or a limit below is reached |
/// | open, warnings cut off | keeps errors, drops warnings | a limit below is reached |
/// | full | drops everything | never |
///
/// The list is full after 10,000 errors, 100,000 problems of any kind, or 5 MB of messages. The
/// last diagnostic then states that further problems are not reported.
package struct DiagnosticList: Sendable {
  /// The maximum number of errors in a list, and of warnings.
  package static let maximumCount = 10_000
  /// The maximum number of problems that are examined, including those that are not kept.
  package static let maximumFoundCount = 100_000

  /// The diagnostics so far. If problems were dropped, the last one says so.
  package private(set) var diagnostics: [Diagnostic] = []
  /// A Boolean value that indicates whether further problems are dropped.
  ///
  /// Check this before a search that can find many problems.
  package private(set) var isFull = false
  /// The remaining capacity for errors, warnings, notes, and bytes of messages.
  private var remaining = (
    errors: maximumCount, warnings: maximumCount, notes: 20_000, messages: 5_000_000
  )
  private var foundCount = 0

  /// Creates an empty list.
  package init() {}

  /// Appends `diagnostic` with as many of its notes as the limit allows.
  package mutating func append(_ diagnostic: Diagnostic) {
    guard countProblem() else { return }
    switch diagnostic.severity {
    case .error:
      guard remaining.errors > 0 else { return close() }
      remaining.errors -= 1
    case .warning:
      remaining.warnings -= 1
      guard remaining.warnings >= 0 else {
        if remaining.warnings == -1 { diagnostics.append(.tooManyWarnings) }
        return
      }
    }
    var diagnostic = diagnostic
    diagnostic.notes.removeLast(max(0, diagnostic.notes.count - max(1, remaining.notes)))
    remaining.notes -= diagnostic.notes.count
    remaining.messages -= diagnostic.message.utf8.count
    diagnostics.append(diagnostic)
  }

  /// Counts a problem that is not to be reported.
  package mutating func skip() {
    _ = countProblem()
  }

  /// Counts a problem and returns whether the list may keep it.
  private mutating func countProblem() -> Bool {
    guard !isFull else { return false }
    foundCount += 1
    guard foundCount <= Self.maximumFoundCount, remaining.messages > 0 else {
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
  /// The diagnostic that replaces all further problems.
  package static let tooMany = Diagnostic(
    rule: .limit, message: "Too many problems were found; the rest is not reported.", at: nil)

  /// The diagnostic that replaces all further warnings.
  fileprivate static let tooManyWarnings = Diagnostic(
    rule: .limit, severity: .warning,
    message:
      "More than \(DiagnosticList.maximumCount) warnings were found; the rest is not reported.",
    at: nil)
}
