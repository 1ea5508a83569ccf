// swift-tools-version: 6.1
import Foundation
import PackageDescription

/// The platforms whose HTTP engine is libcurl; the others use `URLSession`.
///
/// With `APOLLO_ENGINE=URLSession` in the environment, Linux builds the code for Apple platforms in
/// place of its own, and only the modules that this concerns. See `scripts/test-urlsession`.
let usesURLSession = Context.environment["APOLLO_ENGINE"] == "URLSession"
let curlPlatforms: [Platform] = usesURLSession ? [] : [.linux]

/// The settings that every target is compiled with.
let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + curlPlatforms.map { .define("CURL", .when(platforms: [$0])) }

/// The settings of a module that does little but call others: release builds do not optimize it.
///
/// SwiftPM accepts such options of dependencies since 6.2. Older versions read
/// Package@swift-6.1.swift, which differs in its first line alone.
#if compiler(>=6.2)
  let unoptimized: [SwiftSetting] = [.unsafeFlags(["-Onone"], .when(configuration: .release))]
#else
  let unoptimized: [SwiftSetting] = []
#endif

/// The variables of the environment by which plugins run an `apollo-cli` that exists already; see
/// the article "The build plugin".
///
/// - `APOLLO_CLI` names an installed one. The build plugin does not depend on the tool then, since
///   the Swift Package Manager builds whatever a plugin depends on.
/// - `APOLLO_CLI_BUNDLE` names an artifact bundle, which scripts/tool-bundle makes: its path from
///   the folder of this manifest, or its URL and checksum with a space between them.
let installedTool = Context.environment["APOLLO_CLI"].flatMap {
  ["", "build"].contains($0) ? nil : $0
}
let toolBundle = Context.environment["APOLLO_CLI_BUNDLE"].flatMap { $0.isEmpty ? nil : $0 }
let generatingTool: [Target.Dependency] =
  installedTool != nil && toolBundle == nil ? [] : ["apollo-cli"]
/// Command plugins build the product `apollo-cli` themselves when no tool exists.
let commandTool: [Target.Dependency] = toolBundle == nil ? [] : ["apollo-cli"]

/// The libraries with which `apollo-cli cache` reads caches: those whose headers are installed, so
/// that nobody needs SQLite or Redis to generate code.
///
/// With `APOLLO_CLI_CACHES=none` in the environment, the tool needs no library of the system, as in
/// an artifact bundle.
let cacheLibraries: (sqlite: Bool, redis: Bool) = {
  func isInstalled(_ header: String) -> Bool {
    ["/usr/include", "/usr/local/include", "/opt/homebrew/include"].contains {
      FileManager.default.fileExists(atPath: "\($0)/\(header)")
    }
  }
  #if os(Linux)
    let hasSQLite = isInstalled("sqlite3.h")
  #else
    let hasSQLite = true
  #endif
  guard Context.environment["APOLLO_CLI_CACHES"] != "none" else { return (false, false) }
  return (hasSQLite, isInstalled("hiredis/hiredis.h"))
}()

/// The modules of the libraries, and the conditions of code that uses them.
let cacheModules: [Target.Dependency] =
  (cacheLibraries.sqlite ? ["ApolloSQLite"] : []) + (cacheLibraries.redis ? ["ApolloRedis"] : [])
let cacheSettings: [SwiftSetting] =
  (cacheLibraries.sqlite ? [.define("SQLITE")] : [])
  + (cacheLibraries.redis ? [.define("REDIS")] : [])

/// A module under `Sources`, with its tests under `Tests`.
func module(
  _ name: String,
  dependencies: [Target.Dependency] = [],
  tests testDependencies: [Target.Dependency] = [],
  fixtures: [String] = [],
  moreSettings: [SwiftSetting] = []
) -> [Target] {
  [
    .target(name: name, dependencies: dependencies, swiftSettings: settings + moreSettings),
    .testTarget(
      name: "\(name)Tests",
      dependencies: [.target(name: name)] + dependencies + testDependencies,
      exclude: fixtures,
      swiftSettings: settings),
  ]
}

