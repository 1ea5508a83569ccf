import ApolloIR
import GraphQLSyntax

/// Warns about generated types that have the names of types in Swift's library, in Foundation or in
/// swift-testing.
///
/// A file that imports Foundation and the generated module cannot say `Date` when both declare one:
/// Swift calls it ambiguous. A type of Swift's library is hidden without a word: with a mock
/// `Task`, a test has no `Task.sleep`. Once a type has its file, its name has been decided.
struct ShadowedNames {
  static let rule: Diagnostic.Rule = "ShadowedNames"

  /// The library that has a type of a name.
  private enum Library {
    case swift
    case foundation
    case testing

    init?(of name: String) {
      if TakenNames.library.contains(name) {
        self = .swift
      } else if TakenNames.foundation.contains(name) || name == "Data" {
        self = .foundation
      } else if TakenNames.testing.contains(name) {
        self = .testing
      } else {
        return nil
      }
    }
  }

  /// The module that declares a type.
  private enum Home {
    /// The one with the schema, whose name qualifies it.
    case schema
    /// One that programs import in tests only.
    case mocks
    /// One of the program's own.
    case program
  }

  private let named: NamedProgram
  private let isNew: (String) -> Bool
  private var diagnostics: [Diagnostic] = []

  /// Returns the warnings about the types that get their first files.
  ///
  /// - Parameters:
  ///   - named: The program whose names are checked.
  ///   - hasMocks: `true` if mocks are generated.
  ///   - isNew: Returns `true` if the run makes a file of a name where there is none yet.
  /// - Returns: One warning for each name: scalars, enums, inputs, operations and fragments, mocks.
  static func diagnostics(
    _ named: NamedProgram, hasMocks: Bool, isNew: @escaping (String) -> Bool
  ) -> [Diagnostic] {
    var names = ShadowedNames(named, isNew)
    // Embedded types are always qualified with their namespace.
    if !named.layout.isEmbedded { names.checkSchema() }
    if !named.layout.definitionsAreNested { names.checkDefinitions() }
    if hasMocks { names.checkMocks() }
    return names.diagnostics
  }

  private init(_ named: NamedProgram, _ isNew: @escaping (String) -> Bool) {
    self.named = named
    self.isNew = isNew
  }

  // MARK: - Kinds of types

  private mutating func checkSchema() {
    let types = named.program.types
    for scalar in types.scalars {
      let name = named.names.schemaType(scalar.name, .scalar)
      // A new file makes the name another one for Foundation's type.
      guard ScalarType(scalar, in: named.program.schema).name != "Foundation.\(name)" else {
        continue
      }
      check(
        "scalar '\(scalar.name)'", name, custom: (scalar.name, "Local\(name)"), scalar.span,
        files: ["\(name).swift", "\(name)\(SwiftNames.SchemaTypeKind.scalar.fileSuffix).swift"])
    }
    for type in types.enums {
      let name = named.names.schemaType(type.name, .enum)
      check(
        "enum '\(type.name)'", name, custom: (type.name, "\(name)Type"), type.span,
        files: files(of: name, .enum))
    }
    for type in types.inputObjects {
      let name = named.names.schemaType(type.name, .inputObject)
      check(
        "input '\(type.name)'", name, custom: (type.name, "\(name)Input"), type.span,
        files: files(of: name, .inputObject))
    }
  }

  private mutating func checkDefinitions() {
    for definition in named.program.definitions {
      let kind = definition.kind == .fragment ? "fragment" : "operation"
      let name = named.names.definition(definition)
      check(
        "\(kind) '\(definition.name)'", name, custom: nil, definition.span,
        files: ["\(name).graphql.swift"],
        in: named.layout.canQualifyDefinitions ? .schema : .program)
    }
  }

  private mutating func checkMocks() {
    for type in named.program.types.objects {
      let name = named.names.mock(type.name)
      check(
        "mock of '\(type.name)'", name, custom: (type.name, "\(name)Type"), type.span,
        files: ["\(name)+Mock.graphql.swift"], in: .mocks)
    }
  }

  private func files(of name: String, _ kind: SwiftNames.SchemaTypeKind) -> [String] {
    ["\(name).graphql.swift", "\(name)\(kind.fileSuffix).graphql.swift"]
  }

  // MARK: - Warnings

  /// Reports a name that a library has, unless the type has a file already.
  ///
  /// - Parameters:
  ///   - what: The type, as in messages.
  ///   - name: Its name in Swift.
  ///   - custom: The name of the type in GraphQL, and another one that the configuration can give
  ///     it; `nil` for a definition of the user.
  ///   - span: The definition.
  ///   - files: The names that its file can have.
  ///   - home: The module of the type.
  private mutating func check(
    _ what: String, _ name: String, custom: (type: String, name: String)?, _ span: SourceSpan?,
    files: [String], in home: Home = .schema
  ) {
    guard let library = Library(of: name), files.contains(where: isNew) else { return }
    let effect =
      switch library {
      case .swift:
        "hides Swift's type of that name in "
          + (home == .mocks ? "tests that import the mocks" : "files that see it")
      case .foundation where home == .program:
        "hides Foundation's type of that name in its module"
      case .foundation:
        "is also a type of Foundation, so the name alone is ambiguous in files that import both "
          + "modules"
      case .testing:
        "is also a type of swift-testing, so the name alone is ambiguous in tests that import both "
          + "modules"
      }
    let remedy =
      custom.map {
        "Rename it in the configuration, such as \"customTypeNames\": { \"\($0.type)\": \"\($0.name)\" } "
          + "in 'options.schemaCustomization'"
      } ?? "Rename it"
    diagnostics.append(
      Diagnostic(
        rule: Self.rule, severity: .warning,
        message: "The \(what) becomes '\(name)', which \(effect). \(remedy), or say "
          + "\(qualified(name, library, home)).", at: span))
  }

  /// Returns the name by which programs still reach one of the two types.
  private func qualified(_ name: String, _ library: Library, _ home: Home) -> String {
    switch library {
    case .swift: "'Swift.\(name)' there ('_Concurrency.\(name)' for concurrency)"
    case .testing where home != .schema: "'Testing.\(name)' there"
    case .foundation where home != .schema: "'Foundation.\(name)' there"
    case .foundation, .testing: "'\(named.layout.namespace).\(name)'"
    }
  }
}
