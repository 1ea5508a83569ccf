import GraphQLSyntax

/// The version of the runtime that a project resolved, according to a `Package.resolved`.
///
/// Code that one version generates is meant for the runtime of the same version.
public struct ResolvedRuntime: Hashable, Sendable {
  /// The version, such as `1.2.3`.
  public var version: String
  /// The path of the `Package.resolved`.
  public var path: String

  /// Creates the contents of a file.
  public init(version: String, path: String) {
    self.version = version
    self.path = path
  }

  /// Searches beside a package, in Xcode workspaces and in Xcode projects.
  ///
  /// - Parameter folder: The folder of the package, workspace or project.
  /// - Returns: One element for each file that names a version; a branch, a revision or a folder
  ///   has none. A folder may have several projects, or a file that is no longer used. Therefore
  ///   they need not agree.
  public static func find(in folder: String) -> [ResolvedRuntime] { find(in: folder, Disk()) }

  static func find(in folder: String, _ fileSystem: any FileSystem) -> [ResolvedRuntime] {
    candidates(in: folder, fileSystem).compactMap { path in
      // A file that is missing, cannot be read or is not JSON leaves nothing to compare with.
      guard let bytes = try? fileSystem.read(path),
        // As above: SwiftPM reports a damaged file itself.
        let json = try? IndexedJSON(bytes, style: .written)
      else { return nil }
      return version(in: json.root).map { ResolvedRuntime(version: $0, path: path) }
    }
  }

  private static let file = "Package.resolved"

  private static func candidates(in folder: String, _ fileSystem: any FileSystem) -> [String] {
    // A folder that cannot be listed has no projects.
    let names = ((try? fileSystem.entries(of: folder)) ?? []).map(\.name).sorted()
    let shared = "xcshareddata/swiftpm/\(file)"
    return ["\(folder)/\(file)"]
      + names.filter { $0.hasSuffix(".xcworkspace") }.map { "\(folder)/\($0)/\(shared)" }
      + names.filter { $0.hasSuffix(".xcodeproj") }
      .map { "\(folder)/\($0)/project.xcworkspace/\(shared)" }
  }

  /// Returns the version of the runtime's pin.
  ///
  /// Version 1 of the file has its pins in an object and calls the address `repositoryURL`. Later
  /// versions have them at the top.
  private static func version(in root: IndexedJSON.Value) -> String? {
    let pins = root["pins"] ?? root["object"]?["pins"]
    return pins?.items?.lazy.filter(isRuntime).compactMap { $0["state"]?["version"]?.string }.first
  }

  private static func isRuntime(_ pin: IndexedJSON.Value) -> Bool {
    guard let address = (pin["location"] ?? pin["repositoryURL"])?.string else { return false }
    // Addresses may end in a slash.
    let end = address.lastIndex { $0 != "/" }
    var name = Path.name(of: end.map { String(address[...$0]) } ?? "").lowercased()
    if name.hasSuffix(".git") { name.removeLast(4) }
    return name == "apollo-swift"
  }
}
