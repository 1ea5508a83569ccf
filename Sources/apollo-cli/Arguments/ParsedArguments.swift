import ApolloCodegenLib

/// The declaration of an option: `--name`, possibly `-n`, possibly with a value.
struct OptionDeclaration {
  var name: String
  var letter: Character?
  /// The name of the value in the help, such as `PATH`, or `nil` for a flag.
  var value: String?
  var help: String
  /// Older spellings that are still accepted.
  var aliases: [String]

  init(
    _ name: String, _ letter: Character? = nil, value: String? = nil, aliases: [String] = [],
    _ help: String
  ) {
    self.name = name
    self.letter = letter
    self.value = value
    self.help = help
    self.aliases = aliases
  }
}

/// The arguments of a command, separated into options and operands.
///
/// Accepts `--name value`, `--name=value`, `-n value`, `-n=value`, and `--` before operands that
/// start with `-`.
struct ParsedArguments {
  private var values: [String: [String]] = [:]
  private(set) var operands: [String] = []

  init(
    _ arguments: [String], options: [OptionDeclaration], operands: String?
  ) throws(CommandFailure) {
    let options = options + [OptionDeclaration("help", "h", "Show this help.")]
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
      let option = try Self.find(String(parts[0]), options)
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
    if operands == nil, let extra = self.operands.first {
      throw CommandFailure("Unexpected argument '\(extra)'.")
    }
  }

  func has(_ name: String) -> Bool { values[name] != nil }

  /// Returns the last value of an option.
  func value(_ name: String) -> String? { values[name]?.last }

  func values(_ name: String) -> [String] { values[name] ?? [] }

  private static func find(
    _ text: String, _ options: [OptionDeclaration]
  ) throws(CommandFailure) -> OptionDeclaration {
    for option in options {
      let names = ([option.name] + option.aliases).map { "--\($0)" }
      if names.contains(text) || option.letter.map({ "-\($0)" }) == text { return option }
    }
    let hint = Spelling.nearest(to: text, in: options.map { "--\($0.name)" })
    throw CommandFailure("Unknown option '\(text)'.\(hint.map { " Did you mean '\($0)'?" } ?? "")")
  }
}
