// Mocks are made of the values that models hold, so who imports this module needs those too.
@_exported public import ApolloAPI
