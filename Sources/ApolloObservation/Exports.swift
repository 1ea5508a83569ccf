// An observable query has a client and a query, so who imports this module needs those too.
@_exported public import Apollo
