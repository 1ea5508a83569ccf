// swift-tools-version: 6.1
import PackageDescription

// `scripts/servers` copies this package to `.build/server-checks`, writes the generated code beside
// the programs, and builds it there.

let package = Package(
  name: "ServerChecks",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "apollo-swift", path: "../..")],
  targets: [
    .target(name: "Journey", dependencies: [.product(name: "Apollo", package: "apollo-swift")])
  ]
    + [
      "Strawberry", "Hypercorn", "Ariadne", "Graphene", "GrapheneDjango", "Datasette", "Coniql",
      "Dagster", "MLflow",
    ].map { name in
      .executableTarget(
        name: name,
        dependencies: ["Journey", .product(name: "Apollo", package: "apollo-swift")])
    },
  swiftLanguageModes: [.v6]
)
