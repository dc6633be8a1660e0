/**
 * Real Kubernetes for tests, without containers: etcd, kube-apiserver, its controllers, and kubelets simulated by kwok,
 * each a process on this machine. It uses the binaries that {@code testkit/kube/build} creates, and no client library.
 */
@NullMarked
package dev.flotilla.testkit.kube;

import org.jspecify.annotations.NullMarked;
