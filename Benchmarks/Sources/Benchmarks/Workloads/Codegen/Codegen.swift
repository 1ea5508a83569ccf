/// From operations to generated Swift files.
let codegen: [ExperimentMaker] = []
