/// The relations of files through the names that they define and use.
///
/// The check of a file needs the definitions of others: the fragments that it spreads, directly or
/// through other fragments, and the definitions that have the names of its own. A file with an
/// operation without a name needs one other file with an operation, because such an operation must
/// be alone.
struct FileRelations {
  private var neighbors: [[Int]]

  init(_ indexes: [FileIndex]) {
    var numbers: [String: Int] = [:]
    var definers: [[Int]] = []
    func number(_ name: String) -> Int {
      if let known = numbers[name] { return known }
      numbers[name] = definers.count
      definers.append([])
      return definers.count - 1
    }
    var firstsWithOperations: [Int] = []
    var needs: [[Int]] = []
    for (file, index) in indexes.enumerated() {
      var needed: Set<Int> = []
      for definition in index.definitions {
        if let name = definition.fragment ?? definition.operation {
          // A fragment and an operation can have the same name.
          let number = number((definition.fragment == nil ? "operation " : "") + name)
          definers[number].append(file)
          needed.insert(number)
        }
        for spread in definition.spreads { needed.insert(number(spread)) }
      }
      if firstsWithOperations.count < 2, index.definitions.contains(where: { $0.fragment == nil }) {
        firstsWithOperations.append(file)
      }
      needs.append(needed.sorted())
    }
    neighbors = needs.enumerated().map { file, names in
      var files = Set(names.flatMap { definers[$0] })
      let isAnonymous = indexes[file].definitions.contains {
        $0.fragment == nil && $0.operation == nil
      }
      if isAnonymous, let other = firstsWithOperations.first(where: { $0 != file }) {
        files.insert(other)
      }
      files.remove(file)
      return files.sorted()
    }
  }

  /// Returns the files that the check of `file` needs, itself included, in ascending order.
  func closure(of file: Int) -> [Int] {
    guard !neighbors[file].isEmpty else { return [file] }
    var found: Set<Int> = [file]
    var open = [file]
    while let next = open.popLast() {
      for neighbor in neighbors[next] where found.insert(neighbor).inserted {
        open.append(neighbor)
      }
    }
    return found.sorted()
  }
}

/// The fragments that operations use, directly or through other fragments.
struct UsedFragments {
  private(set) var names: Set<String> = []
  /// `true` if a spread names an unknown fragment. It can be a misspelling of any other one.
  private(set) var hasUnknownSpreads = false

  init(_ indexes: some Sequence<FileIndex>) {
    var spreads: [String: Set<String>] = [:]
    var open: [String] = []
    for definition in indexes.lazy.flatMap(\.definitions) {
      if let fragment = definition.fragment {
        spreads[fragment, default: []].formUnion(definition.spreads)
      } else {
        open += definition.spreads
      }
    }
    hasUnknownSpreads =
      open.contains { spreads[$0] == nil }
      || spreads.values.contains { names in names.contains { spreads[$0] == nil } }
    while let name = open.popLast() {
      if names.insert(name).inserted { open += spreads[name] ?? [] }
    }
  }
}
