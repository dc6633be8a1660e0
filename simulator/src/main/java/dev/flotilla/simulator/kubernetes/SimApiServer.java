package dev.flotilla.simulator.kubernetes;

import dev.flotilla.simulator.kubernetes.request.ApiRequestHandler;
import dev.flotilla.simulator.kubernetes.store.ClusterObjectStore;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One cluster's API: its objects, its address, whom it lets in, and whether it is there at all. */
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
    private boolean setDatastoreHealthy = true;

    SimApiServer(String name, String token, String address, @Nullable String authority, InstantSource clock) {
        this.authority = authority;
        this.name = name;
        this.token = token;
        this.address = address;
        this.store = new ClusterObjectStore(name, clock);
        this.apiRequestHandler = new ApiRequestHandler(store);
    }

    public String name() {
        return name;
    }

    /** Where clients find it. */
    public String address() {
        return address;
    }

    /** What clients must show. */
    public String token() {
        return token;
    }

    /** Its objects, for use on the event loop alone. */
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

    /** Takes it away or gives it back, on the event loop. What is being watched ends with it. */
    public void reachability(ApiReachability next) {
        reachability = next;
        if (next != ApiReachability.ANSWERS) {
            List.copyOf(cuts).forEach(Runnable::run);
        }
    }

    /** Says where ports of pods are; at first they are nowhere. */
    public void setPortForwardResolver(PortForwardResolver next) {
        portForwardResolver = next;
    }

    PortForwardResolver forwarding() {
        return portForwardResolver;
    }

    /** What its own check of its datastore says from now on. Everything else goes on, as with a quorum that is about to go. */
    public void setDatastoreHealthy(boolean is) {
        setDatastoreHealthy = is;
    }

    boolean isDatastoreHealthy() {
        return setDatastoreHealthy;
    }

    public ApiReachability reachability() {
        return reachability;
    }

    ApiRequestHandler endpoint() {
        return apiRequestHandler;
    }

    /** What breaks a watch off. */
    Set<Runnable> cuts() {
        return cuts;
    }
}
