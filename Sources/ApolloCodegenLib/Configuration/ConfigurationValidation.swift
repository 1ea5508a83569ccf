extension ApolloCodegenConfiguration {
  /// Everything that makes the configuration unusable.
  package var problems: [ConfigurationProblem] {
    namespaceProblems + dependencyProblems + initializerProblems + mockProblems
      + unsupportedOptions + problemsOfRuleSeverities
  }

  /// An initializer takes every field that an object needs, so the model has to show them all.
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

  /// A package of its own must say where the runtime is.
  private var dependencyProblems: [ConfigurationProblem] {
    guard case .swiftPackage(let dependency) = output.schemaTypes.moduleType,
      dependency.location?.isEmpty ?? true
    else { return [] }
    return [
      .init(
        path: "output.schemaTypes.moduleType.swiftPackage.apolloSDKDependency",
        message:
          "The generated package needs to know where the runtime is. Give its 'url', or a folder: "
          + #"{ "sdkVersion": { "local": { "path": "…" } } }."#)
    ]
  }

  /// Mocks can be a target of the generated package where there is one, with a name that is only
  /// that.
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

  /// Options that are known, but whose effect is not built. They are never ignored.
  private var unsupportedOptions: [ConfigurationProblem] {
    let options: [(path: String, isUsed: Bool)] = [
      (
        "options.additionalCapitalizationRules", !self.options.additionalCapitalizationRules.isEmpty
      ),
      ("options.reduceGeneratedSchemaTypes", self.options.reduceGeneratedSchemaTypes),
      (
        "experimentalFeatures.legacySafelistingCompatibleOperations",
        experimentalFeatures.legacySafelistingCompatibleOperations
      ),
    ]
    return options.filter(\.isUsed).map {
      .init(path: $0.path, message: "Not supported by this version. Remove the key.")
    }
  }

  /// What is wrong with the namespace and the target's name.
  package var namespaceProblems: [ConfigurationProblem] {
    var problems: [ConfigurationProblem] = []
    if !Self.isSwiftName(schemaNamespace) {
      problems.append(
        .init(
          path: "schemaNamespace",
          message: "'\(schemaNamespace)' is not a Swift name. Use letters, digits and underscores.")
      )
    }
    if ["schema", "apolloapi"].contains(schemaNamespace.lowercased()) {
      problems.append(
        .init(
          path: "schemaNamespace",
          message: "'\(schemaNamespace)' is a name of the runtime. Choose another one."))
    }
    if case .embeddedInTarget(let target, _) = output.schemaTypes.moduleType {
      if ["apollo", "apolloapi"].contains(target.lowercased()) {
        problems.append(
          .init(
            path: "output.schemaTypes.moduleType.embeddedInTarget.name",
            message: "'\(target)' is a module of the runtime. Name your own target."))
      }
      if target == schemaNamespace {
        problems.append(
          .init(
            path: "schemaNamespace",
            message: "The namespace has the name of the target '\(target)', which hides it. "
              + "Choose another namespace."))
      }
    }
    return problems
  }

  /// ASCII letters, digits and underscores, and no digit first.
  private static func isSwiftName(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
    else { return false }
    return name.unicodeScalars.allSatisfy {
      $0 == "_" || ($0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil))
    }
  }
}
