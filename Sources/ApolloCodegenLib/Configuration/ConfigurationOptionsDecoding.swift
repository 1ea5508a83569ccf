import GraphQLSyntax

extension ApolloCodegenConfiguration.Options {
  private typealias Root = ApolloCodegenConfiguration

  init(reading reader: ConfigurationReader) {
    reader.allow(ConfigurationKeys.options.names)
    self.init()
    let composition = Root.Composition.self
    deprecatedEnumCases = reader.choice("deprecatedEnumCases", composition) ?? .include
    schemaDocumentation = reader.choice("schemaDocumentation", composition) ?? .include
    warningsOnDeprecatedUsage = reader.choice("warningsOnDeprecatedUsage", composition) ?? .include
    reduceGeneratedSchemaTypes = reader.bool("reduceGeneratedSchemaTypes") ?? false
    pruneGeneratedFiles = reader.bool("pruneGeneratedFiles") ?? true
    appendSchemaTypeFilenameSuffix = reader.bool("appendSchemaTypeFilenameSuffix") ?? false
    markTypesNonisolated = reader.bool("markTypesNonisolated")
    additionalInflectionRules = (reader.array("additionalInflectionRules") ?? []).enumerated()
      .compactMap { Self.inflection($1, at: $0, reader) }
    additionalCapitalizationRules = (reader.objects("additionalCapitalizationRules") ?? [])
      .compactMap(Root.CapitalizationRule.init(reading:))
    if let initializers = reader.object("selectionSetInitializers") {
      selectionSetInitializers = .init(reading: initializers)
    }
    if let formats = reader.strings("operationDocumentFormat") {
      operationDocumentFormat = Set(
        formats.compactMap {
          reader.choice(
            text: $0, "operationDocumentFormat", Root.OperationDocumentFormat.self,
            aliases: ["operationId": .operationIdentifier])
        })
    }
    if let conformances = reader.strings("additionalConformances") {
      additionalConformances = Set(
        conformances.compactMap {
          reader.choice(text: $0, "additionalConformances", Root.AdditionalConformance.self)
        })
    }
    if let strategies = reader.object("conversionStrategies") {
      conversionStrategies = .init(reading: strategies)
    }
    if let customization = reader.object("schemaCustomization") {
      customization.allow(ConfigurationKeys.schemaCustomization.names)
      customization.object("customTypeNames").map { readCustomTypeNames($0) }
    }
  }

  private static func inflection(
    _ node: IndexedJSON.Value, at index: Int, _ reader: ConfigurationReader
  ) -> Root.InflectionRule? {
    let path = reader.path(to: "additionalInflectionRules[\(index)]")
    let known = ["singularization", "pluralization", "irregular", "uncountable"]
    guard let (name, values) = reader.variant(of: node, at: path, known) else { return nil }
    func text(_ key: String) -> String {
      if !values.has(key) { values.report(.missing(.any), at: key) }
      return values.string(key) ?? ""
    }
    /// Reads an expression by its key, or by the key of the other rule, which some documentation
    /// uses.
    func expression(_ key: String, _ other: String) -> String {
      values.allow([key, other, "replacementRegex"])
      return text(values.has(other) && !values.has(key) ? other : key)
    }
    switch name {
    case "singularization":
      return .singularization(
        pluralRegex: expression("pluralRegex", "singularRegex"),
        replacementRegex: text("replacementRegex"))
    case "pluralization":
      return .pluralization(
        singularRegex: expression("singularRegex", "pluralRegex"),
        replacementRegex: text("replacementRegex"))
    case "irregular":
      values.allow(["singular", "plural"])
      return .irregular(singular: text("singular"), plural: text("plural"))
    default:
      values.allow(["word"])
      return .uncountable(word: text("word"))
    }
  }

  private mutating func readCustomTypeNames(_ reader: ConfigurationReader) {
    for key in reader.keys {
      guard let node = reader.node(key) else { continue }
      if let name = node.string {
        customTypeNames[key] = .init(kind: .type, name: name)
        continue
      }
      guard let (kind, values) = reader.variant(key, ["type", "enum", "inputObject"]) else {
        continue
      }
      let members = ["enum": "cases", "inputObject": "fields"][kind]
      values.allow(["name"] + (members.map { [$0] } ?? []))
      var custom = Root.CustomTypeName(
        kind: kind == "enum" ? .enum : kind == "inputObject" ? .inputObject : .type,
        name: values.string("name"))
      if let names = members.flatMap(values.object) {
        for member in names.keys { custom.members[member] = names.string(member) }
      }
      customTypeNames[key] = custom
    }
  }

