/// What to generate, from what, and where to: the contents of `apollo-codegen-config.json`.
///
/// Files written for Apollo iOS 1.x and 2.x are read as they are. See ``init(json:)`` for how they are checked.
public struct ApolloCodegenConfiguration: Hashable, Sendable {
  /// The name of the generated schema module, or of the enum that stands for it inside a target.
  public var schemaNamespace: String
  public var input: Input
  public var output: Output
  public var options = Options()
  public var experimentalFeatures = ExperimentalFeatures()
  public var schemaDownload: SchemaDownload?
  public var operationManifest: OperationManifest?

  public init(schemaNamespace: String, input: Input = Input(), output: Output) {
    self.schemaNamespace = schemaNamespace
    self.input = input
    self.output = output
  }

  /// Where the schema and the operations are: globs relative to the root folder, `!` in front excludes.
  public struct Input: Hashable, Sendable {
    public var schemaSearchPaths = ["**/*.graphqls"]
    public var operationSearchPaths = ["**/*.graphql"]

    public init() {}
  }

  /// Where generated files go, and how the module that holds them is made.
  public struct Output: Hashable, Sendable {
    public var schemaTypes: SchemaTypes
    public var operations = Operations.inSchemaModule
    public var testMocks = TestMocks.none

    public init(schemaTypes: SchemaTypes) { self.schemaTypes = schemaTypes }
  }

  public struct SchemaTypes: Hashable, Sendable {
    /// A folder, relative to the root folder.
    public var path: String
    public var moduleType: ModuleType

    public init(path: String, moduleType: ModuleType) {
      self.path = path
      self.moduleType = moduleType
    }
  }

  public enum ModuleType: Hashable, Sendable {
    /// Inside a target that exists: schema types are nested in `enum <Namespace>`.
    case embeddedInTarget(name: String, accessModifier: AccessModifier = .internal)
    /// A Swift package of its own, with a `Package.swift`.
    case swiftPackage(dependency: SDKDependency = SDKDependency())
    /// A module that somebody else builds; everything is public.
    case other
  }

  /// How a generated `Package.swift` finds the runtime: by a URL, or in a local folder. There is no default for either.
  public struct SDKDependency: Hashable, Sendable {
    public enum Version: Hashable, Sendable {
      case `default`
      case branch(String)
      case commit(String)
      case exact(String)
      case from(String)
      /// A folder, relative to the generated package.
      case local(path: String)
    }

    public var url: String?
    public var version = Version.default

    public init(url: String? = nil, version: Version = .default) {
      self.url = url
      self.version = version
    }
  }

  public enum AccessModifier: String, Hashable, Sendable, CaseIterable {
    case `public`
    case `internal`
  }

  public enum Operations: Hashable, Sendable {
    /// In the folder of the schema types.
    case inSchemaModule
    /// Beside the file that defines the operation, or in `subpath` there.
    case relative(subpath: String? = nil, accessModifier: AccessModifier = .public)
    /// All in one folder.
    case absolute(path: String, accessModifier: AccessModifier = .public)
  }

  public enum TestMocks: Hashable, Sendable {
    case none
    case absolute(path: String, accessModifier: AccessModifier = .public)
    case swiftPackage(targetName: String? = nil)
  }
}
