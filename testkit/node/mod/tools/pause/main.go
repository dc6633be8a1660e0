// Holds the namespaces of a pod and reaps orphaned processes: the image registry.k8s.io/pause.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	// `kubeadm upgrade` runs this in a Job to check the health of a cluster, and waits a minute for it to succeed.
	if len(os.Args) > 1 && os.Args[1] == "-v" {
		fmt.Println("pause, for tests")
		return
	}
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGCHLD)
	for received := range signals {
		if received != syscall.SIGCHLD {
			return
		}
		for {
			if pid, _ := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); pid <= 0 {
				break
			}
		}
	}
}
