swift run apollo-cli generate
