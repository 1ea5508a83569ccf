/// An assignment of unique names to things that share a scope.
///
/// Each thing lists the names that it can have, the best first, and the rank of its claim.
///
/// 1. Each thing gets its first name.
/// 2. Of the things with the same name, the one with the best claim keeps it. If no claim is the
///    best, none keeps it.
/// 3. All others get the next name of their list, or a numbered one after the last.
/// 4. Steps 2 and 3 are repeated until all names differ.
///
/// The result does not depend on the order of the things while their lists are long enough.
/// Therefore an additional thing does not rename unrelated ones.
struct UniqueNames {
  struct Wish {
    /// The names, the best first, never empty. When all of them are taken, the last one is
    /// numbered: `name_2`.
    var names: [String]
    /// The rank of the claim; a smaller rank is a better claim. A name that is spelled the same in
    /// GraphQL and Swift has the best one.
    var rank = 0
  }

  /// Assigns names.
  ///
  /// - Parameters:
  ///   - wishes: The names that each thing can have.
  ///   - taken: Names that nothing can have.
  ///   - isCaseIgnored: Treats names that differ only in letter case as the same, if `true`.
  ///     `taken` is in lower case then.
  /// - Returns: A name for each wish, in the same order.
  /// - Complexity: O(*n*) if no two wishes conflict.
  static func assign(
    _ wishes: [Wish], besides taken: Set<String> = [], ignoringCase isCaseIgnored: Bool = false
  ) -> [String] {
    var assignment = UniqueNames(wishes, isCaseIgnored)
    while assignment.resolveConflicts(taken) {}
    return wishes.indices.map(assignment.name)
  }

  private let wishes: [Wish]
  private let isCaseIgnored: Bool
  /// The index of the name that each thing has at present.
  private var levels: [Int]

  private init(_ wishes: [Wish], _ isCaseIgnored: Bool) {
    self.wishes = wishes
    self.isCaseIgnored = isCaseIgnored
    levels = Array(repeating: 0, count: wishes.count)
  }

  private func name(_ index: Int) -> String {
    let (names, level) = (wishes[index].names, levels[index])
    return level < names.count
      ? names[level] : "\(names[names.count - 1])_\(level - names.count + 2)"
  }

  /// Assigns the next names to all that conflict. Returns `false` if there are no conflicts.
  private mutating func resolveConflicts(_ taken: Set<String>) -> Bool {
    var holders: [String: [Int]] = [:]
    for index in wishes.indices {
      let name = name(index)
      holders[isCaseIgnored ? name.lowercased() : name, default: []].append(index)
    }
    guard holders.count < wishes.count || !taken.isDisjoint(with: holders.keys) else {
      return false
    }
    for (name, group) in holders where group.count > 1 || taken.contains(name) {
      let winner = taken.contains(name) ? nil : winner(of: group)
      for index in group where index != winner { levels[index] += 1 }
    }
    return true
  }

  /// Returns the thing that keeps the name, or `nil` if none does.
  private func winner(of group: [Int]) -> Int? {
    func claim(_ index: Int) -> (Int, Int) { (levels[index], wishes[index].rank) }
    guard let best = group.min(by: { claim($0) < claim($1) }) else { return nil }
    let isAlone = group.allSatisfy { $0 == best || claim($0) > claim(best) }
    let isLastChance = levels[best] >= wishes[best].names.count - 1
    return isAlone || isLastChance ? best : nil
  }
}
