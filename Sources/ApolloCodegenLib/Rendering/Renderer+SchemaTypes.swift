import ApolloIR
import SwiftSource

extension Renderer {
  // MARK: - Enums

  func enumFile(_ type: EnumType) -> SourceFile {
    let name = names.schemaType(type.name, .enum)
    let current = type.values.filter { $0.deprecationReason == nil }
    // An enum with raw values needs at least one case in Swift.
    let values = options.deprecatedEnumCases == .include || current.isEmpty ? type.values : current
    let access = layout.schemaModifiers
    let isWide = isWide(values.count)
    let cases = values.map { value in
      let caseName = names.enumCase(value.name, of: type.name)
      let isImplied = isWide || caseName == value.name
      return Declaration(
        .enumCase(EnumCase(caseName, rawValue: isImplied ? nil : .string(value.name))),
        documentation: documentation(value.description),
        attributes: deprecation(value.deprecationReason))
    }
    let declaration = Declaration(
      .group(
        Group(
          "enum", name,
          inherits: isWide
            ? ["ApolloAPI.GeneratedCode.WideEnum"] : ["String", "ApolloAPI.EnumType"],
          members: cases
            + (isWide
              ? [nameList(values.map(\.name), access: access)]
              : allCases(values, access: access)))),
      documentation: documentation(type.description), modifiers: layout.typeModifiers(access))
    var file = schemaFile([declaration])
    if program.types.inputEnums.contains(type.name), !values.isEmpty {
      file.declarations.append(literals(of: values, type, name))
    }
    return file
  }

  /// Renders `allCases` if some cases are deprecated: the compiler does not synthesize it then, and
  /// naming those cases would warn.
  private func allCases(_ values: [EnumType.Value], access: [String]) -> [Declaration] {
    guard values.contains(where: { !deprecation($0.deprecationReason).isEmpty }) else { return [] }
    let names = Expression.array(values.map { .string($0.name) })
    return [
      Declaration(
        .property(
          Property(
            "allCases", type: "[Self]",
            .let(.code("\(names.flat).compactMap { Self(rawValue: $0) }")))),
        modifiers: access + ["static"])
    ]
  }

  /// Renders members such as `.empire` for every place that an `Episode` is sent from, nullable or
  /// not.
  private func literals(of values: [EnumType.Value], _ type: EnumType, _ name: String)
    -> Declaration
  {
    // Qualified, because an enum may be called `Value` itself.
    let qualified = "\(layout.namespace).\(name)"
    let members = values.map { value in
      let caseName = names.enumCase(value.name, of: type.name)
      return Declaration(
        .property(Property(caseName, type: "Self", ["Self(.\(caseName))"])),
        attributes: deprecation(value.deprecationReason),
        // Where the enum itself is expected too, its case is preferred.
        modifiers: ["@_disfavoredOverload"]
          + emittedWhereUsed(layout.schemaAccess == .public ? ["public"] : []) + ["static"])
    }
    return Declaration(
      .group(
        Group(
          "extension", "ApolloAPI.GeneratedCode.EnumLiteral", requirements: "Value == \(qualified)",
          members: members)),
      modifiers: layout.isNonisolated ? ["nonisolated"] : [])
  }

  // MARK: - Input objects

  func inputObjectFile(_ type: InputObjectType) -> SourceFile {
    schemaFile([type.isOneOf ? oneOf(type) : inputObject(type)])
  }

  private func inputObject(_ type: InputObjectType) -> Declaration {
    let access = layout.schemaModifiers
    let fields = inputFields(of: type)
    let isWide = isWide(fields.count)
    let values = fields.map { field in
      Expression.Entry(.string(field.definition.name), .code(field.value))
    }
    let data = Declaration(
      .property(
        Property(
          "__data", type: "ApolloAPI.GeneratedCode.InputFields",
          [isWide ? "__values.fields" : Expression.dictionary(values).flat])),
      modifiers: access)
    let storage =
      isWide
      ? [nameList(fields.map(\.definition.name), access: access), valueStorage(access: access)] : []
    return Declaration(
      .group(
        Group(
          "struct", names.schemaType(type.name, .inputObject), inherits: ["ApolloAPI.InputObject"],
          members: storage + fields.flatMap(inputProperty) + inputInitializers(fields) + [data])),
      documentation: documentation(type.description), modifiers: layout.typeModifiers(access))
  }

