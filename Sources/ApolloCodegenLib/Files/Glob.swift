/// A search for files by patterns.
///
/// `*` and `?` match inside of a path component, `**` matches any number of folders, `{a,b}` are
/// alternatives, and `!` in front excludes: the files that match, or all files of a folder that is
/// named without wildcards. Wildcards match neither hidden folders nor those of build systems and
/// package managers (`build`, `DerivedData`, `node_modules`), and do not follow links to folders. A
/// pattern can name such a folder. The path of the root folder has no wildcards.
///
/// ```swift
/// let paths = try Glob(["**/*.graphql", "!Tests/**"], root: "/project").files(in: Disk())
/// ```
package struct Glob: Sendable {
  /// A search path with a `!` that is not its first character.
  package struct InvalidPattern: Error, Hashable, Sendable, CustomStringConvertible {
    package var pattern: String

    package init(pattern: String) { self.pattern = pattern }

    /// The problem, and the way to fix it.
    package var description: String {
      "The search path '\(pattern)' has a '!' that is not its first character. "
        + "Put '!' in front to exclude files."
    }
  }

  private static let skippedFolders: Set<String> = ["build", "DerivedData", "node_modules"]

  /// Patterns for the files of the same folders, which one search finds.
  private struct Search {
    /// The folder to start in, empty for the root of the file system.
    var start: String
    /// The pattern of the folders below it.
    var folders: [String]
    /// The patterns of the names of files.
    var names: [String]
  }

  private let included: [Pattern]
  private let excluded: [Pattern]

  package init(_ patterns: [String], root: String) throws(InvalidPattern) {
    for pattern in patterns where pattern.dropFirst().contains("!") {
      throw InvalidPattern(pattern: pattern)
    }
    self.init(trusting: patterns.flatMap(Self.alternatives(of:)), root: root)
  }

  /// Creates a search with patterns that are not user input: braces, and a `!` after the first
  /// character, are part of a name.
  package init(trusting patterns: [String], root: String) {
    self.init(
      including: patterns.filter { !$0.hasPrefix("!") }.map { Pattern($0, root: root) },
      excluding: patterns.filter { $0.hasPrefix("!") }.map {
        Pattern($0.dropFirst(), root: root).includingFolder
      })
  }

  init(including included: [Pattern], excluding excluded: [Pattern]) {
    self.included = included
    self.excluded = excluded
  }

  /// Returns the files that match, as absolute paths, sorted and unique.
  ///
  /// - Throws: ``DiskError`` if a folder cannot be read. A folder that does not exist has no files.
  package func files(in fileSystem: any FileSystem) throws(DiskError) -> [String] {
    var found: Set<String> = []
    for search in searches {
      try walk(search.start, search.folders[...], search.names, fileSystem, into: &found)
    }
    guard !excluded.isEmpty else { return found.sorted() }
    return found.filter { path in
      let components = path.split(separator: "/").map(String.init)
      return !excluded.contains { $0.matches(components) }
    }.sorted()
  }

  /// Returns `true` if an absolute path matches, whether or not there is such a file.
  package func matches(_ path: String) -> Bool {
    let components = path.split(separator: "/").map(String.init)
    return included.contains { $0.matches(components, skipsFolders: true) }
      && !excluded.contains { $0.matches(components) }
  }

  /// Returns the folder below which all files of a pattern are. Braces are part of a name: see
  /// ``alternatives(of:)``.
  package static func base(of pattern: String, root: String) -> String {
    let pattern = Pattern(pattern, root: root)
    let fixed = pattern.components.dropLast().prefix { !isPattern($0) }
    return "/" + (pattern.folder + fixed).joined(separator: "/")
  }

  /// The searches of all patterns.
  private var searches: [Search] {
    var searches: [Search] = []
    for pattern in included {
      guard let name = pattern.components.last else { continue }
      let start = pattern.folder.map { "/\($0)" }.joined()
      let folders = Array(pattern.components.dropLast())
      if let index = searches.firstIndex(where: { $0.start == start && $0.folders == folders }) {
        searches[index].names.append(name)
      } else {
        searches.append(Search(start: start, folders: folders, names: [name]))
      }
    }
    return searches
  }

  private func walk(
    _ directory: String, _ pattern: ArraySlice<String>, _ names: [String],
    _ fileSystem: any FileSystem, into found: inout Set<String>
  ) throws(DiskError) {
    guard let component = pattern.first else {
      return try addFiles(of: directory, names, fileSystem, into: &found)
    }
    let rest = pattern.dropFirst()
    guard Self.isPattern(component) else {
      return try walk("\(directory)/\(component)", rest, names, fileSystem, into: &found)
    }
    if component == "**" { try walk(directory, rest, names, fileSystem, into: &found) }
    for entry in try Self.entries(of: directory, fileSystem)
    where entry.kind == .directory && !Self.isSkipped(entry.name) {
      let path = "\(directory)/\(entry.name)"
      if component == "**" {
        try walk(path, pattern, names, fileSystem, into: &found)
      } else if Self.matches(entry.name, component) {
        try walk(path, rest, names, fileSystem, into: &found)
      }
    }
  }

  /// Adds the files of a folder whose names match.
  private func addFiles(
    of directory: String, _ names: [String], _ fileSystem: any FileSystem,
    into found: inout Set<String>
  ) throws(DiskError) {
    func add(_ path: String) {
      if fileSystem.kind(of: path, followingLinks: true) == .file { found.insert(path) }
    }
    for name in names where !Self.isPattern(name) { add("\(directory)/\(name)") }
    // Of folders alone, at the end of a pattern, no file is a match.
    let patterns = names.filter { Self.isPattern($0) && $0 != "**" }
    guard !patterns.isEmpty else { return }
    for entry in try Self.entries(of: directory, fileSystem)
    where patterns.contains(where: { Self.matches(entry.name, $0) }) {
      let path = "\(directory)/\(entry.name)"
      if entry.kind == .file { found.insert(path) } else { add(path) }
    }
  }

  /// Returns the members of a folder, none if there is no folder.
  private static func entries(
    of directory: String, _ fileSystem: any FileSystem
  ) throws(DiskError) -> [DirectoryEntry] {
    let folder = directory.isEmpty ? "/" : directory
    guard fileSystem.kind(of: folder, followingLinks: true) == .directory else { return [] }
    return try fileSystem.entries(of: folder)
  }

  private static func isSkipped(_ folder: String) -> Bool {
    folder.utf8.first == UInt8(ascii: ".") || skippedFolders.contains(folder)
  }

  /// Returns `true` if a component of a pattern has wildcards.
  static func isPattern(_ component: String) -> Bool {
    component.utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }
  }

  // MARK: - Matching

  /// Compares a path with a pattern.
  ///
  /// - Parameters:
  ///   - path: The components of the path.
  ///   - pattern: The components of the pattern.
  ///   - skipsFolders: `true` if wildcards do not match the folders that a search skips.
  /// - Returns: `true` if the path matches.
  static func matches(
    _ path: ArraySlice<String>, _ pattern: ArraySlice<String>, skipsFolders: Bool = false
  ) -> Bool {
    guard let component = pattern.first else { return path.isEmpty }
    let isSkipped = skipsFolders && path.count > 1 && isSkipped(path.first ?? "")
    if component == "**" {
      return matches(path, pattern.dropFirst(), skipsFolders: skipsFolders)
        || (!path.isEmpty && !isSkipped
          && matches(path.dropFirst(), pattern, skipsFolders: skipsFolders))
    }
    guard let name = path.first, matches(name, component), !isSkipped || !isPattern(component)
    else { return false }
    return matches(path.dropFirst(), pattern.dropFirst(), skipsFolders: skipsFolders)
  }

  /// Returns `true` if a name matches a pattern of `*`, `?` and literal characters.
  ///
  /// - Complexity: O(*n* × *m*).
  static func matches(_ name: String, _ pattern: String) -> Bool {
    // `?` matches a scalar, which is a byte of an ASCII name.
    guard name.utf8.allSatisfy({ $0 < 0x80 }) else {
      return matches(
        Array(name.unicodeScalars), Array(pattern.unicodeScalars), anyText: "*", any: "?")
    }
    var (name, pattern) = (name, pattern)
    return name.withUTF8 { name in
      pattern.withUTF8 {
        matches(name, $0, anyText: UInt8(ascii: "*"), any: UInt8(ascii: "?"))
      }
    }
  }

  private static func matches<Text: RandomAccessCollection<Element>, Element: Equatable>(
    _ name: Text, _ pattern: Text, anyText: Element, any: Element
  ) -> Bool where Text.Index == Int {
    var (n, p) = (0, 0)
    var star: (pattern: Int, name: Int)?
    while n < name.count {
      if p < pattern.count, pattern[p] == anyText {
        star = (p, n)
        p += 1
      } else if p < pattern.count, pattern[p] == any || pattern[p] == name[n] {
        n += 1
        p += 1
      } else if let last = star {
        star = (last.pattern, last.name + 1)
        n = last.name + 1
        p = last.pattern + 1
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy { $0 == anyText }
  }
}
