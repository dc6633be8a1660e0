package dev.flotilla.simulator.kubernetes;

import dev.flotilla.simulator.kubernetes.store.ObjectReference;
import io.vertx.core.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** Where what is sent to a port of a pod really goes. */
@FunctionalInterface
public interface PortForwardResolver {

    /** An address; null where nobody answers. */
    @Nullable
    SocketAddress resolveTarget(ObjectReference pod, int port);
}