  /// Renders the initializers of an input object.
  ///
  /// One initializer takes every field. If some fields are deprecated, it warns, and a second one
  /// takes the other fields.
  private func inputInitializers(_ fields: [StoredInputField]) -> [Declaration] {
    let deprecated = fields.filter { !deprecation($0.definition.deprecationReason).isEmpty }
    // A required field cannot be omitted, so a warning would have no remedy.
    guard !deprecated.isEmpty, !deprecated.contains(where: \.isRequired) else {
      return [inputInitializer(of: fields, taking: fields)]
    }
    let names = deprecated.map { "'\($0.name)'" }.joined(separator: ", ")
    let message =
      deprecated.count == 1
      ? "Argument \(names) is deprecated." : "Arguments \(names) are deprecated."
    let current = fields.filter { deprecation($0.definition.deprecationReason).isEmpty }
    return [
      inputInitializer(of: fields, taking: current),
      inputInitializer(of: fields, taking: fields, attributes: deprecation(message)),
    ]
  }

  private func inputInitializer(
    of fields: [StoredInputField], taking taken: [StoredInputField], attributes: [String] = []
  ) -> Declaration {
    let labels = Set(taken.map(\.name))
    let isWide = isWide(fields.count)
    func value(of field: StoredInputField) -> String {
      labels.contains(field.name)
        ? Identifier.escaped(field.name) : isWide ? "\(field.type).none" : "nil"
    }
    return Declaration(
      .function(
        Function(
          "init",
          taken.map { field in
            Parameter(
              Identifier.escaped(field.name), type: field.type,
              value: field.isRequired ? nil : .code("nil"))
          },
          body: isWide
            ? [storeValues(fields.map(value))]
            : fields.map { field in
              let value = value(of: field)
              let stored = field.isIndirect ? "ApolloAPI.GeneratedCode.Indirect(\(value))" : value
              return "self.\(field.storage ?? Identifier.escaped(field.name)) = \(stored)"
            })), attributes: attributes,
      modifiers: isWide ? emittedWhereUsed(layout.schemaModifiers) : layout.schemaModifiers)
  }

  /// A field of an input object, and its storage.
  private struct StoredInputField {
    var definition: InputObjectType.Field
    var name: String
    var type: String
    /// `true` if the value is stored outside of the object, which would otherwise contain itself.
    var isIndirect: Bool
    /// The name of the stored property, or `nil` if the field's own property is stored.
    var storage: String?
    /// The position among the values of a type with many fields, which are stored together.
    var position: Int?

    /// `true` if an object must have a value for the field.
    var isRequired: Bool { definition.type.isNonNull && !definition.hasDefault }

    /// The expression that reads the stored value without using the field's own property.
    var value: String {
      (storage ?? Identifier.escaped(name)) + (isIndirect ? ".value" : "")
    }
  }

  private func inputFields(of type: InputObjectType) -> [StoredInputField] {
    var taken = ReservedSwiftNames.inputs
      .union(type.fields.map { names.inputField($0.name, of: type.name) })
    guard !isWide(type.fields.count) else {
      return type.fields.enumerated().map { position, field in
        StoredInputField(
          definition: field, name: names.inputField(field.name, of: type.name),
          type: inputFieldType(field), isIndirect: false, position: position)
      }
    }
    return type.fields.map { field in
      let name = names.inputField(field.name, of: type.name)
      let isIndirect = recursion.isRecursive(field: field.name, of: type.name)
      // The object itself must not use a deprecated property.
      let isHidden = isIndirect || !deprecation(field.deprecationReason).isEmpty
      var storage = "_\(name)"
      if isHidden { while !taken.insert(storage).inserted { storage += "_" } }
      return StoredInputField(
        definition: field, name: name, type: inputFieldType(field), isIndirect: isIndirect,
        storage: isHidden ? storage : nil)
    }
  }

  /// Renders a stored property, or a computed one whose value is stored separately.
  private func inputProperty(_ field: StoredInputField) -> [Declaration] {
    let storage: Property.Storage =
      if let position = field.position {
        storedValue(position)
      } else if field.storage == nil {
        .var(nil)
      } else {
        .computed(getter: [field.value], setter: ["\(field.value) = newValue"])
      }
    let property = Declaration(
      .property(Property(Identifier.escaped(field.name), type: field.type, storage)),
      documentation: documentation(field.definition.description),
      attributes: deprecation(field.definition.deprecationReason),
      modifiers: field.position == nil
        ? layout.schemaModifiers : emittedWhereUsed(layout.schemaModifiers))
    guard let name = field.storage else { return [property] }
    let type = field.isIndirect ? "ApolloAPI.GeneratedCode.Indirect<\(field.type)>" : field.type
    let stored = Declaration(
      .property(Property(name, type: type, .var(nil))), modifiers: ["private"])
    return [property, stored]
  }

