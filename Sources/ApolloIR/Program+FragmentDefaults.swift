extension Program {
  /// Returns the variables of a fragment that have a default value in every operation that uses it,
  /// and the same one in all of them, sorted by name.
  ///
  /// A program can read a fragment alone, without the variables of an operation. Where the
  /// operations agree, there is only one set of fields that it can mean.
  ///
  /// - Complexity: O(*n*) in the number of operations and of the characters of the fragments.
  package func variableDefaults(ofFragment id: Definition.ID) -> [Variable] {
    var defaults: [String: Variable] = [:]
    var differing: Set<String> = []
    for operation in definitions where operation.fragments.contains(id) {
      for variable in operation.variables {
        guard let value = variable.defaultValue,
          defaults[variable.name].map({ $0.defaultValue == value }) ?? true
        else {
          differing.insert(variable.name)
          continue
        }
        defaults[variable.name] = variable
      }
    }
    guard !defaults.isEmpty else { return [] }
    let used = variableNames(in: id)
    return defaults.values.filter { !differing.contains($0.name) && used.contains($0.name) }
      .sorted { $0.name < $1.name }
  }

  /// The names after `$` in the text of a fragment and of those that it spreads. A string with such
  /// a name in it only adds a default that nothing reads.
  private func variableNames(in fragment: Definition.ID) -> Set<String> {
    var names: Set<String> = []
    var visited: Set<Definition.ID> = [fragment]
    var pending = [fragment]
    while let id = pending.popLast() {
      for part in self[id].text.split(separator: "$").dropFirst() {
        names.insert(
          String(part.prefix { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }))
      }
      pending += self[id].spreadFragments.filter { visited.insert($0).inserted }
    }
    return names
  }
}
