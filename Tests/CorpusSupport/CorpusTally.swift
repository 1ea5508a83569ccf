package import Testing

/// Counts how many cases of a corpus agree, and says which do not.
package struct CorpusTally {
  private let name: String
  private let knownDifferences: [String: String]
  private var agreeing = 0
  private var differing = 0
  private var failures: [String] = []
  private var messages = 0
  private var equalMessages = 0
  private var otherMessages: [String] = []

  /// - Parameters:
  ///   - name: What to call the corpus.
  ///   - knownDifferences: Why cases do not agree, by their IDs.
  package init(_ name: String, knownDifferences: [String: String]) {
    self.name = name
    self.knownDifferences = knownDifferences
  }

  /// Notes whether a case agrees. A known difference must not.
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

  /// Compares the errors found with those expected, by rule and places, in whatever order.
  ///
  /// The messages of the cases that agree are compared too, and counted.
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

  /// Prints the counts and fails the test for what does not agree, and when there was no case at
  /// all.
  ///
  /// `share` is how many of the messages must be equal, from 0 to 1.
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
