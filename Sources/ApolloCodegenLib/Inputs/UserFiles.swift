/// The user's files among the sources of the schema's module, as far as hints depend on them.
///
/// They are read before anything is named, so that the later stages depend on values alone.
struct UserFiles {
  /// The contents of `SchemaConfiguration.swift`.
  enum Configuration {
    case absent
    /// The file may hold code of the user.
    case unreadable
    case text(String)
  }

  let configuration: Configuration
  /// The path of `SchemaConfiguration.swift`.
  let configurationPath: String
  /// The paths of the files of custom scalars, with their texts.
  let customScalars: [String: String]

  /// The files of a module without sources of the user.
  static let none = UserFiles(
    configuration: .absent, configurationPath: "SchemaConfiguration.swift", customScalars: [:])

  /// Reads the files in the folder of the schema's sources.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - target: The folder and the namespace of a schema that is embedded in a target, or `nil`.
  ///   - fileSystem: The file system.
  /// - Returns: The files.
  static func read(
    in folder: String, embeddedIn target: (folder: String, namespace: String)?,
    _ fileSystem: any FileSystem
  ) -> UserFiles {
    var path = "\(folder)/Schema/SchemaConfiguration.swift"
    if let target, fileSystem.kind(of: path, followingLinks: true) == nil {
      path = configurationPath(in: target.folder, of: target.namespace, fileSystem) ?? path
    }
    return UserFiles(
      configuration: configuration(at: path, fileSystem), configurationPath: path,
      customScalars: scalars(in: "\(folder)/Schema/CustomScalars", fileSystem))
  }

  /// Reads the files in a target with the build plugin, which has no generated folder.
  ///
  /// Custom scalars are not looked for: a build plugin has written none.
  ///
  /// - Parameters:
  ///   - target: The folder of the target's own sources.
  ///   - namespace: The namespace of a schema that is embedded in the target, or `nil`.
  ///   - fileSystem: The file system.
  /// - Returns: The files.
  static func read(
    inTarget target: String, namespace: String?, _ fileSystem: any FileSystem
  ) -> UserFiles {
    let path =
      configurationPath(in: target, of: namespace, fileSystem)
      ?? "\(target)/SchemaConfiguration.swift"
    return UserFiles(
      configuration: configuration(at: path, fileSystem), configurationPath: path,
      customScalars: [:])
  }

  /// Returns the path of `SchemaConfiguration.swift` in a target, at any depth. With a namespace,
  /// the file extends it.
  private static func configurationPath(
    in target: String, of namespace: String?, _ fileSystem: any FileSystem
  ) -> String? {
    let glob = Glob(trusting: ["**/SchemaConfiguration.swift"], root: target)
    // A folder that cannot be read has no file that a hint could name.
    let paths = (try? glob.files(in: fileSystem)) ?? []
    guard let namespace else { return paths.first }
    return paths.first { path in
      guard case .text(let text) = configuration(at: path, fileSystem) else { return true }
      // Another one belongs to another schema.
      let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      return zip(words, words.dropFirst()).contains { $0 == "extension" && $1 == namespace }
    }
  }

  private static func scalars(
    in folder: String, _ fileSystem: any FileSystem
  ) -> [String: String] {
    // A folder that cannot be listed has no files yet.
    let entries = (try? fileSystem.entries(of: folder)) ?? []
    var texts: [String: String] = [:]
    for entry in entries where entry.kind == .file && entry.name.hasSuffix(".swift") {
      let path = "\(folder)/\(entry.name)"
      // A file that cannot be read is no file of a scalar that is gone.
      guard let bytes = try? fileSystem.read(path) else { continue }
      texts[path] = String(decoding: bytes, as: UTF8.self)
    }
    return texts
  }

  private static func configuration(
    at path: String, _ fileSystem: any FileSystem
  ) -> Configuration {
    guard fileSystem.kind(of: path, followingLinks: true) != nil else { return .absent }
    // The error itself says nothing about hints: it is enough that the contents are unknown.
    guard let bytes = try? fileSystem.read(path) else { return .unreadable }
    return .text(String(decoding: bytes, as: UTF8.self))
  }
}
