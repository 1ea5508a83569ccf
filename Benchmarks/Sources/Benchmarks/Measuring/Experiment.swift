/// Something to measure that ends as one table.
///
/// Most are a ``Comparison``; what has another table is a type of its own.
protocol Experiment {
  /// What is measured, such as `Decode github.json`; the heading of the table.
  var title: String { get }

  /// The part of this experiment that `filter` names, or nil when it names nothing here.
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
/// Throws ``MissingData`` when a file is not there; the others run all the same.
typealias ExperimentMaker = @Sendable (BenchmarkData) throws -> any Experiment

/// The words after the group on the command line.
struct Filter {
  var text: String

  /// Whether `name` contains the filter in upper or lower case. An empty filter names everything.
  func names(_ name: String) -> Bool {
    text.isEmpty || name.lowercased().contains(text.lowercased())
  }
}