  /// Returns the type of a field. A non-null field with a default can be omitted, so it is
  /// optional.
  private func inputFieldType(_ field: InputObjectType.Field) -> String {
    let type = inputType(field.type, in: Scope())
    return field.type.isNonNull && field.hasDefault ? "\(type)?" : type
  }

  /// Returns a description that includes a deprecation, for declarations that cannot have the
  /// attribute.
  private func documentation(_ description: String?, deprecated reason: String?) -> String? {
    let lines = [
      documentation(description),
      options.warningsOnDeprecatedUsage == .include ? reason.map { "**Deprecated**: \($0)" } : nil,
    ].compactMap { $0 }
    return lines.isEmpty ? nil : lines.joined(separator: "\n\n")
  }

  private func oneOf(_ type: InputObjectType) -> Declaration {
    let access = layout.schemaModifiers
    let cases = type.fields.map { field in
      Declaration(
        .enumCase(
          EnumCase(
            Identifier.escaped(names.inputField(field.name, of: type.name)),
            payload: presentInputType(field.type, in: Scope()))),
        documentation: documentation(field.description, deprecated: field.deprecationReason))
    }
    let branches = type.fields.map { field in
      let name = Identifier.escaped(names.inputField(field.name, of: type.name))
      return (
        pattern: ".\(name)(let value)", value: "[\(SwiftString.escaped(field.name)): value]"
      )
    }
    // The compiler gives up proving that a `switch` over a thousand cases is exhaustive.
    let body =
      isWide(type.fields.count)
      ? branches.map { "if case \($0.pattern) = self { return \($0.value) }" } + ["return [:]"]
      : ["switch self {"] + branches.map { "case \($0.pattern): \($0.value)" } + ["}"]
    let data = Declaration(
      .property(
        Property(
          "__data", type: "ApolloAPI.GeneratedCode.InputFields", body)),
      modifiers: access)
    let isRecursive = type.fields.contains { recursion.isRecursive(field: $0.name, of: type.name) }
    return Declaration(
      .group(
        Group(
          "enum", names.schemaType(type.name, .inputObject),
          inherits: ["ApolloAPI.OneOfInputObject"],
          members: cases + [data])),
      documentation: documentation(type.description),
      modifiers: layout.typeModifiers(access) + (isRecursive ? ["indirect"] : []))
  }

  // MARK: - Custom scalars

  /// Renders a file that is written once. In it, the user chooses the Swift type of a scalar.
  func scalarFile(_ type: CustomScalar) -> SourceFile {
    let name = names.schemaType(type.name, .scalar)
    let scalar = ScalarType(type, in: program.schema)
    var lines = [documentation(type.description)]
    lines.append(type.specifiedBy.map { "Specified by: \($0)" })
    lines.append(scalar.note)
    lines.append(
      """
      This file is yours: it is written once and never overwritten. Name another type here, \
      or declare
      one that conforms to `CustomScalarType`.
      """)
    let isPublic = layout.schemaAccess == .public
    if isPublic, scalar.imported != "ApolloAPI" {
      lines.append("`JSONValue` and `CustomScalarType` need `public import ApolloAPI`.")
    }
    let declaration = Declaration(
      .typeAlias(name: name, target: scalar.name),
      documentation: lines.compactMap { $0 }.joined(separator: "\n\n"),
      modifiers: layout.schemaModifiers)
    // A public import that a file does not need is a warning.
    let imports = [scalar.imported].compactMap { $0 } + (isPublic ? [] : ["ApolloAPI"])
    return file(
      [declaration], imports: imports, isNested: layout.isEmbedded, isPublic: isPublic,
      isEditable: true)
  }

  /// Renders `MyAPI.ID`, which is in a file of the user as in Apollo iOS. An existing file already
  /// declares it.
  func identifierFile() -> SourceFile {
    let declaration = Declaration(
      .typeAlias(name: "ID", target: "ApolloAPI.ID"),
      documentation: "The identifier of an object: text, which generated code relies on.",
      modifiers: layout.schemaModifiers)
    return file(
      [declaration], imports: ["ApolloAPI"], isNested: layout.isEmbedded,
      isPublic: layout.schemaAccess == .public, isEditable: true)
  }
}
