/// The keys of objects that occur at one place of a configuration only.
///
/// Readers allow them there. A key that is found elsewhere is reported with its right place.
struct ConfigurationKeys {
  /// The path of the object, such as `options.conversionStrategies`; empty for the whole file.
  let place: String
  /// The keys, in the order in which messages list them.
  let names: [String]

  static let root = ConfigurationKeys(
    place: "",
    names: [
      "schemaNamespace", "schemaName", "input", "output", "options", "experimentalFeatures",
      "schemaDownload", "schemaDownloadConfiguration", "operationManifest", "ruleSeverities",
    ])
  static let input = ConfigurationKeys(
    place: "input", names: ["schemaSearchPaths", "schemaPath", "operationSearchPaths"])
  static let output = ConfigurationKeys(
    place: "output",
    names: [
      "schemaTypes", "operations", "testMocks", "operationManifest", "operationIdentifiersPath",
    ])
  static let schemaTypes = ConfigurationKeys(
    place: "output.schemaTypes", names: ["path", "moduleType"])
  static let options = ConfigurationKeys(
    place: "options",
    names: [
      "additionalInflectionRules", "additionalCapitalizationRules", "deprecatedEnumCases",
      "schemaDocumentation", "warningsOnDeprecatedUsage", "selectionSetInitializers",
      "operationDocumentFormat", "schemaCustomization", "reduceGeneratedSchemaTypes",
      "conversionStrategies", "pruneGeneratedFiles", "appendSchemaTypeFilenameSuffix",
      "markTypesNonisolated", "additionalConformances", "cocoapodsCompatibleImportStatements",
      "markOperationDefinitionsAsFinal", "queryStringLiteralFormat", "apqs",
      "requireNonOptionalMockFields",
    ])
  static let schemaCustomization = ConfigurationKeys(
    place: "options.schemaCustomization", names: ["customTypeNames"])
  static let selectionSetInitializers = ConfigurationKeys(
    place: "options.selectionSetInitializers",
    names: ["operations", "namedFragments", "localCacheMutations", "definitionsNamed"])
  static let conversionStrategies = ConfigurationKeys(
    place: "options.conversionStrategies", names: ["enumCases", "fieldAccessors", "inputObjects"])
  static let experimentalFeatures = ConfigurationKeys(
    place: "experimentalFeatures",
    names: [
      "fieldMerging", "legacySafelistingCompatibleOperations", "directivesOnDirectiveDefinitions",
      "fragmentArguments", "clientControlledNullability",
    ])
  static let schemaDownload = ConfigurationKeys(
    place: "schemaDownload",
    names: ["downloadMethod", "downloadTimeout", "headers", "outputPath"])

  /// All objects, the outer ones first: a name that several objects have most likely means the
  /// first.
  private static let all = [
    root, input, output, options, experimentalFeatures, schemaTypes, schemaCustomization,
    selectionSetInitializers, conversionStrategies, schemaDownload,
  ]

  /// The names of all keys.
  fileprivate static var allNames: [String] { all.flatMap(\.names) }

  /// Returns the path of the object that has a key; empty for the top level.
  ///
  /// Returns `nil` if no object has the key, and for `path`, which objects of many kinds have.
  static func rightPlace(of key: String) -> String? {
    guard key != "path", let keys = all.first(where: { $0.names.contains(key) }) else { return nil }
    return keys.place
  }
}

extension ApolloCodegenConfiguration {
  /// The keys of a configuration, with those of older versions, for tests.
  package static var keys: [String] { ConfigurationKeys.allNames }
}
