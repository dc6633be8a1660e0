package dev.flotilla.managementwatcher.report;

import dev.flotilla.kube.KubeApi;
import dev.flotilla.kube.KubePath;
import dev.flotilla.kube.Reply;
import dev.flotilla.managementwatcher.view.Kind;
import dev.flotilla.managementwatcher.watch.ServedVersions;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Changes objects at an API server, at the pace that it is to be asked at. Blocks, and is meant for virtual threads. */
public final class Hand {
    private static final String SOURCE = "flotilla";
    private static final String CONTROLLER = "flotilla.dev/management-watcher";
    private static final int LONGEST_TEXT = 1_024;

    private final KubeApi api;
    private final ServedVersions versions;
    private final Pace pace;
    private final InstantSource clock;

    public Hand(KubeApi api, ServedVersions versions, Pace pace, InstantSource clock) {
        this.api = api;
        this.versions = versions;
        this.pace = pace;
        this.clock = clock;
    }

    /** Amends an object, and tells of it once that is done. */
    Reply amend(Amendment amendment) throws InterruptedException {
        String version = version(amendment.object());
        if (version == null) {
            return new Reply.Silent("nobody tells in which version it is served");
        }
        ObjectKey key = amendment.object();
        Kind kind = Kind.of(key);
        Reply reply = paced(() -> api.merge(
                KubePath.of(kind.group() + "/" + version, key.namespace(), kind.plural(), key.name()),
                body(amendment)));
        Amendment.Happened happened = amendment.happened();
        if (reply instanceof Reply.Done && happened != null) {
            // What came of it shows on the object; an Event that is lost is not worth a second try.
            var unused = paced(() -> api.post(
                    KubePath.core(key.namespace(), "events"),
                    event(amendment, happened, kind.group() + "/" + version)));
        }
        return reply;
    }

    private @Nullable String version(ObjectKey key) {
        String version = versions.of(Kind.of(key).group());
        return version == null || version.isEmpty() ? null : version;
    }

    private interface Request {
        Reply made();
    }

    private Reply paced(Request request) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(pace.take());
        Reply reply = request.made();
        if (reply instanceof Reply.Refused refused && refused.retryAfterSeconds() > 0) {
            pace.pause(refused.retryAfterSeconds());
        }
        return reply;
    }

    private static Obj body(Amendment amendment) {
        Obj.Builder annotations = new Obj.Builder();
        for (Map.Entry<String, @Nullable String> each : amendment.annotations().entrySet()) {
            String value = each.getValue();
            if (value == null) {
                annotations.put(each.getKey(), new Tree.Nothing(Tree.NO_LINE));
            } else {
                annotations.put(each.getKey(), value);
            }
        }
        Obj.Builder metadata = new Obj.Builder().put("uid", amendment.uid()).put("annotations", annotations.build());
        if (amendment.seen() != 0) {
            metadata.put("resourceVersion", Long.toString(amendment.seen()));
        }
        return new Obj.Builder().put("metadata", metadata.build()).build();
    }

    /** Called after what it says, so that the same thing is told once, whoever tells it again. */
    private Obj event(Amendment amendment, Amendment.Happened happened, String apiVersion) {
        ObjectKey key = amendment.object();
        String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        String what = amendment.uid() + " " + happened.reason() + " " + happened.text() + " " + amendment.annotations();
        String suffix = UUID.nameUUIDFromBytes(what.getBytes(StandardCharsets.UTF_8))
                .toString()
                .substring(0, 13);
        Obj object = new Obj.Builder()
                .put("apiVersion", apiVersion)
                .put("kind", label(key))
                .put("namespace", key.namespace())
                .put("name", key.name())
                .put("uid", amendment.uid())
                .build();
        String text = happened.text();
        return new Obj.Builder()
                .put("apiVersion", "v1")
                .put("kind", "Event")
                .put(
                        "metadata",
                        new Obj.Builder()
                                .put("namespace", key.namespace())
                                .put("name", key.name() + "." + suffix)
                                .build())
                .put("involvedObject", object)
                .put("type", happened.warning() ? "Warning" : "Normal")
                .put("reason", happened.reason())
                .put("message", text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT))
                .put("source", new Obj.Builder().put("component", SOURCE).build())
                .put("reportingComponent", CONTROLLER)
                .put("reportingInstance", "")
                .put("firstTimestamp", now)
                .put("lastTimestamp", now)
                .put("count", 1)
                .build();
    }

    private static String label(ObjectKey key) {
        return switch (key) {
            case MachineKey machine -> "Machine";
            case ClusterKey cluster -> "Cluster";
            case OwnerKey owner -> owner.kind().label();
        };
    }
}
