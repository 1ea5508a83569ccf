/// Finds the names that somebody may have meant, within a budget of comparisons.
///
/// The budget is shared by all searches of one validation, so that a document full of errors
/// against a huge schema stays cheap; when it is used up there are no more suggestions.
package struct Suggestions: Sendable {
  private var budget: Int

  /// - Parameter budget: How many names may be compared in all searches together. Two long names count
  ///   as several.
  package init(budget: Int = 1_000_000) {
    self.budget = budget
  }

  /// Takes `count` comparisons from the budget.
  ///
  /// - Returns: Whether there were that many left.
  package mutating func spend(_ count: Int) -> Bool {
    budget -= count
    return budget >= 0
  }

  /// The options that `input` may be a misspelling of, nearest first.
  ///
  /// An option counts when it can be made from `input` with at most four edits for each ten
  /// letters, and one more. An edit inserts, deletes, replaces or swaps neighbouring letters; a
  /// difference in case alone is one edit.
  package mutating func candidates(
    for input: String, among options: some Sequence<String>
  ) -> [String] {
    let distance = LexicalDistance(to: input)
    var found: [(name: String, distance: Int)] = []
    for option in options {
      guard spend(distance.cost(of: option)) else { return [] }
      guard let edits = distance.measure(option) else { continue }
      found.append((option, edits))
    }
    found.sort {
      $0.distance != $1.distance
        ? $0.distance < $1.distance : precedesNaturally($0.name, $1.name)
    }
    return found.map(\.name)
  }
}

/// ` Did you mean "A", "B", or "C"?` for at most five candidates; empty for none.
///
/// - Parameters:
///   - candidates: The names to suggest, best first.
///   - kind: What the candidates are, as in `the enum value`; or nil.
/// - Returns: A sentence with a space before it, to append to a message.
package func didYouMean(_ candidates: [String], kind: String? = nil) -> String {
  let quoted = candidates.prefix(5).map { "\"\($0)\"" }
  guard let last = quoted.last else { return "" }
  let subject = kind.map { "\($0) " } ?? ""
  let list =
    switch quoted.count {
    case 1: last
    case 2: "\(quoted[0]) or \(last)"
    default: "\(quoted.dropLast().joined(separator: ", ")), or \(last)"
    }
  return " Did you mean \(subject)\(list)?"
}

/// The number of edits between one input and many options (optimal string alignment), with a bound.
private struct LexicalDistance {
  private let input: String
  private let letters: [UInt8]
  private let threshold: Int

  init(to input: String) {
    self.input = input
    letters = input.utf8.map(\.lowercased)
    threshold = letters.count * 2 / 5 + 1
  }

  /// How many comparisons of usual names `measure` takes as long as.
  func cost(of option: String) -> Int {
    let count = option.utf8.count
    return abs(count - letters.count) <= threshold ? 1 + count * letters.count / 200 : 1
  }

  /// The distance, or nil when it is more than the threshold.
  func measure(_ option: String) -> Int? {
    if option == input { return 0 }
    guard abs(option.utf8.count - letters.count) <= threshold else { return nil }
    let other = option.utf8.map(\.lowercased)
    if other == letters { return 1 }
    return other.count < letters.count
      ? edits(from: letters, to: other) : edits(from: other, to: letters)
  }

  private func edits(from long: [UInt8], to short: [UInt8]) -> Int? {
    let width = short.count
    var beforeLast = Array(0...width)
    var last = beforeLast
    var current = beforeLast
    for i in 1..<(long.count + 1) {
      current[0] = i
      var smallest = i
      for j in 1..<(width + 1) {
        let substitution = last[j - 1] + (long[i - 1] == short[j - 1] ? 0 : 1)
        var cell = min(last[j] + 1, current[j - 1] + 1, substitution)
        if i > 1, j > 1, long[i - 1] == short[j - 2], long[i - 2] == short[j - 1] {
          cell = min(cell, beforeLast[j - 2] + 1)
        }
        current[j] = cell
        smallest = min(smallest, cell)
      }
      if smallest > threshold { return nil }
      (beforeLast, last, current) = (last, current, beforeLast)
    }
    return last[width] <= threshold ? last[width] : nil
  }
}

extension UInt8 {
  fileprivate var lowercased: UInt8 {
    UInt8(ascii: "A") <= self && self <= UInt8(ascii: "Z") ? self | 0x20 : self
  }
}
