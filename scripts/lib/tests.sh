# Runs tests so that a failure says what failed, and a hang what was under way. A script sources
# this file after common.sh, and sets `flags`: the arguments of `swift test` that choose the build.
# shellcheck shell=bash

# The status of the first failure of `run_tests`, and 0 until then.
status=0

# Runs the tests that `swift test` selects by the arguments after the first.
#
#   run_tests 40 --filter CacheTests   allows them 40 minutes
#
# Their lines are also in $scratch/test.log, and not kept in a buffer: a run that does not end
# within the time limit is a failure, whose last lines matter.
run_tests() {
  local minutes=$1 result=0 line_buffered=()
  shift
  if command -v stdbuf >/dev/null; then line_buffered=(stdbuf -oL); fi
  # shellcheck disable=SC2016  # expanded by the inner shell
  run bash -c 'set -o pipefail; log=$1; shift; "$@" 2>&1 | tee -a "$log"' - "$scratch/test.log" \
    timeout $((minutes * 60)) "${line_buffered[@]}" \
    swift test --skip-build --disable-xctest "${flags[@]}" "$@" || result=$?
  if [ $result -eq 124 ]; then
    echo "The tests did not end within $minutes minutes. These were under way:"
    unfinished_tests <"$scratch/test.log"
  elif [ $result -ne 0 ] && ! grep -qE 'Test run with .* failed' "$scratch/test.log"; then
    echo "The tests ended early. These were under way:"
    unfinished_tests <"$scratch/test.log"
  fi
  if [ $status -eq 0 ]; then status=$result; fi
}

# Prints the names of the tests that have started and not ended, from the log of a run.
unfinished_tests() {
  awk '
    /^[^ ]+ Test .* started\.$/ && !/^[^ ]+ Test case / {
      sub(/^[^ ]+ Test /, ""); sub(/ started\.$/, ""); running[$0] = 1
    }
    /^[^ ]+ Test .* (passed|failed) after / {
      sub(/^[^ ]+ Test /, ""); sub(/( with [0-9]+ test cases?)? (passed|failed) after .*/, "")
      delete running[$0]
    }
    END { for (name in running) print "  " name }'
}

# Prints the failures and the number of the tests, at the end, where a reader of a long log looks
# first.
summarize_tests() {
  if [ $status -ne 0 ]; then
    grep -E -A 4 ' recorded an issue ' "$scratch/test.log" || true
  fi
  grep -E 'Test run with .* (passed|failed)' "$scratch/test.log" || true
}
