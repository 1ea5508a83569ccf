/// Recognizes the files that the generators of Apollo iOS write.
enum ApolloIOSFile {
  private static let header = "// @generated"

  /// Returns `true` for a file that Apollo iOS would overwrite: generated Swift, or the manifest of
  /// a generated package.
  ///
  /// Files that users may edit, such as those of custom scalars, say so in their third line.
  static func isGenerated(_ bytes: [UInt8]) -> Bool {
    let start = String(decoding: bytes.prefix(2_000), as: UTF8.self)
    let lines = start.split(maxSplits: 2, whereSeparator: \.isNewline)
    guard let first = lines.first else { return false }
    if first == header {
      return lines.count > 1
        && lines[1].drop { $0 == "/" || $0 == " " }
          == "This file was automatically generated and should not be edited."
    }
    return first.hasPrefix("// swift-tools-version:") && isManifest(start)
  }

  /// Returns `true` for the text of the manifest of a generated package.
  ///
  /// It has no header. Only one that needs Apollo iOS can be that of its module. The configuration
  /// chooses the folder or the address of the runtime; the product that the module needs and the
  /// folder of its sources are always the same.
  private static func isManifest(_ text: String) -> Bool {
    text.contains(".package(url: \"https://github.com/apollographql/apollo-ios")
      || text.contains(".product(name: \"ApolloAPI\", package: \"apollo-ios\")")
        && text.contains("path: \"./Sources\"")
  }

  /// Returns `true` for a file that Apollo iOS 0.x generated. There, one file has all models, or
  /// each operation has one beside it, and both need the module of the client.
  static func isOfVersion0(_ bytes: [UInt8]) -> Bool {
    let start = bytes.prefix(2_000)
    guard start.starts(with: header.utf8) else { return false }
    return String(decoding: start, as: UTF8.self).split(whereSeparator: \.isNewline)
      .contains("import Apollo")
  }

  /// Returns `true` for a file that Apollo iOS 1 or 2 writes once, for users to edit.
  static func isEditable(_ bytes: [UInt8]) -> Bool {
    let lines = String(decoding: bytes.prefix(200), as: UTF8.self)
      .split(maxSplits: 2, whereSeparator: \.isNewline)
    return lines.first.map { $0 == header } ?? false
      && lines.dropFirst().first.map { $0.contains("automatically generated and can be edited") }
        ?? false
  }
}
