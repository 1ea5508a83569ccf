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
    for folder in [root, ownSources] {
      let all = Self.files(matching: Self.components(of: "**/*", in: folder))
      paths.formUnion(all.filter { path in Self.endings.contains { path.hasSuffix($0) } })
    }
    for searchPath in searchPaths where !searchPath.hasPrefix("!") {
      for pattern in Self.alternatives(of: searchPath) {
        paths.formUnion(Self.files(matching: Self.components(of: pattern, in: root)))
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
}

// MARK: - Search

/// A search like that of the generator, whose `Glob` a plugin cannot import: it enters the same
/// folders, and finds at least the same files.
extension PluginInputs {
  /// The endings of files that matter although no search path matches them.
  private static let endings = [".gql", ".graphql", ".graphqls", ".json", ".sdl", ".swift"]
  /// Folders that wildcards do not enter, besides hidden ones. A pattern can name them.
  private static let skipped: Set = ["build", "DerivedData", "node_modules"]

  /// Returns the patterns that one with alternatives in braces means, as `Glob` reads them.
  private static func alternatives(of pattern: String) -> [String] {
    var start = pattern.startIndex
    while let open = pattern[start...].firstIndex(of: "{") {
      var depth = 0
      var parts: [Substring] = []
      var begin = pattern.index(after: open)
      for index in pattern[open...].indices {
        switch pattern[index] {
        case "{": depth += 1
        case "}": depth -= 1
        case ",": break
        default: continue
        }
        guard depth == 0 || (depth == 1 && pattern[index] == ",") else { continue }
        parts.append(pattern[begin..<index])
        begin = pattern.index(after: index)
        if depth == 0 { break }
      }
      if depth == 0, parts.count > 1 {
        let (head, tail) = (pattern[..<open], pattern[begin...])
        return parts.flatMap { alternatives(of: "\(head)\($0)\(tail)") }
      }
      start = pattern.index(after: open)
    }
    return [pattern]
  }

  /// Returns the components of the absolute path of a pattern, without `.` and `..`.
  private static func components(of pattern: String, in folder: URL) -> ArraySlice<String> {
    var components: [String] = []
    let isAbsolute = pattern.hasPrefix("/")
    let path = isAbsolute ? pattern : "\(folder.standardizedFileURL.path)/\(pattern)"
    for component in path.split(separator: "/") where component != "." {
      if component == ".." {
        _ = components.popLast()
      } else {
        components.append(String(component))
      }
    }
    return components[...]
  }

  private static func files(matching pattern: ArraySlice<String>) -> Set<String> {
    var paths: Set<String> = []
    walk("", pattern, into: &paths)
    return paths
  }

  /// Adds the files of a folder that match what is left of a pattern.
  private static func walk(
    _ folder: String, _ pattern: ArraySlice<String>, into paths: inout Set<String>
  ) {
    guard let component = pattern.first else { return }
    let rest = pattern.dropFirst()
    guard component.contains(where: isWildcard) else {
      let path = "\(folder)/\(component)"
      if !rest.isEmpty {
        walk(path, rest, into: &paths)
      } else if isFile(path) {
        paths.insert(path)
      }
      return
    }
    if component == "**" { walk(folder, rest, into: &paths) }
    // The generator reports a folder that cannot be read.
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "/" : folder)
    for name in names ?? [] where canMatch(name, component) {
      let path = "\(folder)/\(name)"
      if rest.isEmpty {
        if isFile(path) { paths.insert(path) }
      } else if !name.hasPrefix("."), !skipped.contains(name), isFolder(path) {
        walk(path, component == "**" ? pattern : rest, into: &paths)
      }
    }
  }

  private static func isWildcard(_ character: Character) -> Bool {
    character == "*" || character == "?"
  }

  /// Returns whether a name begins and ends like a pattern.
  private static func canMatch(_ name: String, _ pattern: String) -> Bool {
    let fixed = pattern.split(omittingEmptySubsequences: false, whereSeparator: isWildcard)
    guard let head = fixed.first, let tail = fixed.last else { return false }
    return name.utf8.starts(with: head.utf8)
      && name.utf8.reversed().starts(with: tail.utf8.reversed())
  }

  /// Returns whether there is a file, or a link to one.
  private static func isFile(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return exists && !isFolder.boolValue
  }

  /// Returns whether there is a folder. A link to one is none.
  private static func isFolder(_ path: String) -> Bool {
    // What cannot be read has no files.
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.type] as? FileAttributeType == .typeDirectory
  }
}
