import Foundation
import PackagePlugin

/// `swift package apollo install`: builds the tool for release and copies it to a folder of `PATH`,
/// for all projects and all plugins.
struct Installation {
  private static let usage = """
    Builds apollo-cli once and copies it to a folder of PATH. The plugins of projects with this
    revision of the package then use the copy instead of building a tool of their own.

    USAGE: swift package --allow-writing-to-package-directory apollo install [--to FOLDER]

    OPTIONS:
      --to FOLDER   The folder of the copy (default: ~/.local/bin)
      -h, --help    Show help.

    Where the Swift Package Manager runs plugins in a sandbox, as on macOS, also pass
    --allow-writing-to-directory FOLDER in front of 'apollo'.
    """

  private var folder = InstalledTool.defaultFolder
  private var showsHelp = false

  init(_ arguments: ArraySlice<String>) throws {
    var rest = arguments
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": showsHelp = true
      case "--to":
        guard let path = rest.popFirst() else {
          throw ToolFailure(description: "--to needs a value: --to FOLDER")
        }
        folder = URL(fileURLWithPath: path, isDirectory: true)
      default:
        throw ToolFailure(description: "Unexpected argument '\(argument)'.\n\(Self.usage)")
      }
    }
  }

  func perform(_ packageManager: PackageManager) throws {
    guard !showsHelp else { return print(Self.usage) }
    guard let name = InstalledTool.name else {
      throw ToolFailure(
        description: "The sources of apollo-cli could not be read. Run 'swift package clean' and "
          + "install it again.")
    }
    print("Building apollo-cli \(InstalledTool.version) for release. This takes a few minutes.")
    let tool = try ToolRun.build(.release, packageManager)
    guard name == InstalledTool.name else {
      throw ToolFailure(
        description: "The sources of apollo-cli changed while it was built. Install it again.")
    }
    let command = folder.appendingPathComponent("apollo-cli")
    do {
      try install(tool, as: name, command: command)
    } catch {
      throw ToolFailure(
        description: "apollo-cli could not be copied to '\(folder.path)': \(error). Choose another "
          + "folder with --to, or pass '--allow-writing-to-directory \(folder.path)' in front of "
          + "'apollo'.")
    }
    print("Installed \(command.path).")
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    if !path.split(separator: ":").contains(Substring(folder.path)) {
      print("The folder is not in PATH. Add this line to the file that your shell reads first:")
      print("  export PATH=\"\(folder.path):$PATH\"")
    }
  }

  /// Copies the tool, and then lets the command be a link to the copy.
  private func install(_ tool: URL, as name: String, command: URL) throws {
    let files = FileManager.default
    let copies = folder.appendingPathComponent(InstalledTool.copies)
    try files.createDirectory(at: copies, withIntermediateDirectories: true)
    try replace(copies.appendingPathComponent(name)) { try files.copyItem(at: tool, to: $0) }
    try replace(command) {
      try files.createSymbolicLink(
        atPath: $0.path, withDestinationPath: "\(InstalledTool.copies)/\(name)")
    }
  }

  /// Replaces a file in one step: a program that runs keeps its own file.
  private func replace(_ file: URL, make: (URL) throws -> Void) throws {
    // In containers, a process often has the number of an earlier one, which may have been killed.
    let new = file.deletingLastPathComponent().appendingPathComponent(
      ".apollo-cli-\(UUID().uuidString)")
    // Nothing is left there unless something failed, and that error counts.
    defer { try? FileManager.default.removeItem(at: new) }
    try make(new)
    guard rename(new.path, file.path) == 0 else {
      let code = errno
      throw CocoaError(
        .fileWriteUnknown, userInfo: [NSLocalizedDescriptionKey: String(cString: strerror(code))])
    }
  }
}
