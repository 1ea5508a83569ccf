import Foundation
import Testing

/// Counts how many cases of a corpus file agree, and says which do not.
struct CorpusTally {
  private let file: String
  private var passed = 0
  private var deviations = 0
  private var failures: [String] = []
  private var messages = 0
  private var equalMessages = 0
  private var otherMessages: [String] = []

  init(_ file: String) {
    self.file = file
  }

  /// Compares the errors found with those expected, by rule and places, in whatever order.
  mutating func add(
    _ id: String, found: [CorpusError], expected: [CorpusError], ignoringSuggestions: Bool = false
  ) {
    let isSame = counts(found) == counts(expected)
    add(id, isSame) { "found \(found)\n    expected \(expected)" }
    guard isSame else { return }
    compareMessages(found, expected, ignoringSuggestions)
  }

  /// Notes whether a case agrees. One that is listed as a deviation must not.
  mutating func add(_ id: String, _ isSame: Bool, _ explanation: () -> String) {
    let isDeviation = CorpusDeviations.reasons[id] != nil
    switch (isSame, isDeviation) {
    case (true, false): passed += 1
    case (false, true): deviations += 1
    case (true, true): failures.append("\(id) agrees, but is listed as a deviation")
    case (false, false): failures.append("\(id): \(explanation())")
    }
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
        otherMessages.append("found \(candidates)\n    expected \(error.message)")
      }
    }
  }

  private func withoutSuggestion(_ message: String) -> String {
    message.range(of: " Did you mean").map { String(message[..<$0.lowerBound]) } ?? message
  }

  /// Prints the counts and fails the test for what does not agree.
  ///
  /// - Parameter messageShare: How many of the messages must be equal, from 0 to 1.
  func finish(messageShare: Double = 0) {
    let total = passed + deviations + failures.count
    print(
      "\(file): \(passed) of \(total) agree, \(deviations) deviate for a stated reason; "
        + "\(equalMessages) of \(messages) messages are equal.")
    for failure in failures { Issue.record("\(file): \(failure)") }
    guard messages > 0 else { return }
    let share = Double(equalMessages) / Double(messages)
    if share < messageShare {
      Issue.record("\(file): other messages:\n  \(otherMessages.joined(separator: "\n  "))")
    }
  }
}
