extension ApolloCodegenConfiguration {
  /// The consequences of the configuration for a project that comes from Apollo iOS, one sentence
  /// each.
  package var migrationNotes: [String] {
    [moduleNote] + [runtimeNote, mocksNote, mergingNote, codableNote].compactMap(\.self)
      + ["Files of custom scalars stay, and 'ID' is a 'String' in models."]
  }

  private var moduleNote: String {
    switch output.schemaTypes.moduleType {
    case .swiftPackage:
      "The package '\(schemaNamespace)' needs this runtime in place of apollo-ios. Both have a "
        + "module 'ApolloAPI', so a project has one of them."
    case .embeddedInTarget(let target, _):
      "The target '\(target)' needs the modules of this package in place of those of apollo-ios."
    case .other:
      "The target of the schema's types needs 'ApolloAPI' of this package in place of that of "
        + "apollo-ios."
    }
  }

  /// A folder or an address can be that of Apollo iOS under any name.
  private var runtimeNote: String? {
    guard case .swiftPackage(let dependency) = output.schemaTypes.moduleType,
      !dependency.isAssumed
    else { return nil }
    switch dependency.location {
    case .folder(let location), .repository(let location):
      return "'apolloSDKDependency' locates the runtime in '\(location)'. If that is Apollo iOS, "
        + "give the location of this one."
    }
  }

  private var mocksNote: String? {
    if case .none = output.testMocks { return nil }
    return "Mocks keep their names. Their target needs 'ApolloTestSupport' of this package."
  }

  private var codableNote: String? {
    guard !options.additionalConformances.contains(.codable) else { return nil }
    return "Models are 'Hashable'. '\"additionalConformances\": [\"Codable\"]' in the options "
      + "makes them 'Codable' too."
  }

  private var mergingNote: String? {
    guard experimentalFeatures.fieldMerging != .all else { return nil }
    return "Models show only the fields that 'fieldMerging' names. Others are in 'fragments' and "
      + "in type cases."
  }
}
