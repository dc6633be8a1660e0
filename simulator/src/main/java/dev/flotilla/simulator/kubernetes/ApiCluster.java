package dev.flotilla.simulator.kubernetes;

import dev.flotilla.simulator.kubernetes.request.Endpoint;
import dev.flotilla.simulator.kubernetes.store.Store;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One cluster's API: its objects, its address, whom it lets in, and whether it is there at all. */
public final class ApiCluster {
    private final String name;
    private final String token;
    private final String address;
    private final @Nullable String authority;
    private final Store store;
    private final Endpoint endpoint;
    private final ApiCounts counts = new ApiCounts();
    private final Set<Runnable> cuts = new LinkedHashSet<>();
    private Forwarding forwarding = (pod, port) -> null;
    private Reach reach = Reach.ANSWERS;
    private boolean datastoreIsWell = true;

    ApiCluster(String name, String token, String address, @Nullable String authority, InstantSource clock) {
        this.authority = authority;
        this.name = name;
        this.token = token;
        this.address = address;
        this.store = new Store(name, clock);
        this.endpoint = new Endpoint(store);
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
    public Store store() {
        return store;
    }

    public ApiCounts counts() {
        return counts;
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
    public void reach(Reach next) {
        reach = next;
        if (next != Reach.ANSWERS) {
            List.copyOf(cuts).forEach(Runnable::run);
        }
    }

    /** Says where ports of pods are; at first they are nowhere. */
    public void forward(Forwarding next) {
        forwarding = next;
    }

    Forwarding forwarding() {
        return forwarding;
    }

    /** What its own check of its datastore says from now on. Everything else goes on, as with a quorum that is about to go. */
    public void datastoreIsWell(boolean is) {
        datastoreIsWell = is;
    }

    boolean isDatastoreWell() {
        return datastoreIsWell;
    }

    public Reach reach() {
        return reach;
    }

    Endpoint endpoint() {
        return endpoint;
    }

    /** What breaks a watch off. */
    Set<Runnable> cuts() {
        return cuts;
    }
}
