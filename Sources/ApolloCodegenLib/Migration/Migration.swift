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
  /// The files of Apollo iOS 0.x, for users to remove: they may be anywhere. Sorted.
  package private(set) var former: [String] = []
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
  ///   - former: The paths of files of Apollo iOS 0.x.
  ///   - namespace: The schema's namespace, in which those have no types.
  ///   - fileSystem: The files of the project.
  init(
    _ files: [OutputFile], leftovers: [String], former: [String], namespace: String,
    _ fileSystem: any FileSystem
  ) {
    var texts: [String] = []
    for path in former {
      guard let bytes = try? fileSystem.read(path) else { continue }  // As below.
      self.former.append(path)
      texts.append(String(decoding: bytes, as: UTF8.self))
    }
    for path in Set(leftovers + files.map(\.path)).sorted() {
      guard fileSystem.kind(of: path) == .file, let bytes = try? fileSystem.read(path) else {
        continue  // A file that cannot be read is reported when it is written.
      }
      if ApolloIOSFile.isGenerated(bytes) {
        replaced.append(path)
        texts.append(String(decoding: bytes, as: UTF8.self))
      } else if ApolloIOSFile.isEditable(bytes) {
        kept.append(path)
      }
    }
    compare(
      ModelDeclarations(texts),
      ModelDeclarations(files.map { String(decoding: $0.contents, as: UTF8.self) }),
      namespace: former.isEmpty ? nil : namespace)
  }

  private mutating func compare(
    _ before: ModelDeclarations, _ after: ModelDeclarations, namespace: String?
  ) {
    /// Returns the path in the new code.
    func moved(_ path: String) -> String {
      guard let namespace, !after.declares(Path.outermost(path)) else { return path }
      return "\(namespace).\(path)"
    }
    let properties = before.properties.filter { !Self.isMachinery($0.key) }
    propertyCount = properties.count
    // Classes without data are mocks, which are not made in another way.
    formerClasses = before.classes.filter {
      before.types.contains("\($0).Data") && after.declares(moved($0))
        && !after.classes.contains(moved($0))
    }
    .sorted()
    let lostTypes = before.types.filter {
      !after.declares(moved($0)) && !$0.hasSuffix(".MockValueCollectionType")
    }
    let outermost = lostTypes.filter { !lostTypes.contains(Path.enclosing($0)) }
    differences = outermost.map { Difference(path: $0) }
    for (path, type) in properties where !lostTypes.contains(Path.enclosing(path)) {
      let new = after.type(ofProperty: moved(path))
      if new == type {
        unchangedCount += 1
      } else {
        differences.append(Difference(path: path, before: type, after: new))
      }
    }
    differences.sort { $0.path < $1.path }
  }

  /// Returns `true` for a property that each model or operation of 0.x has, whatever it selects.
  private static func isMachinery(_ path: String) -> Bool {
    let name = path[(path.lastIndex(of: ".").map(path.index(after:)) ?? path.startIndex)...]
    return ["resultMap", "snapshot", "graphQLMap"].contains(name)
      || name == "variables" && path.filter { $0 == "." }.count == 1
  }
}

extension Path {
  /// Returns the path of a declaration without its last name.
  fileprivate static func enclosing(_ declaration: String) -> String {
    declaration.lastIndex(of: ".").map { String(declaration[..<$0]) } ?? ""
  }

  /// Returns the first name of the path of a declaration.
  fileprivate static func outermost(_ declaration: String) -> String {
    String(declaration.prefix { $0 != "." })
  }
}
