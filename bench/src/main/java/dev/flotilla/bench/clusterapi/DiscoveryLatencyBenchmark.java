package dev.flotilla.bench.clusterapi;

import dev.flotilla.bench.clusterapi.HookCaller.HookCall;
import dev.flotilla.bench.harness.Benchmark;
import dev.flotilla.bench.harness.Measurements;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Discovery while the management cluster is away: its port is closed, or it accepts connections and never answers while as many updates
 * wait for it as are answered at once.
 */
final class DiscoveryLatencyBenchmark implements Benchmark {
    static final List<String> IDS = List.of("H1a", "H1b");

    private static final int PER_SECOND = 20;
    private static final int WAITING = 32;

    /** The extension's default timeout of a request to the API server. */
    private static final long ANSWERED_AFTER_MILLIS = 5_000;

    private static final double FLOOR = 50;
    private static final double GOAL = 10;
    private static final HookCall DISCOVERY = new HookCall("discovery", HookRequests.DISCOVERY);
    private static final String DISCOVERED = "update-machine";

    private final int calls;
    private final int warmUp;

    DiscoveryLatencyBenchmark(boolean tiny) {
        this.calls = tiny ? 20 : 600;
        this.warmUp = tiny ? 5 : 200;
    }

    @Override
    public List<String> ids() {
        return IDS;
    }

    @Override
    public void measure(Measurements measurements) throws InterruptedException, IOException {
        int closedPort;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closedPort = free.getLocalPort();
        }
        try (MeasuredExtension extension = MeasuredExtension.startWithClusterAt(closedPort)) {
            new HookLatency("H1a", "Discovery while the API server is away, p99", FLOOR, GOAL)
                    .addTo(measurements, measure(extension.caller()), "its port is closed");
        }
        try (SilentServer silent = new SilentServer();
                MeasuredExtension extension = MeasuredExtension.startWithClusterAt(silent.port());
                WaitingUpdates updates = new WaitingUpdates(extension.caller(), WAITING)) {
            updates.awaitCalls();
            new HookLatency("H1b", "Discovery while the API server is silent and updates wait, p99", FLOOR, GOAL)
                    .addTo(measurements, measure(extension.caller()), WAITING + " updates wait all the time");
        }
    }

    private QuietestRound measure(HookCaller caller) throws InterruptedException {
        caller.measure(warmUp, PER_SECOND, DISCOVERED, i -> DISCOVERY);
        return QuietestRound.measure(round -> caller.measure(calls, PER_SECOND, DISCOVERED, i -> DISCOVERY));
    }

    /** Accepts connections and never answers. */
    private static final class SilentServer implements AutoCloseable {
        private final ServerSocket server = new ServerSocket(0, WAITING, InetAddress.getLoopbackAddress());
        private final List<Socket> accepted = new CopyOnWriteArrayList<>();

        private SilentServer() throws IOException {
            Thread.ofPlatform().daemon().name("silent API server").start(this::accept);
        }

        private void accept() {
            try {
                while (!server.isClosed()) {
                    accepted.add(server.accept());
                }
            } catch (IOException e) {
                // The server is closed.
            }
        }

        private int port() {
            return server.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            server.close();
            for (Socket socket : accepted) {
                socket.close();
            }
        }
    }

    /**
     * Calls of {@code UpdateMachine}, each of which begins again when it is answered. They begin one after the other, spread over the time
     * after which they are answered: machines begin at different times.
     */
    private static final class WaitingUpdates implements AutoCloseable {
        private final ScheduledExecutorService threads;
        private final CountDownLatch begun;

        private WaitingUpdates(HookCaller caller, int calls) {
            this.begun = new CountDownLatch(calls);
            this.threads = Executors.newScheduledThreadPool(calls);
            for (int i = 0; i < calls; i++) {
                HookCall call = HookRequests.updateMachine("worker-" + i);
                var unused = threads.schedule(
                        () -> callAgainAndAgain(caller, call),
                        i * ANSWERED_AFTER_MILLIS / calls,
                        TimeUnit.MILLISECONDS);
            }
        }

        private void callAgainAndAgain(HookCaller caller, HookCall call) {
            begun.countDown();
            while (!threads.isShutdown()) {
                try {
                    caller.call(call);
                } catch (IOException e) {
                    // One that ended a moment ago still counts: it is sent away, and the next is not.
                }
            }
        }

        /** Waits until each has begun. */
        private void awaitCalls() throws InterruptedException {
            begun.await();
        }

        @Override
        public void close() {
            threads.shutdownNow();
        }
    }
}