/// The code of a page of Apollo iOS 0.x or 1.x with its tests, in the Swift 5 language mode.
///
/// - Parameters:
///   - name: The name of the folder in `Tests/Pages`.
///   - dependencies: Further modules that the code imports.
///   - generates: `true` if the folder has a configuration, documents and generated code.
/// - Returns: The target.
func page(
  _ name: String, dependencies: [Target.Dependency] = [], generates: Bool = false
) -> Target {
  .testTarget(
    name: "\(name)PageTests",
    dependencies: ["Apollo", "ApolloAPI", "LoopbackServer"] + dependencies,
    path: "Tests/Pages/\(name)",
    exclude: generates ? ["GraphQL", "apollo-codegen-config.json"] : [],
    swiftSettings: [.swiftLanguageMode(.v5)])
}

// Debian's package description has a flag that SwiftPM rejects, and the headers are where every
// compiler looks for them.
#if os(Linux)
  let hiredisPackage: String? = nil
#else
  let hiredisPackage: String? = "hiredis"
#endif

let package = Package(
  name: "apollo-swift",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "Apollo", targets: ["Apollo"]),
    .library(name: "ApolloAPI", targets: ["ApolloAPI"]),
    .library(name: "ApolloCache", targets: ["ApolloCache"]),
    .library(name: "ApolloSQLite", targets: ["ApolloSQLite"]),
    .library(name: "ApolloRedis", targets: ["ApolloRedis"]),
    .library(name: "ApolloWebSocket", targets: ["ApolloWebSocket"]),
    .library(name: "ApolloObservation", targets: ["ApolloObservation"]),
    .library(name: "ApolloOffline", targets: ["ApolloOffline"]),
    .library(name: "ApolloPagination", targets: ["ApolloPagination"]),
    .library(name: "ApolloTestSupport", targets: ["ApolloTestSupport"]),
    .library(name: "ApolloFakeServer", targets: ["ApolloFakeServer"]),
    .library(name: "ApolloInspector", targets: ["ApolloInspector"]),
    .library(name: "ApolloCodegenLib", targets: ["ApolloCodegenLib"]),
    .executable(name: "apollo-cli", targets: ["apollo-cli"]),
    .plugin(name: "ApolloCodegenPlugin", targets: ["ApolloCodegenPlugin"]),
    .plugin(name: "ApolloCommandPlugin", targets: ["ApolloCommandPlugin"]),
    .plugin(name: "ApolloCheckPlugin", targets: ["ApolloCheckPlugin"]),
    .plugin(name: "ApolloFetchSchemaPlugin", targets: ["ApolloFetchSchemaPlugin"]),
  ],
  // Parts of `Apollo` and of the tool that a program can leave out, and then does not compile; see
  // the article "Installation". scripts/test-traits builds and runs both without them.
  traits: [
    .trait(
      name: "WebSocket",
      description: "Apollo exports ApolloWebSocket, and has a FallbackNetworkTransport."),
    .trait(
      name: "DeveloperCommands",
      description: "apollo-cli has the commands cache, mock, record and lsp."),
    .default(enabledTraits: ["WebSocket", "DeveloperCommands"]),
  ],
  targets: [
    // Linked into programs.
    module("ApolloAPI", tests: ["SeededRandom", "ShapesAPI", "SmallStack"]),
    module(
      "ApolloCache", dependencies: ["ApolloAPI"],
      tests: ["ApolloSQLite", "SeededRandom", "SmallStack", "TestOperations"]),
    module(
      "ApolloSQLite", dependencies: ["ApolloCache", "ApolloAPI", "CSQLite"],
      tests: ["CFaultyFiles", "NaiveCache", "SeededRandom", "TestOperations"]),
    module(
      "ApolloRedis",
      dependencies: ["ApolloCache", "ApolloAPI", "ApolloHashing", "CHiredis", "CZlib"],
      tests: [
        "ApolloInspector", "CacheInspection", "CacheLocations", "LoopbackServer", "NaiveCache",
        "SeededRandom", "TestOperations", "TestProcesses",
      ]),
    module(
      "ApolloTransport",
      dependencies: [
        "ApolloAPI", "ApolloHashing",
      ]
        + curlPlatforms.flatMap { platform -> [Target.Dependency] in
          [
            .target(name: "CurlShim", condition: .when(platforms: [platform])),
            .target(name: "CZlib", condition: .when(platforms: [platform])),
          ]
        },
      tests: [
        "LoopbackServer", "ManualClock", "MutatedResponses", "SeededRandom", "TestOperations",
        "TestProcesses",
      ]),
    module(
      "ApolloWebSocket",
      dependencies: ["ApolloTransport", "ApolloAPI", "ApolloHashing", "CZlib"],
      tests: [
        "CMemoryUse", "LoopbackServer", "ScriptedSocket", "SeededRandom", "TestOperations",
        "TestProcesses",
      ], fixtures: ["Servers"]),
    module(
      "Apollo",
      dependencies: [
        "ApolloAPI", "ApolloCache", "ApolloTransport",
        .target(name: "ApolloWebSocket", condition: .when(traits: ["WebSocket"])),
      ],
      tests: [
        "ApolloSQLite", "ApolloTestSupport", "CMemoryUse", "LoopbackServer",
        "ManualClock", "ScriptedSocket", "SeededRandom", "SimulatedLists", "SimulatedRequests",
        "StarWarsAPI", "TestOperations",
      ], fixtures: ["CallTable/Golden"]),
    module(
      "ApolloObservation", dependencies: ["Apollo", "ApolloAPI"],
      tests: [
        "ApolloCache", "ApolloSQLite", "ApolloTestSupport", "ApolloTransport", "MockingAPI",
        "MockingAPITestMocks", "TestOperations",
      ]),
    module(
      "ApolloPagination", dependencies: ["Apollo", "ApolloAPI"],
      tests: [
        "ApolloCache", "ApolloTestSupport", "ApolloTransport", "CatalogAPI", "SeededRandom",
        "TestOperations",
      ]),
    module(
      "ApolloOffline",
      dependencies: ["Apollo", "ApolloAPI", "ApolloCache", "ApolloSQLite", "ApolloTransport"],
      tests: [
        "LoopbackServer", "ManualClock", "SeededRandom", "TestOperations", "TestProcesses",
        "offline-stress",
      ]),
    // Changes data offline until it is killed; for tests and scripts/stress.
    [
      .executableTarget(
        name: "offline-stress",
        dependencies: ["Apollo", "ApolloOffline", "ApolloSQLite", "TestOperations"],
        path: "Tests/OfflineStress", swiftSettings: settings)
    ],
    module(
      "ApolloTestSupport", dependencies: ["ApolloAPI", "ApolloRecording", "ApolloTransport"],
      tests: [
        "Apollo", "LoopbackServer", "MockingAPI", "MockingAPITestMocks", "ShapesAPI",
        "TestOperations",
      ]),
    // The lines of recorded sessions, for the transports of `ApolloTestSupport` and for the tool.
    module("ApolloRecording", dependencies: ["ApolloAPI"], tests: ["ApolloTransport"]),
    // Generated code. The tests of the generator compare it with what was reviewed.
    [
      .target(name: "MockingAPI", dependencies: ["ApolloAPI"], path: "Tests/MockingAPI"),
      .target(
        name: "MockingAPITestMocks", dependencies: ["MockingAPI", "ApolloTestSupport"],
        path: "Tests/MockingAPITestMocks"),
    ],
    // A scripted server on a free loopback port, for tests.
    [.target(name: "LoopbackServer", path: "Tests/LoopbackServer", swiftSettings: settings)],
    // A WebSocket connection without a network, for tests that play the server.
    [
      .target(
        name: "ScriptedSocket", dependencies: ["ApolloWebSocket", "ApolloAPI"],
        path: "Tests/ScriptedSocket", swiftSettings: settings)
    ],
    // A clock that tests advance.
    [
      .target(
        name: "ManualClock", dependencies: ["ApolloAPI", "ApolloTransport"],
        path: "Tests/ManualClock", swiftSettings: settings)
    ],
    // Random schedules of requests, responses and writes, and the law of their order, written a
    // second time.
    [
      .target(
        name: "SimulatedRequests",
        dependencies: [
          "Apollo", "ApolloAPI", "ApolloCache", "ApolloObservation", "ApolloTransport",
          "SeededRandom", "TestOperations",
        ], path: "Tests/SimulatedRequests", swiftSettings: settings),
      .executableTarget(
        name: "order-stress",
        dependencies: [
          "ApolloCache", "ApolloRedis", "ApolloSQLite", "SeededRandom", "SimulatedRequests",
        ], path: "Tests/OrderStress", swiftSettings: settings),
    ],
    // Random changes of lists that the cache merges, and the rules of these lists, written a second
    // time.
    [
      .target(
        name: "SimulatedLists",
        dependencies: ["ApolloAPI", "ApolloCache", "SeededRandom", "TestOperations"],
        path: "Tests/SimulatedLists", swiftSettings: settings),
      .executableTarget(
        name: "list-stress",
        dependencies: ["ApolloCache", "ApolloSQLite", "SeededRandom", "SimulatedLists"],
        path: "Tests/ListStress", swiftSettings: settings),
    ],
    // Broken responses without end, for tests of the HTTP engine and for scripts/fuzz.
    [
      .target(
        name: "MutatedResponses",
        dependencies: ["ApolloTransport", "CZlib", "LoopbackServer", "SeededRandom"],
        path: "Tests/MutatedResponses", swiftSettings: settings),
      .executableTarget(
        name: "fuzz-http", dependencies: ["ApolloTransport", "MutatedResponses"],
        path: "Fuzz/HTTP", swiftSettings: settings),
    ],
    // Threads with small stacks, for tests of code that must not recurse.
    [.target(name: "SmallStack", path: "Tests/SmallStack", swiftSettings: settings)],
    // The rules of merging, written a second time, to compare the caches with.
    [
      .target(
        name: "NaiveCache", dependencies: ["ApolloAPI", "ApolloCache", "SeededRandom"],
        path: "Tests/NaiveCache", swiftSettings: settings)
    ],
    // Random numbers from a seed, so that a failure can be repeated.
    [.target(name: "SeededRandom", path: "Tests/SeededRandom", swiftSettings: settings)],
    // Projects whose names collide, for tests of the generator.
    [
      .target(
        name: "RandomProjects", dependencies: ["SeededRandom"], path: "Tests/RandomProjects",
        swiftSettings: settings)
    ],
    // Code in the shape of generated code, written by hand, for tests of the runtime.
    [
      .target(
        name: "TestOperations", dependencies: ["ApolloAPI"], path: "Tests/TestOperations",
        swiftSettings: settings)
    ],
    // Generated code with one field of every shape, for tests of the decoder.
    [
      .target(
        name: "ShapesAPI", dependencies: ["ApolloAPI"], path: "Tests/ShapesAPI/Generated",
        swiftSettings: settings)
    ],
    [
      .systemLibrary(
        name: "CSQLite", pkgConfig: "sqlite3",
        providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])])
    ],
    // The C library of Redis.
    [
      .systemLibrary(
        name: "CHiredis", pkgConfig: hiredisPackage,
        providers: [.apt(["libhiredis-dev"]), .brew(["hiredis"])])
    ],
    // Compresses and decompresses messages.
    [
      .systemLibrary(
        name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])])
    ],
    // The system's HTTP engine, on Linux, and the calls to it that Swift cannot make.
    [
      .systemLibrary(
        name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
      .target(
        name: "CurlShim",
        dependencies: [.target(name: "CCurl", condition: .when(platforms: [.linux]))]),
    ],

    // Shared by both halves: the hashes that identify operations.
    module("ApolloHashing"),

    // Run on the developer's machine.
    module("GraphQLSyntax", tests: ["CorpusSupport"], fixtures: ["Documents"]),
    module(
      "GraphQLSchema", dependencies: ["GraphQLSyntax"],
      tests: ["CorpusSupport", "GraphQLValidation"], fixtures: ["Documents"]),
    module(
      "GraphQLValidation", dependencies: ["GraphQLSyntax", "GraphQLSchema"],
      tests: ["CorpusSupport"], fixtures: ["Documents"]),
    // Reads the reference corpora, where they lie beside the package, and counts how many cases
    // agree.
    [.target(name: "CorpusSupport", path: "Tests/CorpusSupport", swiftSettings: settings)],
    module(
      "ApolloIR", dependencies: ["GraphQLSyntax", "GraphQLSchema", "GraphQLValidation"],
      fixtures: ["Fixtures"]),
    module("SwiftSource"),
    module(
      "ApolloCodegenLib",
      dependencies: [
        "ApolloHashing", "ApolloIR", "SwiftSource", "GraphQLSyntax", "GraphQLSchema",
        "GraphQLValidation",
      ],
      tests: [
        "Apollo", "ApolloAPI", "ApolloCache", "CorpusSupport", "GeneratedCorpus", "MockingAPI",
        "SeededRandom",
      ],
      fixtures: ["Documents", "Fixtures"]),
    module(
      "GraphQLFakeServer",
      dependencies: ["ApolloAPI", "GraphQLSchema", "GraphQLSyntax", "GraphQLValidation"],
      tests: ["CorpusSupport", "GeneratedCorpus", "SmallStack"]),
    // The fake server in process, for tests of programs.
    module(
      "ApolloFakeServer", dependencies: ["ApolloAPI", "ApolloTransport", "GraphQLFakeServer"],
      tests: [
        "Apollo", "ApolloTestSupport", "SeededRandom", "ShapesAPI", "StarWarsAPI", "TestOperations",
      ]),
    module(
      "GraphQLLanguageServer",
      dependencies: ["ApolloCodegenLib", "GraphQLSyntax", "GraphQLSchema", "GraphQLValidation"],
      tests: ["CorpusSupport", "SeededRandom"]),
    // A look into caches: the module that knows no kind of cache is part of programs too.
    [
      .target(
        name: "CacheInspection", dependencies: ["ApolloAPI", "ApolloCache", "LocalHTTP"],
        swiftSettings: settings),
      .target(
        name: "CacheLocations", dependencies: ["ApolloCache", "CacheInspection"] + cacheModules,
        swiftSettings: settings + cacheSettings),
      .testTarget(
        name: "CacheInspectionTests",
        dependencies: [
          "ApolloAPI", "ApolloCache", "CacheInspection", "CacheLocations", "LocalHTTP",
          "LoopbackServer",
          "NaiveCache", "SeededRandom", "TestOperations",
        ] + cacheModules + (cacheLibraries.sqlite ? ["CSQLite"] : []),
        swiftSettings: settings + cacheSettings),
    ],
    // The page of caches, and what happens, over a running program.
    module(
      "ApolloInspector",
      dependencies: [
        "ApolloAPI", "ApolloCache", "ApolloRecording", "ApolloTransport", "CacheInspection",
      ],
      tests: ["Apollo", "ApolloSQLite", "LoopbackServer", "TestOperations"]),
    // The server of commands that show a page or stand in for a server.
    module(
      "LocalHTTP", dependencies: ["ApolloAPI", "ApolloHashing"], tests: ["LoopbackServer"],
      moreSettings: unoptimized),
    [
      .executableTarget(
        name: "apollo-cli",
        dependencies: [
          "ApolloCodegenLib", "GraphQLSyntax", "GraphQLSchema", "GraphQLValidation",
        ]
          + [
            "ApolloAPI", "ApolloRecording", "CacheInspection", "CacheLocations",
            "GraphQLFakeServer", "GraphQLLanguageServer", "LocalHTTP",
          ].map { .target(name: $0, condition: .when(traits: ["DeveloperCommands"])) },
        swiftSettings: settings + unoptimized),
      // Generates while a target is built; see Examples/BuildPlugin.
      .plugin(
        name: "ApolloCodegenPlugin", capability: .buildTool(), dependencies: generatingTool),
      // swift package apollo … Few commands use the network, and no permission lets a plugin accept
      // connections, so it asks for none; see "Permissions of plugins" in "The command line".
      .plugin(
        name: "ApolloCommandPlugin",
        capability: .command(
          intent: .custom(
            verb: "apollo", description: "Runs apollo-cli: generate, validate, format, schema, …"),
          permissions: [
            .writeToPackageDirectory(reason: "'generate', 'format' and others write files.")
          ]),
        dependencies: commandTool),
      // swift package apollo-check …, and apollo-fetch-schema: SwiftPM asks for all permissions of
      // a verb at every call, so commands with fewer or more of them have verbs of their own.
      .plugin(
        name: "ApolloCheckPlugin",
        capability: .command(
          intent: .custom(
            verb: "apollo-check",
            description: "Runs the commands of apollo-cli that write nothing: validate, lint, …")),
        dependencies: commandTool),
      .plugin(
        name: "ApolloFetchSchemaPlugin",
        capability: .command(
          intent: .custom(
            verb: "apollo-fetch-schema", description: "Downloads the schema of a server."),
          permissions: [
            .allowNetworkConnections(
              scope: .all(ports: []), reason: "The server is asked for its schema."),
            .writeToPackageDirectory(reason: "The schema is written to a file."),
          ]),
        dependencies: commandTool),
    ],

    // File system calls that fail on demand, for tests of the cache on disk.
    [.target(name: "CFaultyFiles", dependencies: ["CSQLite"], path: "Tests/CFaultyFiles")],

    // A way for tests to start programs, and a program to start and kill, which scripts/stress uses
    // too.
    [
      .target(name: "CSpawn", path: "Tests/CSpawn"),
      .target(
        name: "TestProcesses", dependencies: ["CSpawn", "LoopbackServer"],
        path: "Tests/TestProcesses", swiftSettings: settings),
      .executableTarget(
        name: "cache-stress", dependencies: ["ApolloCache", "ApolloSQLite"],
        path: "Tests/CacheStress", swiftSettings: settings),
      .executableTarget(
        name: "redis-stress", dependencies: ["ApolloCache", "ApolloRedis"],
        path: "Tests/RedisStress", swiftSettings: settings),
    ],

    // Sends requests for a long time; for scripts/soak.
    [
      .target(name: "CMemoryUse", path: "Tests/CMemoryUse"),
      .executableTarget(
        name: "http-soak",
        dependencies: [
          "Apollo", "ApolloAPI", "ApolloTransport", "CMemoryUse", "LoopbackServer",
          "TestOperations",
        ],
        path: "Tests/HTTPSoak", swiftSettings: settings),
    ],

    // Checks what reaches a client through a proxy; for scripts/proxies.
    [
      .executableTarget(
        name: "proxy-checks", dependencies: ["Apollo", "TestOperations"],
        path: "Tests/ProxyChecks", exclude: ["Server", "Smallest"], swiftSettings: settings)
    ],

    // Generates code for the reference corpora and checks what the models read.
    [
      .target(
        name: "ModelChecking", dependencies: ["ApolloAPI"], path: "Tests/ModelChecking",
        swiftSettings: settings),
      .target(
        name: "GeneratedCorpus",
        dependencies: [
          "ApolloAPI", "ApolloCodegenLib", "GraphQLSchema", "GraphQLSyntax", "GraphQLValidation",
          "ModelChecking", "RandomProjects", "SeededRandom",
        ],
        path: "Tests/GeneratedCorpus", swiftSettings: settings),
      // For scripts/corpus.
      .executableTarget(
        name: "generated-corpus",
        dependencies: ["ApolloAPI", "GeneratedCorpus"],
        path: "Tests/GeneratedCorpusRun", exclude: ["Program"], swiftSettings: settings),
    ],

    [
      .target(
        name: "PostsAPI", dependencies: ["ApolloAPI"], path: "Tests/Pages/PostsAPI/Generated",
        swiftSettings: settings),
      page("CreatingAClient", dependencies: ["TestOperations"]),
      page("FetchingQueries", generates: true),
      page("FetchingData", dependencies: ["TestOperations"], generates: true),
      page("Fragments", generates: true),
      page("Mutations", dependencies: ["PostsAPI"]),
    ],

    // The generated code of an example with long lists.
    [
      .target(
        name: "CatalogAPI", dependencies: ["ApolloAPI"],
        path: "Examples/Catalog/Sources/CatalogAPI")
    ],

    // Everything together, against real servers, with the generated code of the example.
    [
      .target(
        name: "StarWarsAPI", dependencies: ["ApolloAPI"],
        path: "Examples/StarWars/Sources/StarWarsAPI"),
      // The client against the server libraries that speak GraphQL over WebSockets.
      .testTarget(
        name: "SubscriptionServerTests",
        dependencies: ["Apollo", "LoopbackServer", "TestOperations", "TestProcesses"],
        exclude: ["Servers"],
        swiftSettings: settings),
      .testTarget(
        name: "IntegrationTests",
        dependencies: [
          "Apollo", "ApolloCodegenLib", "ApolloFakeServer", "ApolloObservation", "ApolloOffline",
          "ApolloPagination", "ApolloRedis",
          "ApolloSQLite", "ApolloTestSupport", "CatalogAPI", "CorpusSupport", "GraphQLSyntax",
          "LoopbackServer", "PostsAPI",
          "RandomProjects", "StarWarsAPI", "TestProcesses", "apollo-cli", "cache-stress",
        ],
        exclude: ["Servers"],
        swiftSettings: settings),
    ],
  ].flatMap { $0 },
  swiftLanguageModes: [.v6]
)

