/// The declaration of an option: `--name`, possibly `-n`, possibly with a value.
struct OptionDeclaration {
  var name: String
  var letter: Character?
  /// The name of the value in the help, such as `PATH`, or `nil` for a flag.
  var value: String?
  /// The kind of the value, for completions.
  var kind: ValueKind
  /// The value that is used without the option, for the help.
  var defaultValue: String?
  var help: String
  /// Older spellings that are still accepted.
  var aliases: [String]

  init(
    _ name: String, _ letter: Character? = nil, value: String? = nil, of kind: ValueKind = .text,
    default defaultValue: String? = nil, aliases: [String] = [], _ help: String
  ) {
    self.name = name
    self.letter = letter
    self.value = value
    self.kind = kind
    self.defaultValue = defaultValue
    self.help = help
    self.aliases = aliases
  }

  /// The help with the values that are possible and the one that is used by default.
  var fullHelp: String {
    var remarks: [String] = []
    if case .oneOf(let values) = kind {
      remarks.append("values: \(values.joined(separator: ", "))")
    }
    if let defaultValue { remarks.append("default: \(defaultValue)") }
    return remarks.isEmpty ? help : "\(help) (\(remarks.joined(separator: "; ")))"
  }

  /// Option and value as in the help: `-p, --path FILE`.
  var label: String {
    let short = letter.map { "-\($0), " } ?? "    "
    return short + "--\(name)" + (value.map { " \($0)" } ?? "")
  }
}

/// The kind of a value, which decides about its completion.
enum ValueKind: Hashable {
  case text
  case file
  case folder
  case oneOf([String])
}

/// The declaration of the arguments that are not options.
struct OperandDeclaration {
  /// The arguments in the usage line, such as `[PATH…]`.
  var usage: String
  var help: String
  var kind: ValueKind

  init(_ usage: String, of kind: ValueKind = .file, _ help: String) {
    self.usage = usage
    self.kind = kind
    self.help = help
  }
}

/// The options that every command has.
enum GlobalOptions {
  static let quiet = OptionDeclaration(
    "quiet", "q", "Print errors, warnings and results, and nothing else.")
  static let color = OptionDeclaration(
    "color", value: "WHEN", of: .oneOf(ColorChoice.allCases.map(\.rawValue)), default: "auto",
    "When to use colors.")
  static let help = OptionDeclaration("help", "h", "Show help.")

  static let all = [quiet, color, help]
}

/// The choice of when output is colored.
enum ColorChoice: String, CaseIterable {
  /// On a terminal, unless the variable `NO_COLOR` is set.
  case auto
  case always
  case never
}
