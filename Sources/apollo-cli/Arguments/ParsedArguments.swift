import ApolloCodegenLib

/// The arguments of a command, separated into options and operands.
///
/// Accepts `--name value`, `--name=value`, `-n value`, `-n=value`, and `--` before operands that
/// start with `-`.
struct ParsedArguments {
  private var values: [String: [String]] = [:]
  private(set) var operands: [String] = []

  /// Parses the arguments of `command`.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after the name of the command.
  ///   - command: The command.
  ///   - path: The names that lead to the command, such as `schema diff`.
  /// - Throws: ``CommandFailure`` if an option is unknown or lacks its value, or if an argument is
  ///   not expected.
  init(
    _ arguments: [String], of command: any Command.Type, named path: String
  ) throws(CommandFailure) {
    let options = command.allOptions
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        self.operands += rest
        break
      }
      guard argument.hasPrefix("-"), argument != "-" else {
        self.operands.append(argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let option = try Self.find(String(parts[0]), options, path)
      let inline = parts.count == 2 ? String(parts[1]) : nil
      guard let valueName = option.value else {
        guard inline == nil else { throw CommandFailure("\(parts[0]) takes no value.") }
        values[option.name, default: []].append("")
        continue
      }
      guard let value = inline ?? rest.popFirst() else {
        throw CommandFailure("\(parts[0]) needs a value: \(parts[0]) \(valueName)")
      }
      values[option.name, default: []].append(value)
    }
    if command.operands == nil, !has("help"), let extra = self.operands.first {
      throw CommandFailure(
        "Unexpected argument '\(extra)'. Run 'apollo-cli \(path) --help' for its usage.")
    }
  }

  func has(_ name: String) -> Bool { values[name] != nil }

  /// Returns the last value of an option.
  func value(_ name: String) -> String? { values[name]?.last }

  func values(_ name: String) -> [String] { values[name] ?? [] }

  /// Returns the last value of an option that must be one of the values of `Value`.
  func choice<Value: RawRepresentable & CaseIterable>(
    _ name: String, _ type: Value.Type
  ) throws(CommandFailure) -> Value? where Value.RawValue == String {
    guard let text = value(name) else { return nil }
    guard let choice = Value(rawValue: text) else {
      let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandFailure("--\(name) cannot be '\(text)'. Use one of \(known).")
    }
    return choice
  }

  /// Returns the last value of an option that must be a positive number.
  func number(_ name: String) throws(CommandFailure) -> Int? {
    guard let text = value(name) else { return nil }
    guard let number = Int(text), number > 0 else {
      throw CommandFailure("--\(name) needs a positive number, not '\(text)'.")
    }
    return number
  }

  private static func find(
    _ text: String, _ options: [OptionDeclaration], _ path: String
  ) throws(CommandFailure) -> OptionDeclaration {
    for option in options {
      let names = ([option.name] + option.aliases).map { "--\($0)" }
      if names.contains(text) || option.letter.map({ "-\($0)" }) == text { return option }
    }
    let hint = Spelling.nearest(to: text, in: options.map { "--\($0.name)" })
    throw CommandFailure(
      "Unknown option '\(text)'."
        + (hint.map { " Did you mean '\($0)'?" }
          ?? " Run 'apollo-cli \(path) --help' for all options."))
  }
}
