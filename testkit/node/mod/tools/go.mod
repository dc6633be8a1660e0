// Two small programs, of the standard library alone.
module flotilla.dev/testkit/node/tools

go 1.26.0
