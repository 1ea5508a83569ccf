/// The commands of `apollo-cli` that concern plugins: those that write files, and those that
/// compare versions.
enum WritingCommands {
  /// Returns the name of the command in the arguments of `apollo-cli`, if it writes files with its
  /// options, else `nil`.
  static func command(in arguments: [String]) -> String? {
    let call = withoutLeadingOptions(arguments[...])
    guard let command = call.first else { return nil }
    // An option can have its value behind a '='.
    let options = Set(call.dropFirst().map { String($0.split(separator: "=").first ?? "") })
    func has(_ names: String...) -> Bool { !options.isDisjoint(with: names) }
    guard !has("--help", "-h") else { return nil }
    let isWriting =
      switch command {
      case "init": !has("--print", "-s")
      case "generate": !has("--check", "--dry-run", "-n", "--explain")
      case "format": !has("--check")
      case "validate", "lint": has("--fix")
      case "run": has("--cache")
      // Options of every command can be in front of a subcommand, too.
      case "cache": withoutLeadingOptions(call.dropFirst()).first == "import"
      case "fetch-schema", "generate-operation-manifest", "migrate", "record": true
      default: false
      }
    return isWriting ? command : nil
  }

  /// Returns the arguments with the option that permits any version of the runtime, if the command
  /// compares versions.
  ///
  /// The tool of a plugin belongs to the sources of the package which is depended on, whatever an
  /// old `Package.resolved` says.
  static func ignoringVersions(_ arguments: [String]) -> [String] {
    guard let command = withoutLeadingOptions(arguments[...]).first,
      ["generate", "generate-operation-manifest", "migrate"].contains(command)
    else { return arguments }
    return arguments + ["--ignore-version-mismatch"]
  }

  /// Returns the arguments from the command on. Options of every command can be in front of it.
  private static func withoutLeadingOptions(
    _ arguments: ArraySlice<String>
  ) -> ArraySlice<String> {
    var rest = arguments
    while let first = rest.first, first.hasPrefix("-") {
      rest = rest.dropFirst(first == "--color" ? 2 : 1)
    }
    return rest
  }
}
