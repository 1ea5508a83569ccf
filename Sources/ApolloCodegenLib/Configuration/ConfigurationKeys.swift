/// The keys of those objects of a configuration that stand at one place only.
///
/// Readers allow them there; a key that was found elsewhere is told where it belongs.
struct ConfigurationKeys {
  /// Where the object is, such as `options.conversionStrategies`; empty for the whole file.
  let place: String
  /// In the order in which messages list them.
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
      "markTypesNonisolated", "cocoapodsCompatibleImportStatements",
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
      "fieldMerging", "legacySafelistingCompatibleOperations", "clientControlledNullability",
    ])
  static let schemaDownload = ConfigurationKeys(
    place: "schemaDownload",
    names: ["downloadMethod", "downloadTimeout", "headers", "outputPath"])

  /// The outer ones first: a name that several have is most likely meant for the first.
  private static let all = [
    root, input, output, options, experimentalFeatures, schemaTypes, schemaCustomization,
    selectionSetInitializers, conversionStrategies, schemaDownload,
  ]

  /// A sentence for a key that another object has; `nil` when none has it, and for a `path`, which
  /// objects of many kinds have.
  static func rightPlace(of key: String) -> String? {
    guard key != "path", let keys = all.first(where: { $0.names.contains(key) }) else { return nil }
    return keys.place.isEmpty ? "It belongs at the top level." : "It belongs in '\(keys.place)'."
  }
}
