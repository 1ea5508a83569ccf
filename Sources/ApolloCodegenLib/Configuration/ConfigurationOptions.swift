extension ApolloCodegenConfiguration {
  public enum Composition: String, Hashable, Sendable, CaseIterable {
    case include
    case exclude
  }

  public struct Options: Hashable, Sendable {
    public var additionalInflectionRules: [InflectionRule] = []
    public var additionalCapitalizationRules: [CapitalizationRule] = []
    public var deprecatedEnumCases = Composition.include
    public var schemaDocumentation = Composition.include
    public var warningsOnDeprecatedUsage = Composition.include
    public var selectionSetInitializers = SelectionSetInitializers()
    public var operationDocumentFormat: Set<OperationDocumentFormat> = [.definition]
    /// Swift names by GraphQL names.
    public var customTypeNames: [String: CustomTypeName] = [:]
    public var reduceGeneratedSchemaTypes = false
    public var conversionStrategies = ConversionStrategies()
    public var pruneGeneratedFiles = true
    public var appendSchemaTypeFilenameSuffix = false
    /// Whether every generated type says `nonisolated`; `nil` says it unless the types are in a package of their own.
    public var markTypesNonisolated: Bool?

    public init() {}
  }

  /// How the name of a list field becomes the name of one of its elements.
  public enum InflectionRule: Hashable, Sendable {
    case singularization(singularRegex: String, replacementRegex: String)
    case pluralization(replacementRegex: String, pluralRegex: String)
    case irregular(singular: String, plural: String)
    case uncountable(word: String)
  }

  /// How a word inside a name is capitalized.
  public struct CapitalizationRule: Hashable, Sendable {
    public enum Term: Hashable, Sendable {
      case string(String)
      case regex(String)
    }
    public enum Strategy: Hashable, Sendable {
      case upper
      case lower
      case replace(String)
    }

    public var term: Term
    public var strategy: Strategy

    public init(term: Term, strategy: Strategy) {
      self.term = term
      self.strategy = strategy
    }
  }

  public enum OperationDocumentFormat: String, Hashable, Sendable, CaseIterable {
    case definition
    case operationIdentifier
  }

  /// Which models get a memberwise initializer.
  public struct SelectionSetInitializers: Hashable, Sendable {
    public var operations = false
    public var namedFragments = false
    public var definitionsNamed: Set<String> = []

    public init() {}
  }

  public struct CustomTypeName: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
      case type
      case `enum`
      case inputObject
    }

    public var kind: Kind
    /// The Swift name, when the type has another than in GraphQL.
    public var name: String?
    /// Swift names of cases or fields by their GraphQL names.
    public var members: [String: String] = [:]

    public init(kind: Kind, name: String? = nil, members: [String: String] = [:]) {
      self.kind = kind
      self.name = name
      self.members = members
    }
  }

  public struct ConversionStrategies: Hashable, Sendable {
    public enum Casing: String, Hashable, Sendable, CaseIterable {
      case none
      case camelCase
    }
    public enum FieldCasing: String, Hashable, Sendable, CaseIterable {
      /// The first letter is lower case, and nothing else changes.
      case idiomatic
      case camelCase
    }

    public var enumCases = Casing.camelCase
    public var fieldAccessors = FieldCasing.idiomatic
    public var inputObjects = Casing.camelCase

    public init() {}
  }

  public struct ExperimentalFeatures: Hashable, Sendable {
    public var fieldMerging: FieldMerging = .all
    public var legacySafelistingCompatibleOperations = false

    public init() {}
  }

  /// Whose fields a selection set shows besides its own.
  public struct FieldMerging: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let ancestors = Self(rawValue: 1)
    public static let siblings = Self(rawValue: 2)
    public static let namedFragments = Self(rawValue: 4)
    public static let all: Self = [.ancestors, .siblings, .namedFragments]
  }

  public struct OperationManifest: Hashable, Sendable {
    public enum Version: String, Hashable, Sendable, CaseIterable {
      case persistedQueries
      case legacy
    }

    public var path: String
    public var version = Version.persistedQueries
    public var generateManifestOnCodeGeneration = false

    public init(path: String) { self.path = path }
  }

  /// Where `fetch-schema` gets the schema from, and where it writes it.
  public struct SchemaDownload: Hashable, Sendable {
    public enum OutputFormat: String, Hashable, Sendable, CaseIterable {
      case sdl = "SDL"
      case json = "JSON"
    }
    public enum HTTPMethod: Hashable, Sendable {
      case post
      case get(queryParameterName: String = "query")
    }
    public struct Introspection: Hashable, Sendable {
      public var endpointURL: String
      public var httpMethod = HTTPMethod.post
      public var outputFormat = OutputFormat.sdl
      public var includeDeprecatedInputValues = false

      public init(endpointURL: String) { self.endpointURL = endpointURL }
    }
    public struct Registry: Hashable, Sendable {
      public var apiKey: String
      public var graphID: String
      public var variant = "current"

      public init(apiKey: String, graphID: String, variant: String = "current") {
        self.apiKey = apiKey
        self.graphID = graphID
        self.variant = variant
      }
    }
    public enum Method: Hashable, Sendable {
      case introspection(Introspection)
      case apolloRegistry(Registry)
    }
    public struct Header: Hashable, Sendable {
      public var key: String
      public var value: String

      public init(key: String, value: String) {
        self.key = key
        self.value = value
      }
    }

    public var method: Method
    /// Seconds.
    public var timeout = 30.0
    public var headers: [Header] = []
    public var outputPath: String

    public init(method: Method, outputPath: String) {
      self.method = method
      self.outputPath = outputPath
    }
  }
}
