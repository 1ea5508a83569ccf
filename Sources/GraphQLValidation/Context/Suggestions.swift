import GraphQLSchema

/// Finds the names that a misspelled name may stand for.
///
/// All searches share a budget of comparisons, so validation stays fast even for a document full of
/// errors against a huge schema. When the budget is exhausted, there are no further suggestions.
struct Suggestions: Sendable {
  private var budget: Int

  /// Creates a search with a budget.
  ///
  /// - Parameter budget: The total number of names that can be compared. A pair of long names
  ///   counts as several.
  init(budget: Int = 1_000_000) {
    self.budget = budget
  }

  /// Subtracts `count` comparisons from the budget.
  ///
  /// - Returns: `true` if the budget was large enough.
  mutating func spend(_ count: Int) -> Bool {
    budget -= count
    return budget >= 0
  }

  /// Returns the options that are similar to `input`, nearest first.
  ///
  /// An option is similar if it takes at most one edit plus four for each ten letters of `input`.
  /// An edit inserts, deletes or replaces a letter, or swaps two adjacent letters. A difference in
  /// case alone counts as one edit.
  mutating func candidates(
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

/// Returns ` Did you mean "A", "B", or "C"?` for up to five candidates, or an empty string for
/// none.
///
/// - Parameters:
///   - candidates: The names to suggest, best first.
///   - kind: The kind of the candidates, as in `the enum value`, or `nil` to leave it out.
/// - Returns: A question with a leading space, to append to a message.
func didYouMean(_ candidates: [String], kind: String? = nil) -> String {
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

/// Computes the edit distance between one input and many options, up to a threshold.
///
/// The distance is the optimal string alignment: each letter takes part in at most one edit.
private struct LexicalDistance {
  private let input: String
  private let letters: [UInt8]
  private let threshold: Int

  init(to input: String) {
    self.input = input
    letters = input.utf8.map(\.lowercased)
    threshold = letters.count * 2 / 5 + 1
  }

  /// Returns the cost of `measure` in comparisons of short names.
  func cost(of option: String) -> Int {
    let count = option.utf8.count
    return abs(count - letters.count) <= threshold ? 1 + count * letters.count / 200 : 1
  }

  /// Returns the distance, or `nil` if it exceeds the threshold.
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
