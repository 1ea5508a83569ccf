/// The normalized cache in memory and on disk, and its watchers.
let cache: [ExperimentMaker] =
  memoryCaching + otherReadings + cachedFetching + cacheGrowth + diskCaching + watching
  + clientWatching + optimisticLayers + mergedLists + ages + cacheLimits + offlineQueue
  + callsOfRevisions
