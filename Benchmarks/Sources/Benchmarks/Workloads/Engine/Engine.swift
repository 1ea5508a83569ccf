/// Decoding the bytes of a response into models, and using the models.
let engine: [ExperimentMaker] =
  responseDecoding + responseShapes + leafLists + firstResponse + modelUse + decodingMemory
  + decodingGrowth + programSizes
