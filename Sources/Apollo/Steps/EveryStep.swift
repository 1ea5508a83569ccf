/// The steps of every call, in their order. Responses return through them in the reverse order.
///
/// A new step of all calls is one more value here. A fetch that the cache answers with its last
/// result takes no step: see `ApolloClient+CurrentResult.swift`.
enum EveryStep {
  static let inOrder = CallSteps([
    ObserveStep(), SessionStep(), DeadlineStep(), CacheThenServerStep(), InterceptStep(),
    SourcesStep(), WriteStep(), ServerStep(),
  ])
}