if usesURLSession {
  let needed = names(
    reachedFrom: ["ApolloTransportTests", "ApolloWebSocketTests", "ApolloTests"],
    in: package.targets)
  package.products = []
  package.targets.removeAll { !needed.contains($0.name) }
}

if let toolBundle {
  package.products.removeAll { $0.name == "apollo-cli" }
  package.targets.removeAll { ["apollo-cli", "IntegrationTests"].contains($0.name) }
  let parts = toolBundle.split(separator: " ").map(String.init)
  package.targets.append(
    // A path can have a space, too.
    parts.count == 2 && parts[0].contains("://")
      ? .binaryTarget(name: "apollo-cli", url: parts[0], checksum: parts[1])
      : .binaryTarget(name: "apollo-cli", path: toolBundle))
}

/// Returns the names of some targets and of all that they depend on.
func names(reachedFrom first: [String], in targets: [Target]) -> Set<String> {
  var (found, rest) = (Set<String>(), first)
  while let name = rest.popLast() {
    guard found.insert(name).inserted else { continue }
    for dependency in targets.first(where: { $0.name == name })?.dependencies ?? [] {
      switch dependency {
      case .targetItem(let name, _), .byNameItem(let name, _), .productItem(let name, _, _, _):
        rest.append(name)
      @unknown default: break
      }
    }
  }
  return found
}
