package dev.flotilla.orchestrator.api;

import dev.flotilla.orchestrator.api.events.EventSubscriptionHandler;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A client of the event stream, as a browser's. */
final class EventStreamClient implements AutoCloseable {
    /** One frame of the stream. */
    record EventFrame(String id, String event, String data) {}

    private final HttpURLConnection connection;
    private final BufferedReader lines;

    EventStreamClient(URI server, @Nullable String last) throws IOException {
        connection = (HttpURLConnection)
                server.resolve(OpenApiDocument.EVENTS).toURL().openConnection();
        connection.setReadTimeout(10_000);
        if (last != null) {
            connection.setRequestProperty(EventSubscriptionHandler.LAST_EVENT_ID, last);
        }
        InputStream in = connection.getInputStream();
        lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    }

    /** The next frame; null when the stream has ended. */
    @Nullable
    EventFrame readFrame() throws IOException {
        String id = "";
        String event = "";
        String data = "";
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("id: ")) {
                id = line.substring(4);
            } else if (line.startsWith("event: ")) {
                event = line.substring(7);
            } else if (line.startsWith("data: ")) {
                data = line.substring(6);
            } else if (line.isEmpty() && !event.isEmpty()) {
                return new EventFrame(id, event, data);
            }
        }
        return null;
    }

    EventFrame awaitEvent(String event) throws IOException {
        EventFrame eventFrame = readFrame();
        while (eventFrame != null && !eventFrame.event().equals(event)) {
            eventFrame = readFrame();
        }
        if (eventFrame == null) {
            throw new IOException("the stream ended before " + event);
        }
        return eventFrame;
    }

    @Override
    public void close() {
        connection.disconnect();
    }
}
