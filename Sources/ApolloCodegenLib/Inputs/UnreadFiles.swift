import GraphQLSyntax

/// Files that look like operations and that no search path matches, such as `Hero.gql` where the
/// search paths end in `.graphql`.
package struct UnreadFiles: Sendable {
  /// The paths as they are displayed, sorted.
  package let paths: [String]
  /// The search path that would match the first of them, or `nil` if there is none.
  let pattern: String?

  /// No files.
  package static let none = UnreadFiles(paths: [], pattern: nil)

  private static let endings = ["graphql", "gql", "graphqls"]

  /// Returns the search paths that match files of the same folders with the other endings.
  ///
  /// A search path without a wildcard in its name means one file.
  static func patterns(beside searchPaths: [String]) -> [String] {
    let known = searchPaths.flatMap(Glob.alternatives(of:))
    let others = known.flatMap { pattern -> [String] in
      let name = Path.name(of: pattern)
      guard !pattern.hasPrefix("!"), name.contains(where: { "*?".contains($0) }),
        let ending = endings.first(where: { name.hasSuffix(".\($0)") })
      else { return [] }
      return endings.filter { $0 != ending }.map { String(pattern.dropLast(ending.count)) + $0 }
    }
    var seen = Set(known)
    return others.filter { seen.insert($0).inserted }
  }

  /// Returns the endings of the files that search paths match.
  static func endings(of searchPaths: [String]) -> Set<String> {
    Set(searchPaths.flatMap(Glob.alternatives(of:)).map(ending))
  }

  /// Returns the part of a name behind its last dot, or `*` if there is none.
  static func ending(of path: String) -> String {
    let name = Path.name(of: path)
    return name.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(name[$0...].dropFirst()) } ?? "*"
  }

  /// Returns `true` if a file that is not read is probably meant to be.
  ///
  /// Files with the ending of a schema may belong to another module, unless they have operations.
  static func isMeant(_ source: Source) -> Bool {
    guard !source.isBlank else { return false }
    if source.name.hasSuffix(".gql") { return true }
    var document = Document()
    _ = document.parse(source, options: .drafts)
    return !document.operations.isEmpty || !document.fragments.isEmpty
  }

  /// The names of the first files, for messages.
  package var list: String {
    let names = paths.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
    return paths.count > 3 ? "\(names) and \(paths.count - 3) more" : names
  }
}
