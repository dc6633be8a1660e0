package dev.flotilla.orchestrator.api;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Listens to server-sent events, as a browser does. */
final class EventClient implements AutoCloseable {
    /** One frame of the stream. */
    record Frame(String id, String event, String data) {}

    private final HttpURLConnection connection;
    private final BufferedReader lines;

    EventClient(URI server, @Nullable String last) throws IOException {
        connection =
                (HttpURLConnection) server.resolve(ApiDocument.EVENTS).toURL().openConnection();
        connection.setReadTimeout(10_000);
        if (last != null) {
            connection.setRequestProperty(EventStreams.LAST, last);
        }
        InputStream in = connection.getInputStream();
        lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    }

    /** The next frame; null when the stream has ended. */
    @Nullable
    Frame next() throws IOException {
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
                return new Frame(id, event, data);
            }
        }
        return null;
    }

    Frame await(String event) throws IOException {
        Frame frame = next();
        while (frame != null && !frame.event().equals(event)) {
            frame = next();
        }
        if (frame == null) {
            throw new IOException("the stream ended before " + event);
        }
        return frame;
    }

    @Override
    public void close() {
        connection.disconnect();
    }
}
