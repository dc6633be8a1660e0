package dev.flotilla.simulator.kubernetes;

import dev.flotilla.simulator.kubernetes.request.ApiRequestHandler;
import dev.flotilla.simulator.kubernetes.store.ClusterObjectStore;
import dev.flotilla.simulator.kubernetes.store.ObjectReference;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The API of one cluster: its objects, its address, the token that it accepts, and whether it is reachable. */
public final class SimApiServer {
    private final String name;
    private final String token;
    private final String address;
    private final @Nullable String authority;
    private final ClusterObjectStore store;
    private final ApiRequestHandler apiRequestHandler;
    private final ApiRequestCounter requestCounter = new ApiRequestCounter();
    private final Set<Runnable> cuts = new LinkedHashSet<>();
    private PortForwardResolver portForwardResolver = (pod, port) -> null;
    private ApiReachability reachability = ApiReachability.ANSWERS;
    private boolean isDatastoreHealthy = true;

    SimApiServer(String name, String token, String address, @Nullable String authority, InstantSource clock) {
        this.authority = authority;
        this.name = name;
        this.token = token;
        this.address = address;
        this.store = new ClusterObjectStore(name, clock);
        this.apiRequestHandler = new ApiRequestHandler(store);
        apiRequestHandler.setIssuedToken(token);
    }

    /** The token that clients must send. */
    public String token() {
        return token;
    }

    /** Its objects. Use it on the event loop only. */
    public ClusterObjectStore store() {
        return store;
    }

    public ApiRequestCounter requestCounter() {
        return requestCounter;
    }

    /** A kubeconfig for its only user. */
    public String kubeconfig() {
        return """
                apiVersion: v1
                kind: Config
                clusters:
                - name: %1$s
                  cluster:
                    server: %2$s%4$s
                users:
                - name: %1$s-admin
                  user:
                    token: %3$s
                contexts:
                - name: %1$s-admin@%1$s
                  context:
                    cluster: %1$s
                    user: %1$s-admin
                current-context: %1$s-admin@%1$s
                """.formatted(name, address, token, trusted());
    }

    private String trusted() {
        return authority == null
                ? ""
                : "\n    certificate-authority-data: "
                        + Base64.getEncoder().encodeToString(authority.getBytes(StandardCharsets.US_ASCII));
    }

    /** Changes its reachability, on the event loop. Running watches end when it becomes unreachable. */
    public void reachability(ApiReachability next) {
        reachability = next;
        if (next != ApiReachability.ANSWERS) {
            List.copyOf(cuts).forEach(Runnable::run);
        }
    }

    /** Sets where ports of pods lead to; initially all are closed. */
    public void setPortForwardResolver(PortForwardResolver next) {
        portForwardResolver = next;
    }

    /** Sets what reads the log of a pod; initially no pod has one. */
    public void setPodLogReader(Function<ObjectReference, @Nullable String> reader) {
        apiRequestHandler.setPodLogReader(reader);
    }

    PortForwardResolver forwarding() {
        return portForwardResolver;
    }

    /**
     * Sets the result of its health check of the datastore. Everything else continues to work, as before a loss of
     * quorum.
     */
    public void isDatastoreHealthy(boolean is) {
        isDatastoreHealthy = is;
    }

    boolean isDatastoreHealthy() {
        return isDatastoreHealthy;
    }

    public ApiReachability reachability() {
        return reachability;
    }

    ApiRequestHandler endpoint() {
        return apiRequestHandler;
    }

    /** Actions that cut off the open streams. */
    Set<Runnable> cuts() {
        return cuts;
    }
}
