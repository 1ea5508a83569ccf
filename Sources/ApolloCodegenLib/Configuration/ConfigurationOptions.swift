extension ApolloCodegenConfiguration {
  /// Whether something is part of the generated code.
  public enum Composition: String, Hashable, Sendable, CaseIterable {
    /// It is generated.
    case include
    /// It is left out.
    case exclude
  }

  /// How generated code looks.
  public struct Options: Hashable, Sendable {
    /// How list fields name their elements, besides the rules that are built in.
    public var additionalInflectionRules: [InflectionRule] = []
    /// Words with a capitalization of their own, such as `ID` in `userID`; the first rule that fits a word decides.
    public var additionalCapitalizationRules: [CapitalizationRule] = []
    /// Whether deprecated enum values become cases. Where an enum has no others, they do anyway.
    public var deprecatedEnumCases = Composition.include
    /// Whether the descriptions of the schema become doc comments.
    public var schemaDocumentation = Composition.include
    /// Whether declarations for deprecated members carry the reason, so that using them warns.
    public var warningsOnDeprecatedUsage = Composition.include
    /// Which models get a memberwise initializer.
    public var selectionSetInitializers = SelectionSetInitializers()
    /// What an operation carries of its document.
    public var operationDocumentFormat: Set<OperationDocumentFormat> = [.definition]
    /// Swift names by GraphQL names.
    public var customTypeNames: [String: CustomTypeName] = [:]
    /// Whether object types that no selection set names and no cache key needs are left out.
    public var reduceGeneratedSchemaTypes = false
    /// How the letter case of GraphQL names changes.
    public var conversionStrategies = ConversionStrategies()
    /// Whether generated files that are no longer needed are removed.
    public var pruneGeneratedFiles = true
    /// Whether the file names of schema types end in their kind, such as `.enum` or `.object`.
    public var appendSchemaTypeFilenameSuffix = false
    /// Whether generated files import `Apollo`, which exports `ApolloAPI`, instead of `ApolloAPI` itself, for projects where
    /// only the former is a module.
    public var cocoapodsCompatibleImportStatements = false
    /// Whether every generated type says `nonisolated`; `nil` says it unless the types are in a
    /// package of their own.
    public var markTypesNonisolated: Bool?

    /// The defaults.
    public init() {}
  }

  /// How the name of a list field becomes the name of one of its elements.
  public enum InflectionRule: Hashable, Sendable {
    /// Replaces what a regular expression matches in a plural; it matches in either letter case.
    case singularization(pluralRegex: String, replacementRegex: String)
    /// Only the expression is checked: names are never made plural.
    case pluralization(singularRegex: String, replacementRegex: String)
    /// A word whose plural follows no rule, such as `goose` and `geese`.
    case irregular(singular: String, plural: String)
    /// A word without a plural, such as `species`.
    case uncountable(word: String)
  }

  /// How a word inside a name is capitalized.
  public struct CapitalizationRule: Hashable, Sendable {
    /// Which words a rule is for.
    public enum Term: Hashable, Sendable {
      /// Exactly this word.
      case string(String)
      /// Every word that a regular expression matches.
      case regex(String)
    }
    /// What a rule makes of a word.
    public enum Strategy: Hashable, Sendable {
      /// All letters are upper case.
      case upper
      /// All letters are lower case.
      case lower
      /// The word is replaced by this text.
      case replace(String)
    }

    /// Which words the rule is for.
    public var term: Term
    /// What it makes of them.
    public var strategy: Strategy

    /// Makes a rule for the words of a term.
    public init(term: Term, strategy: Strategy) {
      self.term = term
      self.strategy = strategy
    }
  }

  /// What an operation carries of its document, to be sent to the server.
  public enum OperationDocumentFormat: String, Hashable, Sendable, CaseIterable {
    /// The text of the document.
    case definition
    /// The SHA-256 of the text, for persisted queries.
    case operationIdentifier
  }

  /// Which models get a memberwise initializer, besides those of local cache mutations.
  ///
  /// The fragments that one of them uses get it too: their models are part of what it takes.
  public struct SelectionSetInitializers: Hashable, Sendable {
    /// Whether all operations get one.
    public var operations = false
    /// Whether all fragments get one.
    public var namedFragments = false
    /// The names of further operations and fragments that get one.
    public var definitionsNamed: Set<String> = []

    /// The default: only local cache mutations have them.
    public init() {}
  }

  /// How a type of the schema, and its members, are called in Swift.
  public struct CustomTypeName: Hashable, Sendable {
    /// What the members of a renamed type are.
    public enum Kind: Hashable, Sendable {
      /// The type has no members that can be renamed.
      case type
      /// The members are the values of an enum.
      case `enum`
      /// The members are the fields of an input object.
      case inputObject
    }

    /// What the members are.
    public var kind: Kind
    /// The Swift name, when the type has another than in GraphQL.
    public var name: String?
    /// Swift names of cases or fields by their GraphQL names.
    public var members: [String: String] = [:]

    /// Makes a name; what is not given is called as in GraphQL.
    public init(kind: Kind, name: String? = nil, members: [String: String] = [:]) {
      self.kind = kind
      self.name = name
      self.members = members
    }
  }

  /// How the letter case of GraphQL names changes on the way to Swift.
  public struct ConversionStrategies: Hashable, Sendable {
    /// What happens to the letter case of enum values and input fields.
    public enum Casing: String, Hashable, Sendable, CaseIterable {
      /// The name stays as it is.
      case none
      /// `NEW_HOPE` and `new_hope` become `newHope`.
      case camelCase
    }
    /// What happens to the letter case of response fields.
    public enum FieldCasing: String, Hashable, Sendable, CaseIterable {
      /// The first letter is lower case, and nothing else changes.
      case idiomatic
      /// `first_name` becomes `firstName`.
      case camelCase
    }

    /// For the cases of enums.
    public var enumCases = Casing.camelCase
    /// For the properties that read the fields of a response.
    public var fieldAccessors = FieldCasing.idiomatic
    /// For the properties of input objects, and for variables.
    public var inputObjects = Casing.camelCase

    /// The defaults.
    public init() {}
  }

  /// Options that may still change their meaning.
  public struct ExperimentalFeatures: Hashable, Sendable {
    /// Whose fields a selection set shows besides its own.
    public var fieldMerging: FieldMerging = .all
    /// Whether `__typename` is sent only where the generator adds it, as documents of legacy safelists have it.
    public var legacySafelistingCompatibleOperations = false

    /// The defaults.
    public init() {}
  }

  /// Whose fields a selection set shows besides its own.
  public struct FieldMerging: OptionSet, Hashable, Sendable {
    /// One bit for each option.
    public let rawValue: Int

    /// Makes a set of the options whose bits are set.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The fields of enclosing selection sets for the same object.
    public static let ancestors = Self(rawValue: 1)
    /// The fields of inline fragments nearby whose type condition holds as well.
    public static let siblings = Self(rawValue: 2)
    /// The fields of fragments that are spread.
    public static let namedFragments = Self(rawValue: 4)
    /// All of them.
    public static let all: Self = [.ancestors, .siblings, .namedFragments]
  }

  /// The file that tells a server which operations an app uses.
  public struct OperationManifest: Hashable, Sendable {
    /// How the manifest is spelled.
    public enum Version: String, Hashable, Sendable, CaseIterable {
      /// A list of operations with identifier, body, name and type, for persisted query lists.
      case persistedQueries
      /// An object of names and sources by operation identifier.
      case legacy
    }

    /// The file to write, relative to the root folder.
    public var path: String
    /// How the manifest is spelled.
    public var version = Version.persistedQueries
    /// Whether generating code writes the manifest too.
    public var generateManifestOnCodeGeneration = false

    /// Makes a manifest for persisted queries, which is written only when asked for.
    public init(path: String) { self.path = path }
  }

  /// Where `fetch-schema` gets the schema from, and where it writes it.
  public struct SchemaDownload: Hashable, Sendable {
    /// How a downloaded schema is written.
    public enum OutputFormat: String, Hashable, Sendable, CaseIterable {
      /// As the schema definition language.
      case sdl = "SDL"
      /// As the result of an introspection query.
      case json = "JSON"
    }
    /// How an introspection query is sent.
    public enum HTTPMethod: Hashable, Sendable {
      /// In the body of a request.
      case post
      /// In the address, as this parameter.
      case get(queryParameterName: String = "query")
    }
    /// Asks a GraphQL server for its schema.
    public struct Introspection: Hashable, Sendable {
      /// The address of the server.
      public var endpointURL: String
      /// How the query is sent.
      public var httpMethod = HTTPMethod.post
      /// How the schema is written.
      public var outputFormat = OutputFormat.sdl
      /// Whether a server without the newest introspection is asked for deprecated input values.
      public var includeDeprecatedInputValues = false

      /// Makes a `POST` to this address, whose schema is written as SDL.
      public init(endpointURL: String) { self.endpointURL = endpointURL }
    }
    /// Asks the Apollo registry for a schema.
    public struct Registry: Hashable, Sendable {
      /// The secret key of the graph.
      public var apiKey: String
      /// The name of the graph.
      public var graphID: String
      /// The variant of the graph, such as `current`.
      public var variant = "current"

      /// Makes a request for one variant of a graph.
      public init(apiKey: String, graphID: String, variant: String = "current") {
        self.apiKey = apiKey
        self.graphID = graphID
        self.variant = variant
      }
    }
    /// Who is asked for the schema.
    public enum Method: Hashable, Sendable {
      /// A GraphQL server.
      case introspection(Introspection)
      /// The Apollo registry.
      case apolloRegistry(Registry)
    }
    /// An HTTP header that is sent with each request.
    public struct Header: Hashable, Sendable {
      /// The name of the header.
      public var key: String
      /// The value of the header.
      public var value: String

      /// Makes a header.
      public init(key: String, value: String) {
        self.key = key
        self.value = value
      }
    }

    /// Who is asked for the schema.
    public var method: Method
    /// How long a request may take, in seconds.
    public var timeout = 30.0
    /// Sent with each request.
    public var headers: [Header] = []
    /// The file to write, relative to the root folder.
    public var outputPath: String

    /// Makes a download that may take 30 seconds and sends no headers of its own.
    public init(method: Method, outputPath: String) {
      self.method = method
      self.outputPath = outputPath
    }
  }
}
