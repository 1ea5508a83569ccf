/// A reader of the members of one JSON object.
///
/// Problems are collected, not thrown, so that one run reports all of them. A member that cannot be
/// read is `nil`.
struct ConfigurationReader {
  let path: String
  private let members: [JSONNode.Member]
  private let problems: Problems

  /// The problems of one file, shared by its readers. It is only used inside the call that decodes.
  final class Problems {
    private(set) var found: [ConfigurationProblem] = []
    var warnings: [ConfigurationProblem] = []

    /// Adds a problem once, although its object may be read for several purposes.
    func add(_ problem: ConfigurationProblem) {
      if !found.contains(problem) { found.append(problem) }
    }
  }

  init?(_ node: JSONNode, path: String, problems: Problems) {
    self.path = path
    self.problems = problems
    guard case .object(let members) = node else {
      problems.add(.init(.wrongType(expected: ["an object"], found: node.kindName), at: path))
      return nil
    }
    self.members = members
  }

  // MARK: - Problems

  func report(_ fact: ConfigurationFact, at key: String? = nil) {
    problems.add(ConfigurationProblem(fact, at: key.map(path(to:)) ?? path))
  }

  func warn(_ fact: ConfigurationFact, at key: String) {
    problems.warnings.append(ConfigurationProblem(fact, at: path(to: key)))
  }

  func path(to key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  /// Reports each member whose key is not one of `known`.
  ///
  /// The report names the right place of the key, or the known key that resembles it most.
  func allow(_ known: [String]) {
    for member in members where !known.contains(member.key) {
      let hint =
        ConfigurationKeys.rightPlace(of: member.key).map(ConfigurationFact.Hint.place)
        ?? Spelling.nearest(to: member.key, in: known).map(ConfigurationFact.Hint.nearest)
      report(.unknownKey(hint ?? .known(known)), at: member.key)
    }
  }

  // MARK: - Members

  func has(_ key: String) -> Bool { node(key) != nil }

  /// Returns the member's value, or `nil` if it is absent or `null`.
  func node(_ key: String) -> JSONNode? {
    guard let value = members.first(where: { $0.key == key })?.value, value != .null else {
      return nil
    }
    return value
  }

  var keys: [String] { members.map(\.key) }

  func string(_ key: String) -> String? {
    guard let node = node(key) else { return nil }
    guard case .string(let value) = node else { return mismatch("a string", node, key) }
    return value
  }

  func bool(_ key: String) -> Bool? {
    guard let node = node(key) else { return nil }
    guard case .bool(let value) = node else { return mismatch("true or false", node, key) }
    return value
  }

  func number(_ key: String) -> Double? {
    guard let node = node(key) else { return nil }
    guard case .number(let text) = node else { return mismatch("a number", node, key) }
    return Double(text)
  }

  func array(_ key: String) -> [JSONNode]? {
    guard let node = node(key) else { return nil }
    guard case .array(let items) = node else { return mismatch("an array", node, key) }
    return items
  }

  func strings(_ key: String) -> [String]? {
    array(key)?.enumerated().compactMap { index, item in
      guard case .string(let value) = item else {
        return mismatch("a string", item, "\(key)[\(index)]")
      }
      return value
    }
  }

  func object(_ key: String) -> ConfigurationReader? {
    node(key).flatMap { ConfigurationReader($0, path: path(to: key), problems: problems) }
  }

  func objects(_ key: String) -> [ConfigurationReader]? {
    array(key)?.enumerated().compactMap { index, item in
      ConfigurationReader(item, path: path(to: "\(key)[\(index)]"), problems: problems)
    }
  }

  /// Reads a string that must be one of the values of `Value`, or of `aliases`, which are older
  /// spellings.
  func choice<Value: RawRepresentable & CaseIterable>(
    _ key: String, _ type: Value.Type, aliases: [String: Value] = [:]
  ) -> Value? where Value.RawValue == String {
    string(key).flatMap { choice(text: $0, key, type, aliases: aliases) }
  }

  func choice<Value: RawRepresentable & CaseIterable>(
    text: String, _ key: String, _ type: Value.Type, aliases: [String: Value] = [:]
  ) -> Value? where Value.RawValue == String {
    if let value = Value(rawValue: text) ?? aliases[text] { return value }
    report(.unknownValue(text, known: Value.allCases.map(\.rawValue)), at: key)
    return nil
  }

  /// Reads an enum with associated values: an object with one member, whose key is the case. A
  /// string is a case without values.
  func variant(_ key: String, _ known: [String]) -> (name: String, values: ConfigurationReader)? {
    guard let node = node(key) else { return nil }
    return variant(of: node, at: path(to: key), known)
  }

  func variant(
    of node: JSONNode, at path: String, _ known: [String]
  ) -> (name: String, values: ConfigurationReader)? {
    var node = node
    if case .string(let name) = node { node = .object([.init(key: name, value: .object([]))]) }
    guard let reader = ConfigurationReader(node, path: path, problems: problems) else { return nil }
    reader.allow(known)
    let members = reader.members.filter { known.contains($0.key) }
    guard members.count == 1, let member = members.first else {
      if reader.members.isEmpty || members.count > 1 {
        reader.report(.notExactlyOne(of: known))
      }
      return nil
    }
    return ConfigurationReader(
      member.value, path: reader.path(to: member.key), problems: problems
    ).map { (member.key, $0) }
  }

  private func mismatch<Value>(_ expected: String, _ found: JSONNode, _ key: String) -> Value? {
    report(.wrongType(expected: [expected], found: found.kindName), at: key)
    return nil
  }
}
