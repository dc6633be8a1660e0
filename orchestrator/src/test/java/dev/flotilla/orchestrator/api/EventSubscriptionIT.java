package dev.flotilla.orchestrator.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EventSubscriptionIT {
    private ApiTestServer server;

    @BeforeEach
    void start() throws Exception {
        server = new ApiTestServer();
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    private void publish(long from, long to) {
        for (long seq = from; seq <= to; seq++) {
            server.eventBuffer.publish(seq, TestFleet.START, "attempt-admitted", "north/default/a", "");
        }
    }

    private static List<String> readIds(EventStreamClient client, int count) throws IOException {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            EventStreamClient.EventFrame eventFrame = client.readFrame();
            ids.add(eventFrame == null ? "end" : eventFrame.event().equals("gap") ? "gap" : eventFrame.id());
        }
        return ids;
    }

    @Test
    void sendsNewEventsAsTheyHappen() throws Exception {
        publish(1, 3);
        try (EventStreamClient client = new EventStreamClient(server.httpServer.uri(), null)) {
            publish(4, 6);
            assertThat(readIds(client, 3)).containsExactly("4", "5", "6");
            publish(7, 7);
            assertThat(readIds(client, 1)).containsExactly("7");
        }
    }

    @Test
    void resumesAfterTheLastReceivedEvent() throws Exception {
        publish(1, 10);
        try (EventStreamClient client = new EventStreamClient(server.httpServer.uri(), "7")) {
            assertThat(readIds(client, 3)).containsExactly("8", "9", "10");
        }
    }

    @Test
    void sendsAGapWhenRequestedEventsWereOverwritten() throws Exception {
        publish(1, 100);
        try (EventStreamClient client = new EventStreamClient(server.httpServer.uri(), "3")) {
            assertThat(readIds(client, 2))
                    .containsExactly("gap", Long.toString(100 - ApiTestServer.EVENT_BUFFER_SIZE + 1));
        }
    }

    @Test
    void doesNotSendAnEventTwice() throws Exception {
        publish(1, 5);
        publish(3, 6);
        try (EventStreamClient client = new EventStreamClient(server.httpServer.uri(), "0")) {
            assertThat(readIds(client, 6)).containsExactly("1", "2", "3", "4", "5", "6");
        }
    }

    /** The client receives what the buffers of the server and the kernel hold, then falls behind the event buffer. */
    @Test
    void disconnectsAClientThatDoesNotRead() throws Exception {
        String reason = "x".repeat(4_000);
        try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), server.httpServer.port())) {
            slow.getOutputStream()
                    .write("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            slow.getInputStream().read();
            await(1);
            long seq = 1;
            long until = System.nanoTime() + 60_000_000_000L;
            while (listeners() > 0 && System.nanoTime() < until) {
                server.eventBuffer.publish(seq++, TestFleet.START, "attempt-admitted", "a", reason);
                Thread.onSpinWait();
            }
            assertThat(listeners()).isZero();
        }
    }

    private void await(int listeners) {
        long until = System.nanoTime() + 10_000_000_000L;
        while (listeners() != listeners && System.nanoTime() < until) {
            Thread.onSpinWait();
        }
        assertThat(listeners()).isEqualTo(listeners);
    }

    private int listeners() {
        return (int)
                server.metrics.registry().get("flotilla.api.listeners").gauge().value();
    }
}
