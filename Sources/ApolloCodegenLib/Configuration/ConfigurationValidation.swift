import SwiftSource

extension ApolloCodegenConfiguration {
  /// Every problem that makes the configuration unusable.
  package var problems: [ConfigurationProblem] {
    namespaceProblems + dependencyProblems + initializerProblems + mockProblems
      + customNameProblems + documentProblems + pathProblems + ruleSeverityProblems
  }

  /// An operation must send something.
  private var documentProblems: [ConfigurationProblem] {
    guard options.operationDocumentFormat.isEmpty else { return [] }
    return [
      .init(.nothingSent, at: "options.operationDocumentFormat")
    ]
  }

  /// An initializer takes every field that an object needs. Therefore the model has to show all of
  /// them.
  private var initializerProblems: [ConfigurationProblem] {
    guard options.selectionSetInitializers != SelectionSetInitializers(),
      experimentalFeatures.fieldMerging != .all
    else { return [] }
    return [
      .init(.initializersWithoutMerging, at: "options.selectionSetInitializers")
    ]
  }

  /// An address or a folder must not be empty.
  private var dependencyProblems: [ConfigurationProblem] {
    guard case .swiftPackage(let dependency) = output.schemaTypes.moduleType else { return [] }
    switch dependency.location {
    case .folder(let location), .repository(let location):
      guard location.isEmpty else { return [] }
      return [
        .init(
          .emptyRuntimeLocation,
          at: "output.schemaTypes.moduleType.swiftPackage.apolloSDKDependency")
      ]
    }
  }

  /// Mocks can be a target of the generated package only if there is one. The target needs a name
  /// of its own.
  private var mockProblems: [ConfigurationProblem] {
    guard case .swiftPackage(let name) = output.testMocks else { return [] }
    var problems: [ConfigurationProblem] = []
    if case .swiftPackage = output.schemaTypes.moduleType {
    } else {
      problems.append(
        .init(.mocksWithoutPackage, at: "output.testMocks"))
    }
    // The sources of the schema's target are in the folder 'Sources', and mocks import modules of
    // the runtime. Some file systems ignore letter case.
    let taken = ["apolloapi", "apollotestsupport", "sources", schemaNamespace.lowercased()]
    // For the other modules, only a name that can never work is an error: in another letter case,
    // one does where file systems distinguish it.
    let isOfOtherModule = name.map { $0 == "Swift" || TakenNames.modules.contains($0) } ?? false
    if let name,
      !Self.isSwiftName(name) || isOfOtherModule || taken.contains(name.lowercased())
    {
      problems.append(
        .init(.mocksTargetName(name), at: "output.testMocks.swiftPackage.targetName"))
    }
    return problems
  }

  /// The problems of the namespace and of the target's name.
  package var namespaceProblems: [ConfigurationProblem] {
    var problems: [ConfigurationProblem] = []
    if !Self.isSwiftName(schemaNamespace) {
      problems.append(
        .init(.notSwiftName(schemaNamespace), at: "schemaNamespace")
      )
    }
    let namespace = Casing.capitalizingFirstLetter(schemaNamespace)
    if ["schema", "apolloapi"].contains(schemaNamespace.lowercased())
      || ReservedSwiftNames.types.contains(namespace) || Identifier.keywords.contains(namespace)
      || TakenNames.runtime.contains(namespace)
      || isModule
        && (TakenNames.library.contains(namespace) || TakenNames.modules.contains(namespace))
    {
      problems.append(
        .init(.reservedName(schemaNamespace), at: "schemaNamespace")
      )
    }
    if case .embeddedInTarget(let target, _) = output.schemaTypes.moduleType {
      let place = "output.schemaTypes.moduleType.embeddedInTarget.name"
      if target.allSatisfy(\.isWhitespace) {
        problems.append(.init(.missing(.target), at: place))
      } else if ["apollo", "apolloapi"].contains(target.lowercased()) {
        problems.append(.init(.runtimeModule(target), at: place))
      }
    }
    return problems
  }

  /// `true` if the schema's types are a module of their own.
  private var isModule: Bool {
    switch output.schemaTypes.moduleType {
    case .embeddedInTarget: false
    case .swiftPackage, .other: true
    }
  }

  /// Names of the configuration become code as they are.
  private var customNameProblems: [ConfigurationProblem] {
    var problems: [ConfigurationProblem] = []
    func check(_ name: String, _ path: String) {
      guard !Self.isSwiftName(name) || name == "_" else { return }
      problems.append(
        .init(.notSwiftName(name), at: "options.schemaCustomization.customTypeNames.\(path)"))
    }
    for (type, custom) in options.customTypeNames.sorted(by: { $0.key < $1.key }) {
      if let name = custom.name { check(name, type) }
      for (member, name) in custom.members.sorted(by: { $0.key < $1.key }) {
        check(name, "\(type).\(member)")
      }
    }
    return problems
  }

  /// Search paths must match files. An output path must not need a shell to expand it, and must not
  /// be the root of the file system. Absolute paths may contain `*` and `?`, because the names of
  /// the folders around a project may.
  private var pathProblems: [ConfigurationProblem] {
    var problems: [ConfigurationProblem] = []
    let searches = [
      ("input.schemaSearchPaths", input.schemaSearchPaths),
      ("input.operationSearchPaths", input.operationSearchPaths),
    ]
    for (path, patterns) in searches {
      if patterns.allSatisfy({ $0.hasPrefix("!") }) {
        problems.append(
          .init(.nothingSearched, at: path))
      }
      for pattern in patterns where pattern.dropFirst().contains("!") {
        problems.append(
          .init(.exclamationMark(.init(pattern: pattern)), at: path))
      }
      for pattern in patterns where !pattern.hasPrefix("!") && !Path.name(of: pattern).contains(".")
      {
        problems.append(.init(.folderPattern(pattern), at: path))
      }
    }
    for (path, folder) in outputPaths {
      if let fact = Self.problem(ofOutput: folder) { problems.append(.init(fact, at: path)) }
    }
    return problems
  }

  private static func problem(ofOutput path: String) -> ConfigurationFact? {
    if path.isEmpty { return .missing(.path) }
    if path.contains("\0") { return .nulInPath }
    let isAbsolute = path.hasPrefix("/")
    if path.hasPrefix("~") || path.contains("$")
      || (!isAbsolute && path.contains { "*?".contains($0) })
    {
      return .unexpandedPath(path)
    }
    return isAbsolute && Path.normalized(path) == "/" ? .rootFolder : nil
  }

  /// Every path that is written to, with its place in the configuration.
  private var outputPaths: [(path: String, folder: String)] {
    var paths = [("output.schemaTypes.path", output.schemaTypes.path)]
    switch output.operations {
    case .inSchemaModule, .relative(nil, _): break
    case .relative(let subpath?, _): paths.append(("output.operations.relative.subpath", subpath))
    case .absolute(let path, _): paths.append(("output.operations.absolute.path", path))
    }
    if case .absolute(let path, _) = output.testMocks {
      paths.append(("output.testMocks.absolute.path", path))
    }
    if let manifest = operationManifest { paths.append(("operationManifest.path", manifest.path)) }
    if let download = schemaDownload {
      paths.append(("schemaDownload.outputPath", download.outputPath))
    }
    return paths
  }

  /// Returns `true` for ASCII letters, digits and underscores that do not start with a digit.
  static func isSwiftName(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
    else { return false }
    return name.unicodeScalars.allSatisfy {
      $0 == "_" || ($0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil))
    }
  }
}
