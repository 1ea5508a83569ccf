import Foundation

/// A build of one revision of this package: its generator, and the runtime of its generated code.
struct RevisionBuild {
  /// The path of `apollo-cli`.
  var generator: String
  /// The folder of the modules that generated code imports.
  var modules: String
  /// The folder of the package.
  var package: String

  /// The revision that these sources are.
  static let current = RevisionBuild(
    generator: ProcessMeter.neighbour("apollo-cli"), modules: ProcessMeter.neighbour("Modules"),
    package: URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../../..")
      .standardized.path)

  /// The revision that is the unit of the figures, which `scripts/bench` builds.
  ///
  /// `nil` when the history of this clone does not reach it.
  static let unit: RevisionBuild? = {
    guard let package = ProcessInfo.processInfo.environment["APOLLO_BENCHMARK_UNIT"] else {
      return nil
    }
    let products = URL(fileURLWithPath: package).appendingPathComponent(".build/release")
    return RevisionBuild(
      generator: products.appendingPathComponent("apollo-cli").path,
      modules: products.appendingPathComponent("Modules").path, package: package)
  }()

  /// The name of ``unit`` in tables.
  static let unitName =
    ProcessInfo.processInfo.environment["APOLLO_BENCHMARK_REVISION"] ?? "566d210"

  /// The number of rounds that the environment asks for, or the usual one.
  static func rounds(_ usual: Int) -> Int {
    ProcessInfo.processInfo.environment["ROUNDS"].flatMap(Int.init).map { max(1, $0) } ?? usual
  }

  /// The text below a table whose columns for the unit are empty.
  static let missingUnit = """


    The columns of revision \(unitName) are empty. `scripts/bench codegen` builds it, if the history of \
    the clone reaches it (`git fetch --unshallow`).
    """
}

/// The median of measurements, which are not empty.
func median(_ durations: [Duration]) -> Duration { durations.sorted()[durations.count / 2] }
