package dev.flotilla.nodeworker.pins;

import dev.flotilla.kube.Brief;
import dev.flotilla.kube.Kube;
import dev.flotilla.kube.KubeApi;
import dev.flotilla.kube.KubePath;
import dev.flotilla.kube.Reply;
import dev.flotilla.nodeworker.k8sd.Pin;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The pins of a cluster's machines, in one Secret. Written at first contact and never over another: a node that shows a new
 * certificate is refused until somebody says that it may. A new machine of an old name is a new machine.
 */
public final class Pins {
    private static final String SUFFIX = "-flotilla-pins";
    private static final Pattern KEPT = Pattern.compile("([0-9a-f]{64}) (.+)");
    /** Machines of a cluster are met at the same time, by several workers too. */
    private static final int TRIES = 16;

    private static final long KEPT_NANOS = 300_000_000_000L;
    private static final int MOST_KEPT = 500;

    private final KubeApi api;
    private final Brief<ClusterKey, Kube> kept;

    public Pins(KubeApi api, LongSupplier ticks) {
        this.api = api;
        this.kept = new Brief<>(MOST_KEPT, KEPT_NANOS, ticks);
    }

    /** What is known of a machine's certificate. */
    public sealed interface Trust {

        /** It must show this one. */
        record Pinned(Pin pin) implements Trust {}

        /** Nobody has seen one yet. */
        record Stranger() implements Trust {}

        /** It cannot be told, or the machine shows another than it should: it gets no token. */
        record None(String why) implements Trust {}
    }

    /** A node is not as is known here: others may have written meanwhile. */
    public void refused(ClusterKey cluster) {
        kept.forget(cluster);
    }

    /** What was pinned when it was read shortly before; else null. */
    public @Nullable Pin kept(ClusterKey cluster, Bearer bearer) {
        Kube secret = kept.get(cluster);
        return secret != null && in(secret, bearer) instanceof Trust.Pinned pinned ? pinned.pin() : null;
    }

    /** What is known of what one shows. */
    public Trust of(ClusterKey cluster, Bearer bearer) {
        Pin known = kept(cluster, bearer);
        if (known != null) {
            return new Trust.Pinned(known);
        }
        Reply read = api.get(path(cluster));
        if (read.isMissing()) {
            return new Trust.Stranger();
        }
        if (!(read instanceof Reply.Done done)) {
            return new Trust.None("Secret " + cluster.name() + SUFFIX + " cannot be read: " + read.problem());
        }
        kept.put(cluster, done.object());
        return in(done.object(), bearer);
    }

    /** One showed a certificate at first contact. What is pinned then is what counts, whoever wrote it. */
    public Trust meet(ClusterKey cluster, Bearer bearer, Pin shown) {
        for (int i = 0; i < TRIES; i++) {
            Reply read = api.get(path(cluster));
            if (read instanceof Reply.Done done) {
                Trust there = in(done.object(), bearer);
                if (!(there instanceof Trust.Stranger)) {
                    return !(there instanceof Trust.Pinned pinned)
                                    || pinned.pin().equals(shown)
                            ? there
                            : new Trust.None(bearer + " shows another certificate than the one that is"
                                    + " pinned; if it may, reset its trust");
                }
            }
            Reply written = written(cluster, read, bearer.key(), value(shown, bearer.uid()));
            if (written instanceof Reply.Done done) {
                kept.put(cluster, done.object());
                return new Trust.Pinned(shown);
            }
            if (!written.isConflict()) {
                return new Trust.None("Secret " + cluster.name() + SUFFIX + " cannot be written: " + written.problem());
            }
        }
        return new Trust.None("Secret " + cluster.name() + SUFFIX + " changes under every try");
    }

    /** Somebody says that one may show a new certificate. Null once it is so; else what went wrong. */
    public @Nullable String reset(ClusterKey cluster, Bearer bearer) {
        for (int i = 0; i < TRIES; i++) {
            kept.forget(cluster);
            Reply read = api.get(path(cluster));
            if (read.isMissing()
                    || (read instanceof Reply.Done done && !done.object().has("data", bearer.key()))) {
                return null;
            }
            Reply written = read instanceof Reply.Done done
                    ? api.merge(path(cluster), changed(done.object(), bearer.key(), new Tree.Nothing(Tree.NO_LINE)))
                    : read;
            if (written instanceof Reply.Done) {
                return null;
            }
            if (!written.isConflict()) {
                return "Secret " + cluster.name() + SUFFIX + " cannot be written: " + written.problem();
            }
        }
        return "Secret " + cluster.name() + SUFFIX + " changes under every try";
    }

    private static String path(ClusterKey cluster) {
        return KubePath.core(cluster.namespace(), "secrets", cluster.name() + SUFFIX);
    }

    /** What a Secret says of one. What cannot be read closes, as somebody may have cut it. */
    private static Trust in(Kube secret, Bearer bearer) {
        String encoded = secret.text("data", bearer.key());
        if (encoded == null) {
            return new Trust.Stranger();
        }
        try {
            Matcher value =
                    KEPT.matcher(new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8).strip());
            if (value.matches()) {
                return value.group(2).equals(bearer.uid())
                        ? new Trust.Pinned(new Pin(value.group(1)))
                        : new Trust.Stranger();
            }
        } catch (IllegalArgumentException e) {
            // The same as a text that is no pin.
        }
        return new Trust.None("what is pinned for " + bearer + " cannot be read; reset its trust");
    }

    private Reply written(ClusterKey cluster, Reply read, String machine, Tree value) {
        if (read instanceof Reply.Done done) {
            return api.merge(path(cluster), changed(done.object(), machine, value));
        }
        return read.isMissing()
                ? api.post(KubePath.core(cluster.namespace(), "secrets"), created(cluster, machine, value))
                : read;
    }

    private static Tree value(Pin pin, String uid) {
        String text = pin.sha256() + " " + uid;
        return new Tree.Text(Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)), Tree.NO_LINE);
    }

    private static Obj changed(Kube secret, String machine, Tree value) {
        return new Obj.Builder()
                .put(
                        "metadata",
                        new Obj.Builder()
                                .put("resourceVersion", secret.resourceVersion())
                                .build())
                .put("data", new Obj.Builder().put(machine, value).build())
                .build();
    }

    private static Obj created(ClusterKey cluster, String machine, Tree value) {
        return new Obj.Builder()
                .put("apiVersion", "v1")
                .put("kind", "Secret")
                .put("type", "Opaque")
                .put(
                        "metadata",
                        new Obj.Builder()
                                .put("name", cluster.name() + SUFFIX)
                                .put("namespace", cluster.namespace())
                                .put(
                                        "labels",
                                        new Obj.Builder()
                                                .put("cluster.x-k8s.io/cluster-name", cluster.name())
                                                .build())
                                .build())
                .put("data", new Obj.Builder().put(machine, value).build())
                .build();
    }
}
