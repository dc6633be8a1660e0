package dev.flotilla.testkit.browser;

import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A connection of Chromium's DevTools protocol: numbered calls with their responses, and events. */
final class DevToolsConnection implements WebSocket.Listener, AutoCloseable {
    private static final int TIMEOUT_SECONDS = 60;

    private final HttpClient client;
    private final AtomicLong calls = new AtomicLong();
    private final Map<Long, CompletableFuture<JsonObject>> pendingCalls = new ConcurrentHashMap<>();
    private final List<JsonObject> events = new CopyOnWriteArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private @Nullable WebSocket socket;

    private DevToolsConnection(HttpClient client) {
        this.client = client;
    }

    static DevToolsConnection connect(String address) {
        DevToolsConnection devToolsConnection = new DevToolsConnection(HttpClient.newHttpClient());
        devToolsConnection.socket = devToolsConnection
                .client
                .newWebSocketBuilder()
                .buildAsync(URI.create(address), devToolsConnection)
                .orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .join();
        return devToolsConnection;
    }

    /** Calls a method of the browser, or of one page's session. Returns its result. */
    synchronized JsonObject call(@Nullable String session, String method, JsonObject parameters) {
        WebSocket open = socket;
        if (open == null) {
            throw new IllegalStateException("there is no connection to the browser");
        }
        long id = calls.incrementAndGet();
        JsonObject message =
                new JsonObject().put("id", id).put("method", method).put("params", parameters);
        if (session != null) {
            message.put("sessionId", session);
        }
        CompletableFuture<JsonObject> answer = new CompletableFuture<>();
        pendingCalls.put(id, answer);
        open.sendText(message.encode(), true).join();
        JsonObject answered =
                answer.orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS).join();
        JsonObject error = answered.getJsonObject("error");
        if (error != null) {
            throw new IllegalStateException(method + ": " + error.getString("message"));
        }
        return answered.getJsonObject("result");
    }

    /** The parameters of a session's events so far, by the name of the method. */
    List<JsonObject> events(String session, String method) {
        return events.stream()
                .filter(event ->
                        session.equals(event.getString("sessionId")) && method.equals(event.getString("method")))
                .map(event -> event.getJsonObject("params"))
                .toList();
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        text.append(data);
        if (last) {
            String whole = text.toString();
            text.setLength(0);
            handleMessage(new JsonObject(whole));
        }
        from.request(1);
        return null;
    }

    private void handleMessage(JsonObject message) {
        Long id = message.getLong("id");
        CompletableFuture<JsonObject> answer = id == null ? null : pendingCalls.remove(id);
        if (answer != null) {
            answer.complete(message);
        } else {
            events.add(message);
        }
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
        pendingCalls.values().forEach(answer -> answer.completeExceptionally(error));
    }

    @Override
    public void close() {
        if (socket != null) {
            socket.abort();
        }
        client.shutdownNow();
    }
}
