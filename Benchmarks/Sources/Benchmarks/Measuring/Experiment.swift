/// A measurement whose result is one table.
///
/// Most are a ``Comparison``. An experiment with another table is a type of its own.
protocol Experiment {
  /// The work that is measured, such as `Decode github.json`. It is the heading of the table.
  var title: String { get }

  /// The part of this experiment that `filter` names, or `nil` when it names none.
  ///
  /// An experiment is measured as a whole unless it says otherwise.
  func matching(_ filter: Filter) -> Self?

  /// Measures and writes a Markdown table.
  func table() async throws -> String
}

extension Experiment {
  func matching(_ filter: Filter) -> Self? {
    filter.names(title) ? self : nil
  }
}

/// Prepares an experiment with the data that it needs.
///
/// Throws ``MissingData`` when a file is missing; the other experiments run all the same.
typealias ExperimentMaker = @Sendable (BenchmarkData) throws -> any Experiment

/// The words after the group on the command line.
struct Filter {
  var text: String

  /// Returns `true` if `name` contains the filter, ignoring case. An empty filter names everything.
  func names(_ name: String) -> Bool {
    text.isEmpty || name.lowercased().contains(text.lowercased())
  }
}
