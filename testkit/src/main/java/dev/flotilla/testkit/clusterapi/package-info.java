/**
 * Real Cluster API for tests: its managers, each a process on this machine, in front of a real API server, with machines that exist in
 * memory. It uses the programs that {@code testkit/capi/build} creates, and no client library.
 */
@NullMarked
package dev.flotilla.testkit.clusterapi;

import org.jspecify.annotations.NullMarked;
