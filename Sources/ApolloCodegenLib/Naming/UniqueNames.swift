/// Gives things that share a scope names of their own.
///
/// Each thing says what it would like to be called, best first. What several want, the one that has the best claim gets; where no
/// claim is the best, all of them take what they want next. The order of the things does not matter as long as their lists are
/// long enough, so adding one does not rename those that it has nothing to do with.
struct UniqueNames {
  struct Wish {
    /// Best first, never empty. When all of them are taken, the last one is numbered: `name_2`.
    var names: [String]
    /// How good the claim is: the smaller, the better. What is spelled in GraphQL as it is wanted in Swift has the best one.
    var rank = 0
  }

  /// The name of each thing, in the order of `wishes`; none of them is one of `taken`.
  ///
  /// - Parameters:
  ///   - wishes: What each thing would like to be called.
  ///   - taken: Names that nothing can have.
  ///   - isCaseIgnored: Whether names that differ only in letter case count as the same; `taken` is in lower case then.
  /// - Returns: A name for each wish.
  /// - Complexity: O(*n*) when no two want the same.
  static func assign(
    _ wishes: [Wish], besides taken: Set<String> = [], ignoringCase isCaseIgnored: Bool = false
  ) -> [String] {
    var assignment = UniqueNames(wishes, isCaseIgnored)
    while assignment.resolveConflicts(taken) {}
    return wishes.indices.map(assignment.name)
  }

  private let wishes: [Wish]
  private let isCaseIgnored: Bool
  /// Which of its names each thing has at present.
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

  /// Whether anything had to give way.
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

  /// The one that keeps the name; `nil` when all have to look further.
  private func winner(of group: [Int]) -> Int? {
    func claim(_ index: Int) -> (Int, Int) { (levels[index], wishes[index].rank) }
    guard let best = group.min(by: { claim($0) < claim($1) }) else { return nil }
    let isAlone = group.allSatisfy { $0 == best || claim($0) > claim(best) }
    let isLastChance = levels[best] >= wishes[best].names.count - 1
    return isAlone || isLastChance ? best : nil
  }
}
