/// A ``ResponseError`` on its way up: each level it passes adds its step of the path.
///
/// A class, so that throwing functions return one word.
///
/// `@unchecked Sendable` because only the thread that reads has it until ``error`` is taken.
final class ReadFailure: Error, @unchecked Sendable {
  private let problem: ResponseError.Problem
  private let byteOffset: Int?
  /// From the innermost step outwards.
  private var reversedPath: [PathEntry] = []

  init(_ problem: ResponseError.Problem, byteOffset: Int? = nil) {
    self.problem = problem
    self.byteOffset = byteOffset
  }

  /// Adds the step around the ones that are known.
  func adding(_ entry: PathEntry) -> ReadFailure {
    reversedPath.append(entry)
    return self
  }

  /// What is told to callers.
  var error: ResponseError {
    ResponseError(problem, path: reversedPath.reversed(), byteOffset: byteOffset)
  }
}
