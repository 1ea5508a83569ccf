import SwiftSource

extension ApolloCodegenConfiguration {
  /// Every problem that makes the configuration unusable.
  package var problems: [ConfigurationProblem] {
    namespaceProblems + dependencyProblems + initializerProblems + mockProblems
      + customNameProblems + documentProblems + pathProblems + problemsOfRuleSeverities
  }

  /// An operation must send something.
  private var documentProblems: [ConfigurationProblem] {
    guard options.operationDocumentFormat.isEmpty else { return [] }
    return [
      .init(
        path: "options.operationDocumentFormat",
        message: "Nothing would be sent. Name 'definition', 'operationIdentifier' or both.")
    ]
  }

  /// An initializer takes every field that an object needs. Therefore the model has to show all of
  /// them.
  private var initializerProblems: [ConfigurationProblem] {
    guard options.selectionSetInitializers != SelectionSetInitializers(),
      experimentalFeatures.fieldMerging != .all
    else { return [] }
    return [
      .init(
        path: "options.selectionSetInitializers",
        message: "Initializers need every field of their models. Remove 'fieldMerging' of "
          + "'experimentalFeatures', or this key.")
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
          path: "output.schemaTypes.moduleType.swiftPackage.apolloSDKDependency",
          message:
            "An empty text says nothing. Give the 'url' of the runtime's package, or a folder: "
            + #"{ "sdkVersion": { "local": { "path": "…" } } }."#)
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
        .init(
          path: "output.testMocks",
          message: "Mocks can be a target of the generated package only where 'moduleType' is "
            + "'swiftPackage'. Use 'absolute' and give the folder of a target of your own."))
    }
    if let name, !Self.isSwiftName(name) || name == schemaNamespace {
      problems.append(
        .init(
          path: "output.testMocks.swiftPackage.targetName",
          message: "'\(name)' cannot be the name of the target. Use letters, digits and "
            + "underscores, and not the name of the schema's module."))
    }
    return problems
  }

  /// The problems of the namespace and of the target's name.
  package var namespaceProblems: [ConfigurationProblem] {
    var problems: [ConfigurationProblem] = []
    if !Self.isSwiftName(schemaNamespace) {
      problems.append(
        .init(
          path: "schemaNamespace",
          message: "'\(schemaNamespace)' is not a Swift name. Use letters, digits and underscores.")
      )
    }
    let namespace = Casing.capitalizingFirstLetter(schemaNamespace)
    if ["schema", "apolloapi"].contains(schemaNamespace.lowercased())
      || ReservedNames.types.contains(namespace) || Identifier.keywords.contains(namespace)
    {
      problems.append(
        .init(
          path: "schemaNamespace",
          message: "'\(schemaNamespace)' is a name of Swift or of the runtime. Choose another one.")
      )
    }
    if case .embeddedInTarget(let target, _) = output.schemaTypes.moduleType {
      if ["apollo", "apolloapi"].contains(target.lowercased()) {
        problems.append(
          .init(
            path: "output.schemaTypes.moduleType.embeddedInTarget.name",
            message: "'\(target)' is a module of the runtime. Name your own target."))
      }
    }
    return problems
  }

  /// Names of the configuration become code as they are.
  private var customNameProblems: [ConfigurationProblem] {
    var problems: [ConfigurationProblem] = []
    func check(_ name: String, _ path: String) {
      guard !Self.isSwiftName(name) || name == "_" else { return }
      problems.append(
        .init(
          path: "options.schemaCustomization.customTypeNames.\(path)",
          message: "'\(name)' is not a Swift name. Use letters, digits and underscores."))
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
  /// be the root of the file system.
  private var pathProblems: [ConfigurationProblem] {
    var problems: [ConfigurationProblem] = []
    let searches = [
      ("input.schemaSearchPaths", input.schemaSearchPaths),
      ("input.operationSearchPaths", input.operationSearchPaths),
    ]
    for (path, patterns) in searches {
      if patterns.allSatisfy({ $0.hasPrefix("!") }) {
        problems.append(
          .init(path: path, message: "Nothing is searched. Give at least one path without '!'."))
      }
      for pattern in patterns where pattern.dropFirst().contains("!") {
        problems.append(
          .init(path: path, message: Glob.InvalidPattern(pattern: pattern).description))
      }
      for pattern in patterns where !pattern.hasPrefix("!") && !Path.name(of: pattern).contains(".")
      {
        problems.append(
          .init(
            path: path,
            message: "'\(pattern)' names folders. End it with the files to read, as in "
              + "'\(pattern.hasSuffix("/") ? pattern : pattern + "/")*.graphql'."))
      }
    }
    for (path, folder) in outputPaths {
      let message: String? =
        if folder.isEmpty { "Missing. Give a path." } else if folder.contains("\0") {
          "A path cannot hold a NUL character."
        } else if folder.hasPrefix("~") || folder.contains("$") {
          "'\(folder)' is used as it is: '~' and variables are not replaced. Write the path in full."
        } else if folder.hasPrefix("/"), Path.normalized(folder) == "/" {
          "The root of the file system cannot be an output folder. Name a folder of its own."
        } else {
          nil
        }
      if let message { problems.append(.init(path: path, message: message)) }
    }
    return problems
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
