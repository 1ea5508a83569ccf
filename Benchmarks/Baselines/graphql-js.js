// Times graphql-js in a warm process: one number of nanoseconds a line, for each sample.
//
//   node graphql-js.js parse schema.graphqls
"use strict";
const fs = require("fs");

function load() {
  for (const name of ["graphql", "/usr/share/nodejs/graphql"]) {
    try {
      return require(name);
    } catch (error) {
      if (error.code !== "MODULE_NOT_FOUND") throw error;
    }
  }
  process.exit(3); // not installed
}

const graphql = load();
const [, , task, file] = process.argv;
const text = fs.readFileSync(file, "utf8");
const tasks = {
  lex() {
    const lexer = new graphql.Lexer(new graphql.Source(text));
    while (lexer.advance().kind !== "<EOF>");
  },
  parse() {
    graphql.parse(text);
  },
};

const run = tasks[task];
for (let i = 0; i < 15; i++) run();
for (let i = 0; i < 30; i++) {
  const start = process.hrtime.bigint();
  run();
  console.log(String(process.hrtime.bigint() - start));
}