  /// Reads keys that Apollo iOS had before 2.0.
  mutating func readLegacy(_ reader: ConfigurationReader) {
    cocoapodsCompatibleImportStatements =
      reader.bool("cocoapodsCompatibleImportStatements") ?? false
    if reader.bool("requireNonOptionalMockFields") == true {
      reader.warn(
        .obsoleteKey(.requireNonOptionalMockFields),
        at: "requireNonOptionalMockFields")
    }
    if reader.bool("markOperationDefinitionsAsFinal") == true {
      reader.warn(
        .obsoleteKey(.markOperationDefinitionsAsFinal),
        at: "markOperationDefinitionsAsFinal")
    }
    if reader.has("queryStringLiteralFormat"),
      let format = reader.string("queryStringLiteralFormat")
    {
      switch format {
      case "singleLine": break
      case "multiline":
        reader.warn(
          .obsoleteKey(.queryStringLiteralFormat), at: "queryStringLiteralFormat")
      default:
        reader.report(
          .unknownValue(format, known: ["singleLine", "multiline"]),
          at: "queryStringLiteralFormat")
      }
    }
    switch reader.string("apqs") {
    case nil, "disabled": break
    case "automaticallyPersist": operationDocumentFormat = [.definition, .operationIdentifier]
    case "persistedOperationsOnly": operationDocumentFormat = [.operationIdentifier]
    case let value?:
      reader.report(
        .unknownValue(
          value, known: ["disabled", "automaticallyPersist", "persistedOperationsOnly"]),
        at: "apqs")
    }
  }
}

extension ApolloCodegenConfiguration.CapitalizationRule {
  fileprivate init?(reading reader: ConfigurationReader) {
    reader.allow(["term", "strategy"])
    guard
      let (kind, text) = reader.single(
        "term", [("string", hasText: true), ("regex", hasText: true)])
    else { return nil }
    let term = kind == "string" ? Term.string(text) : .regex(text)
    if let name = reader.node("strategy")?.string {
      switch name {
      case "upper": self.init(term: term, strategy: .upper)
      case "lower": self.init(term: term, strategy: .lower)
      default:
        reader.report(.unknownStrategy, at: "strategy")
        return nil
      }
      return
    }
    let strategies = [
      ("upper", hasText: false), ("lower", hasText: false), ("replace", hasText: true),
    ]
    guard let (strategy, replacement) = reader.single("strategy", strategies) else { return nil }
    switch strategy {
    case "upper": self.init(term: term, strategy: .upper)
    case "lower": self.init(term: term, strategy: .lower)
    default: self.init(term: term, strategy: .replace(replacement))
    }
  }
}

extension ConfigurationReader {
  /// Reads `{"key": "text"}` with one of the known keys, or `{"key": {}}` if a key needs no text.
  ///
  /// The text may be wrapped, as in `{"key": {"_0": "text"}}`: Swift's synthesized encoding does
  /// so.
  fileprivate func single(
    _ key: String, _ known: [(key: String, hasText: Bool)]
  ) -> (key: String, text: String)? {
    guard let node = node(key) else {
      report(.missing(.any), at: key)
      return nil
    }
    let names = known.map(\.key)
    let forms = known.map { #"{ "\#($0.key)": \#($0.hasText ? "\"…\"" : "{}") }"# }
    guard node.kind == .object, let object = object(key) else {
      report(.wrongType(expected: forms, found: node.kindName), at: key)
      return nil
    }
    object.allow(names)
    guard object.keys.count == 1, let only = known.first(where: { $0.key == object.keys[0] }) else {
      object.report(.notExactlyOne(of: names))
      return nil
    }
    guard object.node(only.key)?.kind == .object, let values = object.object(only.key) else {
      return object.string(only.key).map { (only.key, $0) }
    }
    guard only.hasText else { return (only.key, "") }
    values.allow(["_0"])
    guard let text = values.string("_0") else {
      if !values.has("_0") {
        object.report(.wrongType(expected: ["a string"], found: "an object"), at: only.key)
      }
      return nil
    }
    return (only.key, text)
  }
}

extension ApolloCodegenConfiguration.SelectionSetInitializers {
  fileprivate init(reading reader: ConfigurationReader) {
    reader.allow(ConfigurationKeys.selectionSetInitializers.names)
    self.init()
    operations = reader.bool("operations") ?? false
    namedFragments = reader.bool("namedFragments") ?? false
    definitionsNamed = Set(reader.strings("definitionsNamed") ?? [])
  }
}

extension ApolloCodegenConfiguration.ConversionStrategies {
  fileprivate init(reading reader: ConfigurationReader) {
    reader.allow(ConfigurationKeys.conversionStrategies.names)
    self.init()
    enumCases = reader.choice("enumCases", Casing.self) ?? .camelCase
    fieldAccessors = reader.choice("fieldAccessors", FieldCasing.self) ?? .idiomatic
    inputObjects = reader.choice("inputObjects", Casing.self) ?? .camelCase
  }
}

extension ApolloCodegenConfiguration.ExperimentalFeatures {
  init(reading reader: ConfigurationReader) {
    reader.allow(ConfigurationKeys.experimentalFeatures.names)
    self.init()
    if reader.bool("clientControlledNullability") == true {
      reader.warn(
        .obsoleteKey(.clientControlledNullability),
        at: "clientControlledNullability")
    }
    legacySafelistingCompatibleOperations =
      reader.bool("legacySafelistingCompatibleOperations") ?? false
    fragmentArguments = reader.bool("fragmentArguments") ?? false
    directivesOnDirectiveDefinitions = reader.bool("directivesOnDirectiveDefinitions") ?? false
    guard let names = reader.strings("fieldMerging") else { return }
    let known: [String: ApolloCodegenConfiguration.FieldMerging] = [
      "all": .all, "ancestors": .ancestors, "siblings": .siblings,
      "namedFragments": .namedFragments,
    ]
    fieldMerging = []
    for name in names {
      guard let value = known[name] else {
        reader.report(.unknownValue(name, known: known.keys.sorted()), at: "fieldMerging")
        continue
      }
      fieldMerging.insert(value)
    }
  }
}

extension ApolloCodegenConfiguration.OperationManifest {
  /// Creates the manifest that `operationIdentifiersPath` requested before there were manifests.
  init(identifiersPath path: String) {
    self.init(path: path)
    version = .legacy
    generateManifestOnCodeGeneration = true
  }

