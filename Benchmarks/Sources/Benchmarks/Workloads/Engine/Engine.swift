/// From the bytes of a response to models, and what programs do with them.
let engine: [ExperimentMaker] = responseDecoding + modelUse + decodingMemory + decodingGrowth
