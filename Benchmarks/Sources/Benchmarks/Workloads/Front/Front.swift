/// The GraphQL front end: lexing, parsing, schemas, validation, and all that in one process.
let front: [ExperimentMaker] =
  parsing + validation + coldProcesses + growth + hostileInput + printing
  + editorSessions
