import Foundation
import PackagePlugin

/// `swift package apollo install`: builds the tool for release and copies it to a folder of `PATH`,
/// for all projects and all plugins.
struct Installation {
  private static let usage = """
    Builds apollo-cli once and copies it to a folder of PATH. The plugins of projects with this
    version of the package then use the copy instead of building a tool of their own.

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
    print("Building apollo-cli \(InstalledTool.version) for release. This takes a few minutes.")
    let tool = try ToolRun.build(.release, packageManager)
    let copy = folder.appendingPathComponent("apollo-cli")
    do {
      try replace(copy, with: tool)
    } catch {
      throw ToolFailure(
        description: "apollo-cli could not be copied to '\(copy.path)': \(error). Choose another "
          + "folder with --to, or pass '--allow-writing-to-directory \(folder.path)' in front of "
          + "'apollo'.")
    }
    print("Installed \(copy.path).")
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    if !path.split(separator: ":").contains(Substring(folder.path)) {
      print("The folder is not in PATH. Add this line to the file that your shell reads first:")
      print("  export PATH=\"\(folder.path):$PATH\"")
    }
  }

  /// Replaces the copy in one step: a program that runs keeps its own file.
  private func replace(_ copy: URL, with tool: URL) throws {
    let files = FileManager.default
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    let new = folder.appendingPathComponent(
      ".apollo-cli-\(ProcessInfo.processInfo.processIdentifier)")
    try files.copyItem(at: tool, to: new)
    guard rename(new.path, copy.path) == 0 else {
      let code = errno
      // The error of the renaming counts, whatever becomes of the file.
      try? files.removeItem(at: new)
      throw CocoaError(
        .fileWriteUnknown, userInfo: [NSLocalizedDescriptionKey: String(cString: strerror(code))])
    }
  }
}
