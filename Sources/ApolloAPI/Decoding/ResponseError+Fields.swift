extension ResponseError {
  init(_ problem: Problem, at field: FieldLayout) {
    self.init(problem, path: [.field(field.responseKey)])
  }
}
