// swift-tools-version: 6.1
import Foundation
import PackageDescription

/// The baseline in C++ is measured when the library is installed, such as by `apt-get install
/// libsimdjson-dev`.
let hasSimdjson = FileManager.default.fileExists(atPath: "/usr/include/simdjson.h")

/// The flags for the baseline in C++. `BENCHMARK_CXX_FLAGS="-O2" scripts/bench engine` measures
/// others.
let cxxFlags = (ProcessInfo.processInfo.environment["BENCHMARK_CXX_FLAGS"] ?? "-O3")
  .split(separator: " ").map(String.init)

/// Measurements, in a package of their own so that users of the client do not build them.
/// `scripts/bench` builds this package for release and runs it.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "apollo-swift", path: "..")
  ],
  targets: [
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "BenchmarkAPI",
        "CAllocationCounter",
        "CCurlPrograms",
        "CRedisPrograms",
        "CSimdjson",
        "PartFraming",
        "SocketFraming",
        .product(name: "Apollo", package: "apollo-swift"),
        .product(name: "ApolloAPI", package: "apollo-swift"),
        .product(name: "ApolloCache", package: "apollo-swift"),
        .product(name: "ApolloOffline", package: "apollo-swift"),
        .product(name: "ApolloRedis", package: "apollo-swift"),
        .product(name: "ApolloSQLite", package: "apollo-swift"),
        .product(name: "ApolloCodegenLib", package: "apollo-swift"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]),
    // Written by `apollo-cli generate` from GraphQL/.
    .target(
      name: "BenchmarkAPI",
      dependencies: [.product(name: "ApolloAPI", package: "apollo-swift")]),
    .target(name: "CAllocationCounter"),
    // Links to the sources of a part of ApolloTransport that is not public.
    .target(
      name: "PartFraming",
      dependencies: [.product(name: "ApolloAPI", package: "apollo-swift")],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]),
    // Links to the sources of a part of ApolloWebSocket that is not public.
    .target(
      name: "SocketFraming",
      dependencies: [.product(name: "ApolloWebSocket", package: "apollo-swift")],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]),
    // Two programs that only fetch, to compare their sizes.
    .executableTarget(
      name: "fetch-apollo",
      dependencies: ["BenchmarkAPI", .product(name: "Apollo", package: "apollo-swift")]),
    .executableTarget(name: "fetch-urlsession"),
    // Measures other programs.
    .executableTarget(name: "process-meter"),
    // What HTTP clients are compared with, and the server for them.
    .target(
      name: "CCurlPrograms", linkerSettings: [.linkedLibrary("curl", .when(platforms: [.linux]))]),
    .executableTarget(name: "loopback-server"),
    // What the cache on Redis is compared with.
    .target(name: "CRedisPrograms", linkerSettings: [.linkedLibrary("hiredis")]),
    .target(
      name: "CSimdjson", cxxSettings: [.unsafeFlags(cxxFlags)],
      linkerSettings: hasSimdjson ? [.linkedLibrary("simdjson")] : []),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
