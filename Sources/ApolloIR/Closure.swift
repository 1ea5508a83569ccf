import GraphQLSchema

/// The selection sets that apply to an object whenever the first of them does.
///
/// Their order is that in which a reader meets them: the set itself, the sets around it, then
/// fragments. Fragments of fragments are followed to a certain depth only, which keeps the output
/// proportional to the input.
struct Closure {
  /// The number of spreads between a set and a set that is merged into it, at most. It does not
  /// apply to sets with an initializer.
  static let maximumDepth = 3

  struct Entry {
    var set: SelectionSet.ID
    /// The number of fragment spreads on the way to this set.
    var depth: Int
  }

  private(set) var entries: [Entry] = []
  private(set) var members: Set<SelectionSet.ID> = []
  /// The fragments that are spread at depth 0, and behind which sets are omitted.
  private(set) var truncatedFragments: [Definition.ID] = []

  /// Collects the closure.
  ///
  /// - Complexity: O(*s*), where *s* is the number of selections in the sets that are found.
  init(
    of id: SelectionSet.ID, seeds: [Entry], in program: Program
  ) {
    // An initializer takes every field, at any depth.
    let maximumDepth =
      program[program[id].definition].hasInitializers ? Int.max : Self.maximumDepth
    let first = program[id]
    let fulfilled = first.fulfilledInclusions
    add(Entry(set: id, depth: 0))
    for seed in seeds { add(seed) }
    // The fragment at depth 0 through which each entry was found.
    var origins: [Definition.ID?] = Array(repeating: nil, count: entries.count)
    var next = 0
    while next < entries.count {
      let entry = entries[next]
      for selection in program[entry.set].selections {
        switch selection {
        case .field: continue
        case .inlineFragment(let child):
          guard
            Self.applies(program[child], to: first, given: fulfilled, in: program),
            add(Entry(set: child, depth: entry.depth))
          else { continue }
          origins.append(origins[next])
        case .fragmentSpread(let spread):
          let root = program[spread.fragment].root
          guard spread.conditions.allSatisfy(fulfilled.contains),
            program.isCertain(program[root].parentType, in: first)
          else { continue }
          let origin = origins[next] ?? spread.fragment
          if entry.depth < maximumDepth {
            if add(Entry(set: root, depth: entry.depth + 1)) { origins.append(origin) }
          } else if !members.contains(root), !truncatedFragments.contains(origin) {
            truncatedFragments.append(origin)
          }
        }
      }
      next += 1
    }
  }

  /// Returns `true` if an inline fragment applies to every object of another selection set.
  private static func applies(
    _ fragment: SelectionSet, to set: SelectionSet, given fulfilled: Set<Condition>,
    in program: Program
  ) -> Bool {
    guard case .inlineFragment(let condition, let conditions) = fragment.role,
      conditions.allSatisfy(fulfilled.contains)
    else { return false }
    return condition.map { program.isCertain($0.type, in: set) } ?? true
  }

  @discardableResult
  private mutating func add(_ entry: Entry) -> Bool {
    guard members.insert(entry.set).inserted else { return false }
    entries.append(entry)
    return true
  }
}
