/// The GraphQL front end: lexing, parsing, schemas, validation.
let front: [ExperimentMaker] = parsing + validation
