package dev.flotilla.nodeworker.k8sd.forward;

import dev.flotilla.kube.RootCauseMessage;
import dev.flotilla.schemas.json.tree.RedactedText;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocket;
import io.vertx.core.net.NetSocket;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An open port-forward to a pod. Each message begins with its channel: 0 for data, 1 for errors. The first message of
 * each channel contains the port.
 */
final class PodPortForward {
    static final String PROTOCOL = "v4.channel.k8s.io";
    private static final byte DATA = 0;
    private static final byte ERROR = 1;
    private static final int LONGEST_TEXT = 300;

    private final ApiServerWebSocket socket;
    private final Runnable onClosed;
    private boolean dataGreeted;
    private boolean errorGreeted;
    private boolean answered;
    private boolean over;
    private @Nullable String problem;

    /**
     * @param onClosed called once it is closed
     */
    PodPortForward(ApiServerWebSocket socket, Runnable onClosed) {
        this.socket = socket;
        this.onClosed = onClosed;
    }

    /**
     * Pipes it to a connection in both directions, with back-pressure, until either ends.
     *
     * @param broken receives at the end what went wrong; null for nothing
     */
    void pipeTo(NetSocket near, Handler<@Nullable String> broken) {
        WebSocket far = socket.socket();
        far.binaryMessageHandler(message -> came(message, near));
        far.exceptionHandler(failure -> problem = problem == null ? RootCauseMessage.describe(failure) : problem);
        far.closeHandler(closed -> {
            close();
            broken.handle(problem == null && !answered ? "k8sd does not respond behind its proxy pod" : problem);
            near.close();
        });
        near.handler(sent -> {
            if (far.isClosed()) {
                // Its error message is still to arrive.
                return;
            }
            far.write(Buffer.buffer(sent.length() + 1).appendByte(DATA).appendBuffer(sent));
            if (far.writeQueueFull()) {
                near.pause();
                far.drainHandler(drained -> near.resume());
            }
        });
        near.closeHandler(closed -> close());
        near.resume();
    }

    private void came(Buffer message, NetSocket near) {
        byte channel = message.length() == 0 ? ERROR : message.getByte(0);
        Buffer rest = message.length() == 0 ? message : message.getBuffer(1, message.length());
        if (channel == DATA && !dataGreeted) {
            dataGreeted = true;
        } else if (channel == DATA) {
            answered = true;
            near.write(rest);
            if (near.writeQueueFull()) {
                socket.socket().pause();
                near.drainHandler(drained -> socket.socket().resume());
            }
        } else if (channel == ERROR && !errorGreeted) {
            errorGreeted = true;
        } else if (channel == ERROR) {
            problem = RedactedText.redact(rest.toString(StandardCharsets.UTF_8).strip(), LONGEST_TEXT);
            near.close();
        }
    }

    /** Closes the port-forward. Idempotent. */
    Future<Void> close() {
        if (!over) {
            over = true;
            onClosed.run();
        }
        return socket.close();
    }
}
