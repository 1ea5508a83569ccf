/// The files of the schema's module that belong to the user, as far as hints depend on them.
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
  /// The names of the files of custom scalars.
  let customScalars: Set<String>

  /// Reads the files in the folder of the schema's sources.
  static func read(in folder: String, _ fileSystem: any FileSystem) -> UserFiles {
    // A folder that cannot be listed has no files yet.
    let scalars = (try? fileSystem.entries(of: "\(folder)/Schema/CustomScalars")) ?? []
    return UserFiles(
      configuration: configuration(at: "\(folder)/Schema/SchemaConfiguration.swift", fileSystem),
      customScalars: Set(scalars.map(\.name)))
  }

  private static func configuration(
    at path: String, _ fileSystem: any FileSystem
  ) -> Configuration {
    guard fileSystem.kind(of: path, followingLinks: true) != nil else { return .absent }
    guard let bytes = try? fileSystem.read(path) else { return .unreadable }
    return .text(String(decoding: bytes, as: UTF8.self))
  }
}
