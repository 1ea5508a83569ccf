/// A search for files by patterns.
///
/// `*` and `?` match inside of a path component, `**` matches any number of folders, `{a,b}` are
/// alternatives, and `!` in front excludes. Wildcards do not match build folders, and do not follow
/// links to folders.
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

  private static let skippedFolders: Set<String> = [".build", ".swiftpm", ".Pods", ".git"]

  private let root: String
  private let included: [[String]]
  private let excluded: [[String]]

  package init(_ patterns: [String], root: String) throws(InvalidPattern) {
    for pattern in patterns where pattern.dropFirst().contains("!") {
      throw InvalidPattern(pattern: pattern)
    }
    self.init(trusting: patterns.flatMap(Self.alternatives(of:)), root: root)
  }

  /// Creates a search with patterns that are not user input: braces, and a `!` after the first
  /// character, are part of a name.
  package init(trusting patterns: [String], root: String) {
    self.root = root
    func components(_ pattern: some StringProtocol) -> [String] {
      Path.join(root, String(pattern)).split(separator: "/").map(String.init)
    }
    included = patterns.filter { !$0.hasPrefix("!") }.map(components)
    excluded = patterns.filter { $0.hasPrefix("!") }.map { components($0.dropFirst()) }
  }

  /// Returns the files that match, as absolute paths, sorted and unique.
  ///
  /// - Throws: ``DiskError`` if a folder cannot be read. A folder that does not exist has no files.
  package func files(in fileSystem: any FileSystem) throws(DiskError) -> [String] {
    var found: Set<String> = []
    for pattern in included {
      try walk("", pattern[...], fileSystem, into: &found)
    }
    guard !excluded.isEmpty else { return found.sorted() }
    return found.filter { path in
      let components = path.split(separator: "/").map(String.init)
      return !excluded.contains { Self.matches(components[...], $0[...]) }
    }.sorted()
  }

  /// Returns `true` if an absolute path matches, whether or not there is such a file.
  package func matches(_ path: String) -> Bool {
    let components = path.split(separator: "/").map(String.init)
    return included.contains { Self.matches(components[...], $0[...]) }
      && !excluded.contains { Self.matches(components[...], $0[...]) }
  }

  private func walk(
    _ directory: String, _ pattern: ArraySlice<String>, _ fileSystem: any FileSystem,
    into found: inout Set<String>
  ) throws(DiskError) {
    guard let component = pattern.first else { return }
    let rest = pattern.dropFirst()
    let isName = !component.utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }
    if isName {
      return try visit("\(directory)/\(component)", rest, fileSystem, into: &found)
    }
    if component == "**" { try walk(directory, rest, fileSystem, into: &found) }
    let folder = directory.isEmpty ? "/" : directory
    guard fileSystem.kind(of: folder, followingLinks: true) == .directory else { return }
    for entry in try fileSystem.entries(of: folder) {
      let path = "\(directory)/\(entry.name)"
      let isFolder = entry.kind == .directory && !Self.skippedFolders.contains(entry.name)
      if component == "**" {
        if isFolder { try walk(path, pattern, fileSystem, into: &found) }
      } else if Self.matches(entry.name, component), rest.isEmpty || isFolder {
        if rest.isEmpty, entry.kind == .file {
          found.insert(path)
        } else {
          try visit(path, rest, fileSystem, into: &found)
        }
      }
    }
  }

  private func visit(
    _ path: String, _ rest: ArraySlice<String>, _ fileSystem: any FileSystem,
    into found: inout Set<String>
  ) throws(DiskError) {
    guard rest.isEmpty else { return try walk(path, rest, fileSystem, into: &found) }
    if fileSystem.kind(of: path, followingLinks: true) == .file { found.insert(path) }
  }

  // MARK: - Matching

  private static func matches(_ path: ArraySlice<String>, _ pattern: ArraySlice<String>) -> Bool {
    guard let component = pattern.first else { return path.isEmpty }
    if component == "**" {
      return matches(path, pattern.dropFirst())
        || (!path.isEmpty && matches(path.dropFirst(), pattern))
    }
    guard let name = path.first, matches(name, component) else { return false }
    return matches(path.dropFirst(), pattern.dropFirst())
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
