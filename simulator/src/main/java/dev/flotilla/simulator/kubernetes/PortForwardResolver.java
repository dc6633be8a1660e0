package dev.flotilla.simulator.kubernetes;

import dev.flotilla.simulator.kubernetes.store.ObjectReference;
import io.vertx.core.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** Finds the real address behind a port of a pod. */
@FunctionalInterface
public interface PortForwardResolver {

    /** Returns the address; null if the port is closed. */
    @Nullable
    SocketAddress resolveTarget(ObjectReference pod, int port);
}
