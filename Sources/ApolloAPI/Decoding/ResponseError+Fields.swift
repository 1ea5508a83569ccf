extension ResponseError {
  init(_ problem: Problem, at field: FieldLayout) {
    self.init(problem, path: [.field(field.responseKey)])
    scalarName = field.type.scalarName
  }
}

extension ReadFailure {
  /// Adds a field whose value cannot be read, and its custom scalar if it has one.
  func adding(_ field: FieldLayout) -> ReadFailure {
    noting(scalarName: field.type.scalarName).adding(.field(field.responseKey))
  }
}
