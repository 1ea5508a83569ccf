extension ApolloCodegenConfiguration {
  /// The presence of optional parts in generated code.
  public enum Composition: String, Hashable, Sendable, CaseIterable {
    /// It is generated.
    case include
    /// It is left out.
    case exclude
  }

  /// A protocol that models conform to besides `Hashable`.
  ///
  /// Each one makes every model larger, and takes the compiler longer.
  public enum AdditionalConformance: String, Hashable, Sendable, CaseIterable {
    /// Encodes and decodes the models of whole objects, such as with `JSONEncoder`.
    case codable = "Codable"
    /// Prints and dumps a model with the fields that it shows, and no others.
    case customReflectable = "CustomReflectable"
  }

  /// The form of generated code.
  public struct Options: Hashable, Sendable {
    /// Rules for the singular names of the elements of list fields, besides the built-in ones.
    public var additionalInflectionRules: [InflectionRule] = []
    /// Words with a capitalization of their own, such as `ID` in `userID`. The first rule that
    /// matches a word applies.
    public var additionalCapitalizationRules: [CapitalizationRule] = []
    /// Includes or excludes deprecated enum values. They are always included in an enum that has no
    /// others.
    public var deprecatedEnumCases = Composition.include
    /// Includes or excludes the descriptions of the schema as doc comments.
    public var schemaDocumentation = Composition.include
    /// Includes or excludes the reasons of deprecations, which make the compiler warn.
    public var warningsOnDeprecatedUsage = Composition.include
    /// The models that have a memberwise initializer.
    public var selectionSetInitializers = SelectionSetInitializers()
    /// The parts of its document that an operation carries.
    public var operationDocumentFormat: Set<OperationDocumentFormat> = [.definition]
    /// Swift names by GraphQL names.
    public var customTypeNames: [String: CustomTypeName] = [:]
    /// Leaves out object types that no selection set names and no cache key needs, if `true`.
    public var reduceGeneratedSchemaTypes = false
    /// The conversion of the letter case of GraphQL names.
    public var conversionStrategies = ConversionStrategies()
    /// Removes generated files that are no longer needed, if `true`.
    public var pruneGeneratedFiles = true
    /// Adds the kind, such as `.enum` or `.object`, to the file names of schema types, if `true`.
    public var appendSchemaTypeFilenameSuffix = false
    /// Imports `Apollo`, which exports `ApolloAPI`, instead of `ApolloAPI` itself, if `true`.
    ///
    /// This is for projects in which only `Apollo` is a module.
    public var cocoapodsCompatibleImportStatements = false
    /// Marks every generated type `nonisolated`, if `true`.
    ///
    /// If `nil`, types are marked unless they are in a package of their own.
    public var markTypesNonisolated: Bool?
    /// The protocols that models conform to besides `Hashable`.
    public var additionalConformances: Set<AdditionalConformance> = []

    /// Creates the default options.
    public init() {}
  }

  /// A rule that turns the name of a list field into the name of one of its elements.
  public enum InflectionRule: Hashable, Sendable {
    /// Replaces the part of a plural that a regular expression matches, in either letter case.
    case singularization(pluralRegex: String, replacementRegex: String)
    /// A rule for plurals. Only its expression is checked, because names are never made plural.
    case pluralization(singularRegex: String, replacementRegex: String)
    /// A word whose plural follows no rule, such as `goose` and `geese`.
    case irregular(singular: String, plural: String)
    /// A word without a plural, such as `species`.
    case uncountable(word: String)
  }

  /// A rule for the capitalization of a word inside a name.
  public struct CapitalizationRule: Hashable, Sendable {
    /// The words that a rule applies to.
    public enum Term: Hashable, Sendable {
      /// Exactly this word.
      case string(String)
      /// Every word that a regular expression matches.
      case regex(String)
    }
    /// The change that a rule makes to a word.
    public enum Strategy: Hashable, Sendable {
      /// All letters are upper case.
      case upper
      /// All letters are lower case.
      case lower
      /// The word is replaced by this text.
      case replace(String)
    }

    /// The words that the rule applies to.
    public var term: Term
    /// The change that it makes to them.
    public var strategy: Strategy

    /// Creates a rule for the words of a term.
    public init(term: Term, strategy: Strategy) {
      self.term = term
      self.strategy = strategy
    }
  }

  /// A part of its document that an operation carries, to be sent to the server.
  public enum OperationDocumentFormat: String, Hashable, Sendable, CaseIterable {
    /// The text of the document.
    case definition
    /// The SHA-256 of the text, for persisted queries.
    case operationIdentifier
  }

  /// The models that have a memberwise initializer, besides those of local cache mutations.
  ///
  /// The fragments that such a model uses have one too, because values of their models are needed
  /// to create it.
  public struct SelectionSetInitializers: Hashable, Sendable {
    /// Includes all operations, if `true`.
    public var operations = false
    /// Includes all fragments, if `true`.
    public var namedFragments = false
    /// The names of further operations and fragments.
    public var definitionsNamed: Set<String> = []

    /// Creates the default: only local cache mutations have initializers.
    public init() {}
  }

  /// The Swift names of a type of the schema and of its members.
  public struct CustomTypeName: Hashable, Sendable {
    /// The kind of the members of a renamed type.
    public enum Kind: Hashable, Sendable {
      /// The type has no members that can be renamed.
      case type
      /// The members are the values of an enum.
      case `enum`
      /// The members are the fields of an input object.
      case inputObject
    }

    /// The kind of the members.
    public var kind: Kind
    /// The Swift name of the type, or `nil` to use its GraphQL name.
    public var name: String?
    /// Swift names of cases or fields by their GraphQL names.
    public var members: [String: String] = [:]

    /// Creates names. A name that is not given follows from the GraphQL name.
    public init(kind: Kind, name: String? = nil, members: [String: String] = [:]) {
      self.kind = kind
      self.name = name
      self.members = members
    }
  }

  /// The conversion of the letter case of GraphQL names.
  public struct ConversionStrategies: Hashable, Sendable {
    /// The conversion of enum values and input fields.
    public enum Casing: String, Hashable, Sendable, CaseIterable {
      /// The name stays as it is.
      case none
      /// `NEW_HOPE` and `new_hope` become `newHope`.
      case camelCase
    }
    /// The conversion of response fields.
    public enum FieldCasing: String, Hashable, Sendable, CaseIterable {
      /// The first letter becomes lower case.
      case idiomatic
      /// `first_name` becomes `firstName`.
      case camelCase
    }

    /// The conversion of the cases of enums.
    public var enumCases = Casing.camelCase
    /// The conversion of the properties that read the fields of a response.
    public var fieldAccessors = FieldCasing.idiomatic
    /// The conversion of the properties of input objects, and of variables.
    public var inputObjects = Casing.camelCase

    /// Creates the default conversions.
    public init() {}
  }

  /// Options that may still change their meaning.
  public struct ExperimentalFeatures: Hashable, Sendable {
    /// The selection sets whose fields a model shows besides its own.
    public var fieldMerging: FieldMerging = .all
    /// Sends `__typename` only where the generator adds it, as documents of legacy safelists do, if
    /// `true`.
    public var legacySafelistingCompatibleOperations = false
    /// Accepts directives on directive definitions in the schema, and extensions of directives, if
    /// `true`. They are a part of the specification's draft.
    public var directivesOnDirectiveDefinitions = false
    /// Accepts variables of fragments and arguments of spreads, if `true`. The selections of such
    /// fragments are sent and generated in place of each spread. They are a proposal for the
    /// specification.
    public var fragmentArguments = false

    /// Creates the default features.
    public init() {}
  }

  /// The selection sets whose fields a model shows besides its own.
  public struct FieldMerging: OptionSet, Hashable, Sendable {
    /// One bit for each option.
    public let rawValue: Int

    /// Creates a set of the options whose bits are set.
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

  /// The file that lists the operations of an app for a server.
  public struct OperationManifest: Hashable, Sendable {
    /// The format of a manifest.
    public enum Version: String, Hashable, Sendable, CaseIterable {
      /// A list of operations with identifier, body, name and type, for persisted query lists.
      case persistedQueries
      /// An object of names and sources by operation identifier.
      case legacy
    }

    /// The file to write, relative to the root folder.
    public var path: String
    /// The format of the manifest.
    public var version = Version.persistedQueries
    /// Writes the manifest whenever code is generated, if `true`.
    public var generateManifestOnCodeGeneration = false

    /// Creates a manifest for persisted queries, which is written on request only.
    public init(path: String) { self.path = path }
  }

  /// The source of `fetch-schema`, and the file that it writes.
  public struct SchemaDownload: Hashable, Sendable {
    /// The format of a downloaded schema.
    public enum OutputFormat: String, Hashable, Sendable, CaseIterable {
      /// The schema definition language.
      case sdl = "SDL"
      /// The result of an introspection query.
      case json = "JSON"
    }
    /// The HTTP method of an introspection query.
    public enum HTTPMethod: Hashable, Sendable {
      /// The query is in the body of the request.
      case post
      /// The query is a parameter of the address.
      case get(queryParameterName: String = "query")
    }
    /// An introspection query to a GraphQL server.
    public struct Introspection: Hashable, Sendable {
      /// The address of the server.
      public var endpointURL: String
      /// The HTTP method of the query.
      public var httpMethod = HTTPMethod.post
      /// The format of the schema.
      public var outputFormat = OutputFormat.sdl
      /// Requests deprecated input values from a server that lacks the newest introspection, if
      /// `true`.
      public var includeDeprecatedInputValues = false
      /// The number of `ofType` in each type of the query, for a server that limits the depth of
      /// queries. `[T!]!` needs three. If it is `nil`, the query has nine, and three if the server
      /// refuses that.
      public var typeDepth: Int?

      /// The depths that a query can have.
      package static let typeDepths = 1...9

      /// Creates a `POST` to this address, whose schema is written as SDL.
      public init(endpointURL: String) { self.endpointURL = endpointURL }
    }
    /// A request for a schema of the Apollo registry.
    public struct Registry: Hashable, Sendable {
      /// The secret key of the graph.
      public var apiKey: String
      /// The name of the graph.
      public var graphID: String
      /// The variant of the graph, such as `current`.
      public var variant = "current"

      /// Creates a request for one variant of a graph.
      public init(apiKey: String, graphID: String, variant: String = "current") {
        self.apiKey = apiKey
        self.graphID = graphID
        self.variant = variant
      }
    }
    /// The source of the schema.
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

      /// Creates a header.
      public init(key: String, value: String) {
        self.key = key
        self.value = value
      }
    }

    /// The source of the schema.
    public var method: Method
    /// The timeout of a request, in seconds.
    public var timeout = 30.0
    /// The headers that are sent with each request.
    public var headers: [Header] = []
    /// The file to write, relative to the root folder.
    public var outputPath: String

    /// Creates a download with a timeout of 30 seconds and without headers of its own.
    public init(method: Method, outputPath: String) {
      self.method = method
      self.outputPath = outputPath
    }
  }
}
