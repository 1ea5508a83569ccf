#!/usr/bin/env bash
# Version: donovanhide/eventsource 0.0~git20210830 (Debian 12), a client of Go, with Go 1.19.
#
# Behaviour: the server of a subscription ends the response after each event, as a proxy does that
# has a limit, and the client connects again and asks for what follows. A program that reads the
# channel Events only receives the first event and nothing more: the end of the response goes to the
# channel Errors, which has no room, so that the client waits there until somebody reads it. It does
# not connect again, and the server sees no second request. With a loop that reads Errors and does
# nothing, all events arrive.
#
# Seen: "Events alone: 1 event, 1 request, Last-Event-ID -; Events and Errors: 3 events, 3 requests,
# Last-Event-ID - 1 2".
#
# Why it surprises: the field is documented as informative, with the words that the client need not
# act on it and that the stream always goes on. A test with a server that keeps the connection has
# all events in both cases. Afterwards the program stands in a read of a channel that is open, as it
# does when there is nothing new, and the connection is gone.
#
# Source: stream.go, Stream.Errors (its comment) and receiveEvents (it sends to a channel that
# SubscribeWith makes without a buffer); Go's documentation, "Channel types"; HTML standard, 9.2.3.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program go "golang-go golang-github-donovanhide-eventsource-dev=0.0~git20210830.c590279"
cd "$folder"
cat >main.go <<'END'
package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	"github.com/donovanhide/eventsource"
)

// What three seconds of a subscription bring.
func run(readErrors bool) string {
	var mutex sync.Mutex
	var asked []string
	done := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		mutex.Lock()
		last := request.Header.Get("Last-Event-ID")
		if last == "" {
			last = "-"
		}
		asked = append(asked, last)
		number := len(asked)
		mutex.Unlock()
		writer.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(writer, "retry: 200\nid: %d\nevent: next\ndata: {\"data\":{\"score\":%d}}\n\n", number, number)
		writer.(http.Flusher).Flush()
		if number == 3 {
			<-done
		}
	}))
	stream, err := eventsource.Subscribe(server.URL+"/graphql/stream?query=subscription{score}", "")
	if err != nil {
		panic(err)
	}
	if readErrors {
		go func() {
			for range stream.Errors {
			}
		}()
	}
	events := 0
	for end := time.After(3 * time.Second); end != nil; {
		select {
		case <-stream.Events:
			events++
		case <-end:
			end = nil
		}
	}
	mutex.Lock()
	defer mutex.Unlock()
	seen := fmt.Sprintf("%d event%s, %d request%s, Last-Event-ID %s",
		events, "s"[:min(events-1)], len(asked), "s"[:min(len(asked)-1)], strings.Join(asked, " "))
	close(done)
	return seen
}

func min(count int) int {
	if count > 1 {
		return 1
	}
	return count
}

func main() {
	fmt.Printf("Events alone: %s; Events and Errors: %s\n", run(false), run(true))
}
END
export GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=$folder/go-build GOFLAGS=
expect "Reading" "$(go run main.go)" \
  "Events alone: 1 event, 1 request, Last-Event-ID -; Events and Errors: 3 events, 3 requests, Last-Event-ID - 1 2"
