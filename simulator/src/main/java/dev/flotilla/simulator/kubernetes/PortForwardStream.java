package dev.flotilla.simulator.kubernetes;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;

/**
 * Forwards a port of a pod through the API by WebSocket. Each message begins with its channel, 0 for data and 1 for
 * errors; the first message of each channel contains the port.
 */
final class PortForwardStream {
    static final String PROTOCOL = "v4.channel.k8s.io";
    private static final byte DATA = 0;
    private static final byte ERROR = 1;

    private final NetClient client;
    private final SimApiServer cluster;

    PortForwardStream(NetClient client, SimApiServer cluster) {
        this.client = client;
        this.cluster = cluster;
    }

    void open(HttpServerRequest request, SocketAddress target, int port) {
        request.toWebSocket().onSuccess(web -> {
            web.pause();
            client.connect(target)
                    .onSuccess(socket -> connect(web, socket, port))
                    .onFailure(failed -> web.close());
        });
    }

    private void connect(ServerWebSocket web, NetSocket socket, int port) {
        web.writeBinaryMessage(Buffer.buffer().appendByte(DATA).appendUnsignedShortLE(port));
        web.writeBinaryMessage(Buffer.buffer().appendByte(ERROR).appendUnsignedShortLE(port));
        socket.handler(
                sent -> web.writeBinaryMessage(Buffer.buffer().appendByte(DATA).appendBuffer(sent)));
        web.binaryMessageHandler(message -> {
            if (message.length() > 1 && message.getByte(0) == DATA) {
                socket.write(message.getBuffer(1, message.length()));
            }
        });
        Runnable cut = socket::close;
        cluster.cuts().add(cut);
        socket.closeHandler(closed -> {
            cluster.cuts().remove(cut);
            web.close();
        });
        web.closeHandler(closed -> socket.close());
        web.resume();
    }
}
