/// From operations to generated Swift files.
let codegen: [ExperimentMaker] =
  [{ try GenerationTimes($0) }] + generatedCode + [
    { _ in Ladder() }, { _ in FragmentChain() }, { _ in Shapes() },
  ]
