/// From operations to generated Swift files.
let codegen: [ExperimentMaker] =
  [
    { try GenerationTimes($0) }, { _ in LargeSDK() }, { try sentDocumentCheck($0) },
    { try RealProjects($0) }, { try CompilerInstructions($0) }, { _ in Ladder() },
    { _ in FragmentChain() }, { _ in Shapes() }, { _ in ManyOperations() },
    { _ in CleanBuilds(subject: .program) },
    { _ in CleanBuilds(subject: .tool) },
  ]
