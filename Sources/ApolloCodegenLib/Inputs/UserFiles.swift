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
  /// The paths of the files of custom scalars, with their texts.
  let customScalars: [String: String]

  /// Reads the files in the folder of the schema's sources.
  static func read(in folder: String, _ fileSystem: any FileSystem) -> UserFiles {
    UserFiles(
      configuration: configuration(at: "\(folder)/Schema/SchemaConfiguration.swift", fileSystem),
      customScalars: scalars(in: "\(folder)/Schema/CustomScalars", fileSystem))
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
