// swift-tools-version: 6.1
import PackageDescription

/// What `scripts/stress` runs and kills, in a package of its own so that nobody who uses the client builds it.
let package = Package(
  name: "Stress",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "apollo-swift", path: "..")
  ],
  targets: [
    .executableTarget(
      name: "cache-stress",
      dependencies: [
        .product(name: "ApolloCache", package: "apollo-swift"),
        .product(name: "ApolloSQLite", package: "apollo-swift"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
