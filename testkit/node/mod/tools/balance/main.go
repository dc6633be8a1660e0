// Forwards connections to API servers that are ready, in turn: the load balancer of a control plane with several members.
//
//	balance 10.189.0.1:6443 10.189.0.11:6443 10.189.0.12:6443 10.189.0.13:6443
package main

import (
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"
)

const (
	checkInterval = 200 * time.Millisecond
	checkTimeout  = time.Second
	dialTimeout   = 500 * time.Millisecond
)

type server struct {
	address string
	ready   atomic.Bool
}

func main() {
	listener, err := net.Listen("tcp", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	var servers []*server
	for _, address := range os.Args[2:] {
		each := &server{address: address}
		servers = append(servers, each)
		go each.check()
	}
	for turn := 0; ; turn++ {
		client, err := listener.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go forward(client, inTurn(servers, turn))
	}
}

// check asks for /readyz, because a server that starts accepts connections before it can answer.
func (s *server) check() {
	client := &http.Client{Timeout: checkTimeout, Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}}
	for ; ; time.Sleep(checkInterval) {
		ready := false
		if response, err := client.Get("https://" + s.address + "/readyz"); err == nil {
			io.Copy(io.Discard, response.Body)
			response.Body.Close()
			ready = response.StatusCode == http.StatusOK
		}
		if s.ready.Swap(ready) != ready {
			log.Printf("%s ready: %t", s.address, ready)
		}
	}
}

// inTurn lists the servers that are ready, then the others: if none is ready, any that accepts a connection must do.
func inTurn(servers []*server, turn int) []string {
	var ready, others []string
	for i := range servers {
		each := servers[(turn+i)%len(servers)]
		if each.ready.Load() {
			ready = append(ready, each.address)
		} else {
			others = append(others, each.address)
		}
	}
	return append(ready, others...)
}

func forward(client net.Conn, addresses []string) {
	defer client.Close()
	for _, address := range addresses {
		upstream, err := net.DialTimeout("tcp", address, dialTimeout)
		if err != nil {
			continue
		}
		defer upstream.Close()
		done := make(chan struct{}, 2)
		copyAll := func(to, from net.Conn) { io.Copy(to, from); done <- struct{}{} }
		go copyAll(upstream, client)
		go copyAll(client, upstream)
		<-done
		return
	}
}
