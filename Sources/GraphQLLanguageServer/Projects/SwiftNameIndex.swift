import ApolloCodegenLib
import GraphQLSyntax

/// The names behind a dot in the Swift sources of a project, which are those of the accessors that
/// the sources use, among others.
///
/// Letter case and underscores do not count, because the generator can change them.
struct SwiftNameIndex {
  private struct File {
    let stamp: String?
    let names: Set<String>
  }

  private var files: [String: File] = [:]
  private var names: Set<String> = []

  /// `true` if the project has no Swift sources of its own, so that nothing can be said.
  var isEmpty: Bool { files.isEmpty }

  /// Returns whether the sources use an accessor.
  func contains(_ name: String) -> Bool { names.contains(Self.normalized(name)) }

  /// Reads the sources that have changed, without the generated ones.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the project.
  ///   - fileSystem: The files.
  mutating func update(_ configuration: ProjectConfiguration, _ fileSystem: any FileSystem) {
    let output = Path.join(configuration.root, configuration.value.output.schemaTypes.path)
    // A folder that cannot be read has no sources to look at.
    let paths =
      (try? Glob(["**/*.swift", "!**/*.graphql.swift"], root: configuration.root)
        .files(in: fileSystem)) ?? []
    var found: [String: File] = [:]
    for path in paths where !Path.isInside(path, output) {
      let stamp = fileSystem.stamp(of: path)
      if let known = files[path], known.stamp == stamp, stamp != nil {
        found[path] = known
      } else if let bytes = try? fileSystem.read(path) {
        found[path] = File(stamp: stamp, names: Self.names(in: bytes))
      }
    }
    files = found
    names = found.values.reduce(into: []) { $0.formUnion($1.names) }
  }

  /// Returns the names behind a dot, in comments and texts too.
  static func names(in bytes: [UInt8]) -> Set<String> {
    var names: Set<String> = []
    var position = 0
    while let dot = bytes[position...].firstIndex(of: UInt8(ascii: ".")) {
      var start = dot + 1
      if start < bytes.count, bytes[start] == UInt8(ascii: "`") { start += 1 }
      let name = bytes[start...].prefix(while: isOfName)
      if !name.isEmpty { names.insert(normalized(String(decoding: name, as: UTF8.self))) }
      position = max(dot + 1, name.endIndex)
    }
    return names
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  private static func normalized(_ name: String) -> String {
    name.lowercased().filter { $0 != "_" }
  }
}
