package import Testing

/// Counts the cases of a corpus that agree with the tests, and records those that do not.
package struct CorpusTally {
  private let name: String
  private let knownDifferences: [String: String]
  private var agreeing = 0
  private var differing = 0
  private var failures: [String] = []
  private var messages = 0
  private var equalMessages = 0
  private var otherMessages: [String] = []

  /// Creates a tally without cases.
  ///
  /// - Parameters:
  ///   - name: The name of the corpus in the output.
  ///   - knownDifferences: The reasons for expected differences, by the ID of the case.
  package init(_ name: String, knownDifferences: [String: String]) {
    self.name = name
    self.knownDifferences = knownDifferences
  }

  /// Records whether a case agrees. A case with a known difference must not agree.
  package mutating func add(
    _ id: String, _ agrees: Bool, _ explanation: @autoclosure () -> String
  ) {
    switch (agrees, knownDifferences[id] != nil) {
    case (true, false): agreeing += 1
    case (false, true): differing += 1
    case (true, true):
      failures.append("\(id) agrees now: take it off the list of known differences")
    case (false, false): failures.append("\(id)\n\(explanation())")
    }
  }

  /// Records a case that agrees if both lists contain the same rules at the same locations, in any
  /// order.
  ///
  /// The messages of agreeing cases are also compared and counted.
  package mutating func add(
    _ id: String, found: [CorpusError], expected: [CorpusError], ignoringSuggestions: Bool = false,
    context: String = ""
  ) {
    let agrees = counts(found) == counts(expected)
    add(id, agrees, "found    \(found)\nexpected \(expected)\n\(context)")
    guard agrees else { return }
    compareMessages(found, expected, ignoringSuggestions)
  }

  private func counts(_ errors: [CorpusError]) -> [CorpusError.Identity: Int] {
    Dictionary(errors.map { ($0.identity, 1) }, uniquingKeysWith: +)
  }

  private mutating func compareMessages(
    _ found: [CorpusError], _ expected: [CorpusError], _ ignoringSuggestions: Bool
  ) {
    var rest = Dictionary(grouping: found, by: \.identity)
    for error in expected {
      messages += 1
      let candidates = (rest[error.identity] ?? []).map { candidate in
        ignoringSuggestions
          ? withoutSuggestion(candidate.comparableMessage) : candidate.comparableMessage
      }
      if let position = candidates.firstIndex(of: error.comparableMessage) {
        equalMessages += 1
        rest[error.identity]?.remove(at: position)
      } else {
        otherMessages.append("found    \(candidates)\nexpected \(error.message)")
      }
    }
  }

  private func withoutSuggestion(_ message: String) -> String {
    message.firstRange(of: " Did you mean").map { String(message[..<$0.lowerBound]) } ?? message
  }

  /// Prints the counts, and fails the test for every disagreement or if there was no case.
  ///
  /// - Parameters:
  ///   - share: The minimum share of equal messages, from 0 to 1.
  ///   - location: The source location of the failures.
  package func finish(
    equalMessages share: Double = 0, location: SourceLocation = #_sourceLocation
  ) {
    let total = agreeing + differing + failures.count
    var line = "\(name): \(agreeing) of \(total) agree"
    if differing > 0 { line += ", \(differing) differ for a stated reason" }
    if messages > 0 { line += "; \(equalMessages) of \(messages) messages are equal" }
    print(line)
    #expect(total > 0, "\(name) has no cases.", sourceLocation: location)
    if Corpus.isVerbose { otherMessages.forEach { print("\(name), another message:\n\($0)") } }
    for failure in failures { Issue.record("\(name): \(failure)", sourceLocation: location) }
    #expect(
      Double(equalMessages) >= share * Double(messages),
      "\(name), other messages:\n\(otherMessages.joined(separator: "\n"))",
      sourceLocation: location)
  }
}
