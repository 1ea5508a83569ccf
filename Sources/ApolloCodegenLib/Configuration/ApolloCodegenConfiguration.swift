/// The inputs, outputs and options of the generator: the contents of `apollo-codegen-config.json`.
///
/// ```swift
/// var configuration = ApolloCodegenConfiguration(
///   schemaNamespace: "StarWarsAPI",
///   output: .init(schemaTypes: .init(path: "Generated", moduleType: .other)))
/// configuration.options.warningsOnDeprecatedUsage = .exclude
/// ```
///
/// Files written for Apollo iOS 1.x and 2.x are read as they are. See ``init(json:)`` for the
/// checks.
public struct ApolloCodegenConfiguration: Hashable, Sendable {
  /// The name of the generated schema module, or of the enum that replaces it inside of a target.
  public var schemaNamespace: String
  /// The files of the schema and the operations.
  public var input: Input
  /// The folders and modules of the generated files.
  public var output: Output
  /// The form of generated code.
  public var options = Options()
  /// Options that may still change their meaning.
  public var experimentalFeatures = ExperimentalFeatures()
  /// The severities of rules for schemas and operations, where they differ from the defaults.
  ///
  /// Rules have the names that diagnostics show: `["UniqueFieldDefinitionNames": .warning]`. By
  /// default, rules that published schemas often break are warnings.
  public var ruleSeverities: [String: RuleSeverity] = [:]
  /// The source and the target of `fetch-schema`, or `nil` if the schema is not downloaded.
  public var schemaDownload: SchemaDownload?
  /// The manifest of operations to write, or `nil` for none.
  public var operationManifest: OperationManifest?

  /// Creates a configuration with default options.
  public init(schemaNamespace: String, input: Input = Input(), output: Output) {
    self.schemaNamespace = schemaNamespace
    self.input = input
    self.output = output
  }

  /// The search paths of the schema and the operations.
  ///
  /// Search paths are globs relative to the root folder. `*`, `?`, `**` and `{a,b}` match several
  /// names, and `!` in front excludes.
  public struct Input: Hashable, Sendable {
    /// Globs of the files with the schema: SDL, or the JSON of an introspection.
    public var schemaSearchPaths = ["**/*.graphqls"]
    /// Globs of the files with operations and fragments.
    public var operationSearchPaths = ["**/*.graphql"]

    /// Creates the default search paths: every `.graphqls` and `.graphql` file below the root
    /// folder.
    public init() {}
  }

  /// The folders of generated files, and the kind of module that holds them.
  public struct Output: Hashable, Sendable {
    /// The folder and the module of the types of the schema.
    public var schemaTypes: SchemaTypes
    /// The folder of the models of operations and fragments.
    public var operations = Operations.inSchemaModule
    /// The folder of mocks for tests.
    public var testMocks = TestMocks.none

    /// Creates an output whose operations go to the schema module.
    public init(schemaTypes: SchemaTypes) { self.schemaTypes = schemaTypes }
  }

  /// The folder of the types of the schema, and the module that holds them.
  public struct SchemaTypes: Hashable, Sendable {
    /// The folder, relative to the root folder.
    public var path: String
    /// The module that holds the generated types.
    public var moduleType: ModuleType

    /// Creates an output in a folder, which is relative to the root folder.
    public init(path: String, moduleType: ModuleType) {
      self.path = path
      self.moduleType = moduleType
    }
  }

  /// The kind of module that holds the generated types of the schema.
  public enum ModuleType: Hashable, Sendable {
    /// An existing target. Schema types are nested in `enum <Namespace>`.
    case embeddedInTarget(name: String, accessModifier: AccessModifier = .internal)
    /// A Swift package of its own, with a `Package.swift`.
    case swiftPackage(dependency: SDKDependency = SDKDependency())
    /// A module that is built by other means. All generated declarations are public.
    case other
  }

  /// The location of the runtime for a generated `Package.swift`: a URL or a local folder.
  public struct SDKDependency: Hashable, Sendable {
    /// The version of the runtime that a generated package depends on.
    public enum Version: Hashable, Sendable {
      /// Exactly the version of the generator, which is tested with it.
      case `default`
      /// The tip of a branch.
      case branch(String)
      /// One commit, by its hash.
      case commit(String)
      /// Exactly this version.
      case exact(String)
      /// This version, or a later one with the same major number.
      case from(String)
      /// A folder, relative to the generated package.
      case local(path: String)
    }

    /// The address of the repository.
    ///
    /// Without an address and without a local folder, the runtime is expected in `../apollo-swift`,
    /// a clone beside the generated package, in any version.
    public var url: String?
    /// The version to depend on.
    public var version = Version.default

    /// Creates a dependency, by default on a clone beside the generated package.
    public init(url: String? = nil, version: Version = .default) {
      self.url = url
      self.version = version
    }
  }

  /// The access level of generated declarations.
  public enum AccessModifier: String, Hashable, Sendable, CaseIterable {
    /// Visible to every module that imports theirs.
    case `public`
    /// Visible to their own module only.
    case `internal`
  }

  /// The folder of the models of operations and fragments.
  public enum Operations: Hashable, Sendable {
    /// The folder of the schema types.
    case inSchemaModule
    /// The folder of the file that defines the operation, or `subpath` below it.
    case relative(subpath: String? = nil, accessModifier: AccessModifier = .public)
    /// One folder for all models.
    case absolute(path: String, accessModifier: AccessModifier = .public)
  }

  /// The folder of the mocks of the schema's types.
  public enum TestMocks: Hashable, Sendable {
    /// No mocks.
    case none
    /// One folder, which belongs to a target that depends on `ApolloTestSupport`.
    case absolute(path: String, accessModifier: AccessModifier = .public)
    /// A target of the generated package, called `<Namespace>TestMocks` by default.
    case swiftPackage(targetName: String? = nil)
  }
}
