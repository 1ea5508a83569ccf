/// A ``ResponseError`` under construction: each level that it passes adds its entry to the path.
///
/// A class, so that throwing functions return one word.
///
/// `@unchecked Sendable` because it stays on the thread that reads until ``error`` is taken.
final class ReadFailure: Error, @unchecked Sendable {
  private let problem: ResponseError.Problem
  private let byteOffset: Int?
  private var scalarName: String?
  /// The path, innermost entry first.
  private var reversedPath: [PathEntry] = []

  init(_ problem: ResponseError.Problem, byteOffset: Int? = nil) {
    self.problem = problem
    self.byteOffset = byteOffset
  }

  /// Notes the custom scalar whose value cannot be read.
  func noting(scalarName: String?) -> ReadFailure {
    self.scalarName = scalarName
    return self
  }

  /// Adds the entry before the known ones.
  func adding(_ entry: PathEntry) -> ReadFailure {
    reversedPath.append(entry)
    return self
  }

  /// The error for callers.
  var error: ResponseError {
    var error = ResponseError(problem, path: reversedPath.reversed(), byteOffset: byteOffset)
    error.scalarName = scalarName
    return error
  }
}
