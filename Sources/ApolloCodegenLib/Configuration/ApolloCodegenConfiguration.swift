/// What to generate, from what, and where to: the contents of `apollo-codegen-config.json`.
///
/// Files written for Apollo iOS 1.x and 2.x are read as they are. See ``init(json:)`` for how they
/// are checked.
public struct ApolloCodegenConfiguration: Hashable, Sendable {
  /// The name of the generated schema module, or of the enum that stands for it inside a target.
  public var schemaNamespace: String
  /// Where the schema and the operations are.
  public var input: Input
  /// Where the generated files go.
  public var output: Output
  /// How generated code looks.
  public var options = Options()
  /// Options that may still change their meaning.
  public var experimentalFeatures = ExperimentalFeatures()
  /// What it means that a schema or an operation breaks a rule, where that is not the default.
  ///
  /// Rules are called as in diagnostics: `["UniqueFieldDefinitionNames": .warning]`. Rules that
  /// published schemas often break are warnings without being named here.
  public var ruleSeverities: [String: RuleSeverity] = [:]
  /// What `fetch-schema` does; `nil` when the schema is not downloaded.
  public var schemaDownload: SchemaDownload?
  /// Which manifest of operations is written; `nil` for none.
  public var operationManifest: OperationManifest?

  /// Makes a configuration whose options have their defaults.
  public init(schemaNamespace: String, input: Input = Input(), output: Output) {
    self.schemaNamespace = schemaNamespace
    self.input = input
    self.output = output
  }

  /// Where the schema and the operations are: globs relative to the root folder, in which `*`, `?`,
  /// `**` and `{a,b}` stand for more than one name, and `!` in front excludes.
  public struct Input: Hashable, Sendable {
    /// Globs of the files with the schema: SDL, or the JSON of an introspection.
    public var schemaSearchPaths = ["**/*.graphqls"]
    /// Globs of the files with operations and fragments.
    public var operationSearchPaths = ["**/*.graphql"]

    /// The defaults: every `.graphqls` and `.graphql` file below the root folder.
    public init() {}
  }

  /// Where generated files go, and how the module that holds them is made.
  public struct Output: Hashable, Sendable {
    /// Where the types of the schema go, and in what kind of module.
    public var schemaTypes: SchemaTypes
    /// Where the models of operations and fragments go.
    public var operations = Operations.inSchemaModule
    /// Where mocks for tests go.
    public var testMocks = TestMocks.none

    /// Makes an output whose operations go to the schema module.
    public init(schemaTypes: SchemaTypes) { self.schemaTypes = schemaTypes }
  }

  /// Where the types of the schema go, and in what kind of module.
  public struct SchemaTypes: Hashable, Sendable {
    /// A folder, relative to the root folder.
    public var path: String
    /// What holds the generated types.
    public var moduleType: ModuleType

    /// Puts the types into a folder, relative to the root folder.
    public init(path: String, moduleType: ModuleType) {
      self.path = path
      self.moduleType = moduleType
    }
  }

  /// What holds the generated types of the schema.
  public enum ModuleType: Hashable, Sendable {
    /// Inside a target that exists: schema types are nested in `enum <Namespace>`.
    case embeddedInTarget(name: String, accessModifier: AccessModifier = .internal)
    /// A Swift package of its own, with a `Package.swift`.
    case swiftPackage(dependency: SDKDependency = SDKDependency())
    /// A module that somebody else builds; everything is public.
    case other
  }

  /// How a generated `Package.swift` finds the runtime: by a URL, or in a local folder.
  public struct SDKDependency: Hashable, Sendable {
    /// Which version of the runtime a generated package asks for.
    public enum Version: Hashable, Sendable {
      /// Exactly the version of the generator, which it was tested with.
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

    /// The address of the repository. Without one, and without a local folder, the runtime is expected in `../apollo-swift`,
    /// a clone beside the generated package, in whatever version it is there.
    public var url: String?
    /// Which version to ask for.
    public var version = Version.default

    /// Makes a dependency; by default on a clone beside the generated package.
    public init(url: String? = nil, version: Version = .default) {
      self.url = url
      self.version = version
    }
  }

  /// Who sees generated declarations.
  public enum AccessModifier: String, Hashable, Sendable, CaseIterable {
    /// Every module that imports theirs.
    case `public`
    /// Only the module they are in.
    case `internal`
  }

  /// Where the models of operations and fragments go.
  public enum Operations: Hashable, Sendable {
    /// In the folder of the schema types.
    case inSchemaModule
    /// Beside the file that defines the operation, or in `subpath` there.
    case relative(subpath: String? = nil, accessModifier: AccessModifier = .public)
    /// All in one folder.
    case absolute(path: String, accessModifier: AccessModifier = .public)
  }

  /// Where mocks of the schema's types go.
  public enum TestMocks: Hashable, Sendable {
    /// There are no mocks.
    case none
    /// All in one folder, which belongs to a target that depends on `ApolloTestSupport`.
    case absolute(path: String, accessModifier: AccessModifier = .public)
    /// In a target of the generated package; `<Namespace>TestMocks` by default.
    case swiftPackage(targetName: String? = nil)
  }
}
