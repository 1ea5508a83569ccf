import Foundation

/// The files that the code of a target depends on. A build generates the code again when one of
/// them changes.
///
/// They are below the folder of the configuration and that of the target's own sources, and where
/// the search paths of the configuration lead: several targets can share a schema. A file too many
/// only costs a run; a missing one hides a change.
struct PluginInputs {
  private let configuration: URL
  private let ownSources: URL

  init(_ configuration: URL, ownSources: URL) {
    self.configuration = configuration
    self.ownSources = ownSources
  }

  /// The files, sorted by path.
  var files: [URL] {
    var paths: Set<String> = []
    for folder in [root, ownSources] { paths.formUnion(Self.files(below: folder)) }
    for searchPath in searchPaths where !searchPath.hasPrefix("!") {
      let components = searchPath.split(separator: "/", omittingEmptySubsequences: false)
      let fixed = components.prefix { component in
        !component.contains { "*?{".contains($0) }
      }
      // Then it leads to the folder of the configuration.
      if fixed.isEmpty { continue }
      let place = URL(fileURLWithPath: fixed.joined(separator: "/"), relativeTo: root)
        .standardizedFileURL
      if fixed.count == components.count {
        // A file can have any ending.
        if FileManager.default.fileExists(atPath: place.path) { paths.insert(place.path) }
      } else {
        paths.formUnion(Self.files(below: place))
      }
    }
    return paths.sorted().map { URL(fileURLWithPath: $0) }
  }

  private var root: URL { configuration.deletingLastPathComponent() }

  // MARK: - Search paths

  private struct Configuration: Decodable {
    struct Input: Decodable {
      var schemaPath: String?
      var schemaSearchPaths: [String]?
      var operationSearchPaths: [String]?
    }

    var input: Input?
  }

  /// The search paths; none if the configuration has errors, which the generator reports.
  private var searchPaths: [String] {
    let decoder = JSONDecoder()
    // Because a configuration can have trailing commas.
    decoder.allowsJSON5 = true
    guard let data = try? Data(contentsOf: configuration),
      let input = (try? decoder.decode(Configuration.self, from: data))?.input
    else { return [] }
    return (input.schemaSearchPaths ?? input.schemaPath.map { [$0] } ?? [])
      + (input.operationSearchPaths ?? [])
  }

  // MARK: - Files

  private static let kinds: Set = ["gql", "graphql", "graphqls", "json", "sdl", "swift"]
  /// Folders that search paths do not enter either.
  private static let skipped: Set = ["build", "DerivedData", "node_modules"]

  private static func files(below folder: URL) -> [String] {
    guard
      let found = FileManager.default.enumerator(
        at: folder, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
    else { return [] }
    var paths: [String] = []
    for case let url as URL in found {
      if skipped.contains(url.lastPathComponent) { found.skipDescendants() }
      if kinds.contains(url.pathExtension) { paths.append(url.standardizedFileURL.path) }
    }
    return paths
  }
}
