/// The way of a project from the code of Apollo iOS to that of this generator.
package struct Migration: Hashable, Sendable {
  /// A property or type of the models that other code may use, and that is not as it was.
  package struct Difference: Hashable, Sendable {
    /// The path of the property or type: `HeroQuery.Data.Hero.name`.
    package var path: String
    /// The former type of the property, or `nil` for a type.
    package var before: String?
    /// The new type of the property. `nil` if there is no such property or type.
    package var after: String?
  }

  /// The files of Apollo iOS that are replaced or removed, sorted.
  package private(set) var replaced: [String] = []
  /// The files of Apollo iOS that users may have edited, which stay as they are, sorted.
  package private(set) var kept: [String] = []
  /// The differences for code that uses the models, sorted by path.
  package private(set) var differences: [Difference] = []
  /// The number of properties of all models in the code of Apollo iOS.
  package private(set) var propertyCount = 0
  /// The number of those that have the same path, name and type in the new code.
  package private(set) var unchangedCount = 0
  /// The operations that were classes and are structs, sorted.
  package private(set) var formerClasses: [String] = []

  /// Compares the code of Apollo iOS that is there with the code that takes its place.
  ///
  /// - Parameters:
  ///   - files: The files that are generated.
  ///   - leftovers: The paths of files that may be those of an earlier generator.
  ///   - fileSystem: The files of the project.
  init(_ files: [OutputFile], leftovers: [String], _ fileSystem: any FileSystem) {
    var former: [String] = []
    for path in Set(leftovers + files.map(\.path)).sorted() {
      guard fileSystem.kind(of: path) == .file, let bytes = try? fileSystem.read(path) else {
        continue  // A file that cannot be read is reported when it is written.
      }
      if ApolloIOSFile.isGenerated(bytes) {
        replaced.append(path)
        former.append(String(decoding: bytes, as: UTF8.self))
      } else if ApolloIOSFile.isEditable(bytes) {
        kept.append(path)
      }
    }
    let before = ModelDeclarations(former)
    let after = ModelDeclarations(files.map { String(decoding: $0.contents, as: UTF8.self) })
    propertyCount = before.properties.count
    formerClasses = before.classes.filter {
      after.types.contains($0) && !after.classes.contains($0)
    }
    .sorted()
    let lostTypes = before.types.filter { !after.declares($0) }
    let outermost = lostTypes.filter { !lostTypes.contains(Path.enclosing($0)) }
    differences = outermost.map { Difference(path: $0) }
    for (path, type) in before.properties where !lostTypes.contains(Path.enclosing(path)) {
      let new = after.type(ofProperty: path)
      if new == type {
        unchangedCount += 1
      } else {
        differences.append(Difference(path: path, before: type, after: new))
      }
    }
    differences.sort { $0.path < $1.path }
  }
}

extension Path {
  /// Returns the path of a declaration without its last name.
  fileprivate static func enclosing(_ declaration: String) -> String {
    declaration.lastIndex(of: ".").map { String(declaration[..<$0]) } ?? ""
  }
}
