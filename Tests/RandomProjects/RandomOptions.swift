import SeededRandom

/// Options of the generator that change what code looks like.
struct RandomOptions {
  private let schema: RandomSchema
  private let operations: RandomOperations

  init(for schema: RandomSchema, _ operations: RandomOperations) {
    self.schema = schema
    self.operations = operations
  }

  /// The members `options` and `experimentalFeatures` of a configuration.
  func json(using random: inout SeededGenerator) -> String {
    var options: [String] = []
    func set(_ probability: Double, _ key: String, _ values: [String]) {
      if random.chance(probability) { options.append("\"\(key)\": \(random.pick(values))") }
    }
    set(0.2, "deprecatedEnumCases", ["\"exclude\""])
    set(0.2, "schemaDocumentation", ["\"exclude\""])
    set(0.3, "warningsOnDeprecatedUsage", ["\"exclude\""])
    set(0.2, "reduceGeneratedSchemaTypes", ["true"])
    set(0.2, "appendSchemaTypeFilenameSuffix", ["true"])
    set(0.5, "markTypesNonisolated", ["true", "false"])
    set(0.3, "additionalConformances", ["[\"Codable\"]", "[\"CustomReflectable\", \"Codable\"]"])
    set(
      0.3, "operationDocumentFormat",
      ["[\"operationIdentifier\"]", "[\"definition\", \"operationIdentifier\"]"])
    set(0.2, "additionalInflectionRules", [#"[{ "uncountable": { "word": "friends" } }]"#])
    set(
      0.2, "additionalCapitalizationRules",
      [
        #"[{ "term": { "string": "id" }, "strategy": "upper" }, { "term": { "string": "self" }, "strategy": "upper" }]"#,
        #"[{ "term": { "regex": "[a-z]+" }, "strategy": "upper" }]"#,
        #"[{ "term": { "regex": "." }, "strategy": { "replace": "class" } }]"#,
        #"[{ "term": { "regex": ".*" }, "strategy": "lower" }]"#,
      ])
    let strategies = [
      random.chance(0.5) ? #""enumCases": "none""# : nil,
      random.chance(0.5) ? #""fieldAccessors": "camelCase""# : nil,
      random.chance(0.5) ? #""inputObjects": "none""# : nil,
    ].compactMap { $0 }
    if random.chance(0.4) {
      options.append("\"conversionStrategies\": { \(strategies.joined(separator: ", ")) }")
    }
    if random.chance(0.15) { options.append(customNames(&random)) }
    var features: [String] = []
    if random.chance(0.2) { features.append(#""legacySafelistingCompatibleOperations": true"#) }
    switch random.below(6) {
    case 0, 1:
      let members = [
        random.chance(0.6) ? #""operations": true"# : nil,
        random.chance(0.6) ? #""namedFragments": true"# : nil,
        #""definitionsNamed": ["\#(random.pick(operations.names))"]"#,
      ].compactMap { $0 }
      options.append("\"selectionSetInitializers\": { \(members.joined(separator: ", ")) }")
    case 2:
      let merging = random.some(["\"ancestors\"", "\"siblings\"", "\"namedFragments\""], 0.5)
      features.append("\"fieldMerging\": [\(merging.joined(separator: ", "))]")
    default: break
    }
    return """
      "options": { \(options.joined(separator: ", ")) },
      "experimentalFeatures": { \(features.joined(separator: ", ")) }
      """
  }

  private func customNames(_ random: inout SeededGenerator) -> String {
    var parts: [String] = []
    // Nothing can be called that.
    var taken: Set<String> = ["_"]
    func name() -> String {
      schema.names.unique(besides: &taken, capitalized: true, using: &random)
    }
    for type in schema.enums where random.chance(0.5) {
      parts.append(
        "\"\(type.name)\": { \"enum\": { \"name\": \"\(name())\", \"cases\": { \"\(type.values[0])\": \"\(name())\" } } }"
      )
    }
    for type in schema.inputs where random.chance(0.5) {
      parts.append(
        "\"\(type.name)\": { \"inputObject\": { \"fields\": { \"\(type.fields[0].name)\": \"\(name())\" } } }"
      )
    }
    for type in schema.composites where random.chance(0.3) {
      parts.append("\"\(type.name)\": \"\(name())\"")
    }
    return "\"schemaCustomization\": { \"customTypeNames\": { \(parts.joined(separator: ", ")) } }"
  }
}
