import GraphQLSyntax

/// Names the files of custom scalars that no operation uses any more.
///
/// They belong to the user, so a run neither changes nor removes them.
enum OrphanedScalars {
  static let rule: Diagnostic.Rule = "OrphanedScalars"

  /// Looks for files of scalars that the run neither makes nor keeps.
  ///
  /// - Parameters:
  ///   - files: The files of the user.
  ///   - paths: The paths of the files that the run makes or keeps.
  ///   - root: The folder that displayed paths are relative to.
  /// - Returns: One warning about all files, or nothing.
  static func diagnostics(
    _ files: UserFiles, besides paths: Set<String>, root: String
  ) -> [Diagnostic] {
    let orphans = files.customScalars.filter { path, text in
      !paths.contains(path) && declaresScalar(text, name(at: path))
    }.keys.sorted()
    guard !orphans.isEmpty else { return [] }
    let list = orphans.map { "'\(Path.display($0, from: root))'" }.joined(separator: ", ")
    let (declare, them) = orphans.count == 1 ? ("declares a", "it") : ("declare", "them")
    let scalars = orphans.count == 1 ? "custom scalar" : "custom scalars"
    return [
      Diagnostic(
        rule: rule, severity: .warning,
        message:
          "\(list) \(declare) \(scalars) that no operation uses any more. The generator does "
          + "not change your files: remove \(them) if nothing else needs \(them).", at: nil)
    ]
  }

  /// Returns the name of the type that a file of a scalar declares.
  private static func name(at path: String) -> String {
    var name = Path.name(of: path)
    for ending in [".swift", SwiftNames.SchemaTypeKind.scalar.fileSuffix]
    where name.hasSuffix(ending) {
      name.removeLast(ending.count)
    }
    return name
  }

  /// Returns `true` if a file is that of a scalar, and not one with other code of the user.
  private static func declaresScalar(_ text: String, _ name: String) -> Bool {
    if text.contains("This file is yours: it is written once")
      || text.contains("implement advanced custom scalar functionality")
    {
      return true
    }
    let code = text.split(whereSeparator: \.isNewline)
      .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
    return code.contains("typealias \(name) ")
      || code.contains("CustomScalarType") && code.contains(" \(name)")
  }
}