  init?(reading reader: ConfigurationReader) {
    reader.allow(["path", "version", "generateManifestOnCodeGeneration"])
    guard let path = reader.string("path") else {
      reader.report(.missing(.file), at: "path")
      return nil
    }
    self.init(path: path)
    version =
      reader.choice("version", Version.self, aliases: ["legacyAPQ": .legacy]) ?? .persistedQueries
    generateManifestOnCodeGeneration = reader.bool("generateManifestOnCodeGeneration") ?? false
  }
}

extension ApolloCodegenConfiguration.SchemaDownload {
  init?(reading reader: ConfigurationReader) {
    reader.allow(ConfigurationKeys.schemaDownload.names)
    if !reader.has("outputPath") {
      reader.report(.missing(.file), at: "outputPath")
    }
    if !reader.has("downloadMethod") {
      reader.report(.missing(.downloadMethod), at: "downloadMethod")
    }
    guard
      let (name, values) = reader.variant("downloadMethod", ["introspection", "apolloRegistry"]),
      let method = name == "introspection"
        ? Self.introspection(values).map(Method.introspection)
        : Self.registry(values).map(Method.apolloRegistry),
      let outputPath = reader.string("outputPath")
    else { return nil }
    self.init(method: method, outputPath: outputPath)
    timeout = reader.number("downloadTimeout") ?? 30
    if timeout <= 0 { reader.report(.notPositive, at: "downloadTimeout") }
    headers = Self.headers(reader)
  }

  private static func headers(_ reader: ConfigurationReader) -> [Header] {
    guard reader.node("headers")?.kind == .object else {
      return (reader.objects("headers") ?? []).compactMap { header in
        header.allow(["key", "value"])
        guard let key = header.string("key"), let value = header.string("value") else {
          header.report(.incomplete(["key", "value"]))
          return nil
        }
        return Header(key: key, value: value)
      }
    }
    guard let object = reader.object("headers") else { return [] }
    return object.keys.compactMap { key in object.string(key).map { Header(key: key, value: $0) } }
  }

  private static func introspection(_ reader: ConfigurationReader) -> Introspection? {
    reader.allow([
      "endpointURL", "httpMethod", "outputFormat", "includeDeprecatedInputValues", "typeDepth",
    ])
    guard let url = reader.string("endpointURL") else {
      reader.report(.missing(.server), at: "endpointURL")
      return nil
    }
    var settings = Introspection(endpointURL: url)
    if let (name, values) = reader.variant("httpMethod", ["POST", "GET"]) {
      values.allow(name == "GET" ? ["queryParameterName"] : [])
      settings.httpMethod =
        name == "POST"
        ? .post : .get(queryParameterName: values.string("queryParameterName") ?? "query")
    }
    settings.outputFormat = reader.choice("outputFormat", OutputFormat.self) ?? .sdl
    settings.includeDeprecatedInputValues = reader.bool("includeDeprecatedInputValues") ?? false
    settings.typeDepth = reader.number("typeDepth").flatMap { number in
      let depth = Int(exactly: number)
      if let depth, Introspection.typeDepths.contains(depth) { return depth }
      let found = depth.map { "\($0)" } ?? "\(number)"
      reader.report(
        .wrongType(expected: ["a whole number from 1 to 9"], found: found), at: "typeDepth")
      return nil
    }
    return settings
  }

  /// Reads the settings of a registry, which may be wrapped, as in `{"_0": {…}}`: Swift's
  /// synthesized encoding of values without a label does so.
  private static func registry(_ outer: ConfigurationReader) -> Registry? {
    let isWrapped = outer.has("_0")
    if isWrapped { outer.allow(["_0"]) }
    guard let reader = isWrapped ? outer.object("_0") : outer else { return nil }
    reader.allow(["apiKey", "key", "graphID", "variant"])
    guard let key = reader.string("apiKey") ?? reader.string("key"),
      let graph = reader.string("graphID")
    else {
      reader.report(.incomplete(["apiKey", "graphID"]))
      return nil
    }
    return Registry(apiKey: key, graphID: graph, variant: reader.string("variant") ?? "current")
  }
}
