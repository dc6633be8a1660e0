/**
 * A real Kubernetes for tests, without containers: etcd, kube-apiserver, its controllers, and kubelets played by kwok, each
 * a process of this machine. It knows the binaries that {@code testkit/kube/build} makes, and no client library.
 */
@NullMarked
package dev.flotilla.testkit.kube;

import org.jspecify.annotations.NullMarked;
