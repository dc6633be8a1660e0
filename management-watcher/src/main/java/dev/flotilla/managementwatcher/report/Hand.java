package dev.flotilla.managementwatcher.report;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.managementwatcher.view.Condition;
import dev.flotilla.managementwatcher.view.Kind;
import dev.flotilla.managementwatcher.view.Wording;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Changes objects at an API server, at the pace that it is to be asked at. Blocks, and is meant for virtual threads. */
public final class Hand {
    /** What we write is ours by this name. */
    private static final String MANAGER = "?fieldManager=" + Wording.MANAGER;

    /** In it the conditions of Cluster API's objects are a map by type; before, who writes one writes all. */
    private static final String CONDITIONS_SINCE = "v1beta2";

    private final KubeApiClient api;
    private final ServedApiVersions versions;
    private final Pace pace;
    private final InstantSource clock;

    public Hand(KubeApiClient api, ServedApiVersions versions, Pace pace, InstantSource clock) {
        this.api = api;
        this.versions = versions;
        this.pace = pace;
        this.clock = clock;
    }

    /** Whether one condition of an object can be written without the others. */
    boolean hasConditions(Kind kind) {
        return kind != Kind.CONTROL_PLANES && CONDITIONS_SINCE.equals(versions.knownVersionOf(kind.group(), kind.plural()));
    }

    KubeResponse make(Change change) {
        if (change instanceof Change.Joining joining) {
            String path = KubeApiPath.coreObject(joining.object().namespace(), "configmaps") + "/" + JoinerReleases.NAME;
            return paced(() -> api.serverSideApply(
                    path + "?force=true&fieldManager=" + JoinerReleases.manager(joining.object()),
                    JoinerReleases.applied(joining)));
        }
        Kind kind = Kind.of(change.object());
        return versions.requestWithVersion(kind.group(), kind.plural(), served -> made(change, kind, served));
    }

    private KubeResponse made(Change change, Kind kind, String served) {
        ObjectKey key = change.object();
        String path = KubeApiPath.groupObject(served, key.namespace(), kind.plural(), key.name());
        return switch (change) {
            case Amendment amendment -> amend(amendment, served, path);
            case Change.Conditioned conditioned ->
                paced(() -> api.serverSideApply(path + "/status" + MANAGER, applied(conditioned, served)));
            case Change.Notice notice -> tell(key, notice.uid(), served, notice.happened(), "");
            case Change.Joining joining -> throw new IllegalArgumentException(joining + " is about no object's own");
        };
    }

    /** Amends an object, and tells of it once that is done. */
    private KubeResponse amend(Amendment amendment, String served, String path) {
        KubeResponse reply = paced(() -> api.mergePatch(path + MANAGER, body(amendment)));
        Happened happened = amendment.happened();
        if (reply instanceof KubeResponse.SuccessResponse && happened != null) {
            // What came of it shows on the object; an Event that is lost is not worth a second try.
            var unused = tell(amendment.object(), amendment.uid(), served, happened, " " + amendment.annotations());
        }
        return reply;
    }

    private KubeResponse tell(ObjectKey key, String uid, String served, Happened happened, String more) {
        String what = uid + " " + happened.reason() + " " + happened.text() + more;
        return paced(() ->
                api.createObject(KubeApiPath.coreObject(key.namespace(), "events"), Events.of(key, uid, served, happened, what, now())));
    }

    private String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private interface Request {
        KubeResponse made();
    }

    private KubeResponse paced(Request request) {
        try {
            TimeUnit.NANOSECONDS.sleep(pace.take());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new KubeResponse.NoResponse("interrupted");
        }
        KubeResponse reply = request.made();
        if (reply instanceof KubeResponse.ErrorResponse errorResponse && errorResponse.retryAfterSeconds() > 0) {
            pace.pause(errorResponse.retryAfterSeconds());
        }
        return reply;
    }

    private static JsonObjectReader body(Amendment amendment) {
        JsonObjectReader.Builder annotations = new JsonObjectReader.Builder();
        for (Map.Entry<String, @Nullable String> each : amendment.annotations().entrySet()) {
            String value = each.getValue();
            if (value == null) {
                annotations.put(each.getKey(), new JsonValue.JsonNull(JsonValue.NO_LINE));
            } else {
                annotations.put(each.getKey(), value);
            }
        }
        JsonObjectReader.Builder metadata = new JsonObjectReader.Builder().put("uid", amendment.uid()).put("annotations", annotations.build());
        if (amendment.seen() != 0) {
            metadata.put("resourceVersion", Long.toString(amendment.seen()));
        }
        return new JsonObjectReader.Builder().put("metadata", metadata.build()).build();
    }

    /** Everything that we say in a status; what we do not say any more goes. */
    private JsonObjectReader applied(Change.Conditioned change, String served) {
        ObjectKey key = change.object();
        Condition condition = change.condition();
        JsonObjectReader.Builder status = new JsonObjectReader.Builder();
        if (condition != null) {
            JsonObjectReader one = new JsonObjectReader.Builder()
                    .put("type", Condition.TYPE)
                    .put("status", condition.status())
                    .put("reason", condition.reason())
                    .put("message", condition.message())
                    .put("lastTransitionTime", condition.since().isEmpty() ? now() : condition.since())
                    .build();
            status.put("conditions", new JsonValue.JsonArray(List.of(one), JsonValue.NO_LINE));
        }
        return new JsonObjectReader.Builder()
                .put("apiVersion", served)
                .put("kind", Events.kind(key))
                .put(
                        "metadata",
                        new JsonObjectReader.Builder()
                                .put("namespace", key.namespace())
                                .put("name", key.name())
                                .put("uid", change.uid())
                                .build())
                .put("status", status.build())
                .build();
    }
}
