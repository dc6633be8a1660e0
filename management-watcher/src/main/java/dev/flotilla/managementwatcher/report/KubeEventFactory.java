package dev.flotilla.managementwatcher.report;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Builds Kubernetes Events. */
final class KubeEventFactory {
    private static final String SOURCE = "flotilla";
    private static final String CONTROLLER = "flotilla.dev/management-watcher";

    private KubeEventFactory() {}

    /**
     * Builds an Event about an object.
     *
     * @param identity decides the Event's name: with the same identity it is created only once
     */
    static JsonObjectReader buildEvent(
            ObjectKey key, String uid, String apiVersion, UpgradeEvent upgradeEvent, String identity, String now) {
        return buildEvent(
                new EventSubject(apiVersion, kind(key), key.namespace(), key.name(), uid), upgradeEvent, identity, now);
    }

    /** The object that an Event is about. */
    record EventSubject(String apiVersion, String kind, String namespace, String name, String uid) {}

    /**
     * Builds an Event about any object.
     *
     * @param identity decides the Event's name: with the same identity it is created only once
     */
    static JsonObjectReader buildEvent(EventSubject subject, UpgradeEvent upgradeEvent, String identity, String now) {
        String suffix = UUID.nameUUIDFromBytes(identity.getBytes(StandardCharsets.UTF_8))
                .toString()
                .substring(0, 13);
        JsonObjectReader object = new JsonObjectReader.Builder()
                .put("apiVersion", subject.apiVersion())
                .put("kind", subject.kind())
                .put("namespace", subject.namespace())
                .put("name", subject.name())
                .put("uid", subject.uid())
                .build();
        return new JsonObjectReader.Builder()
                .put("apiVersion", "v1")
                .put("kind", "Event")
                .put(
                        "metadata",
                        new JsonObjectReader.Builder()
                                .put("namespace", subject.namespace())
                                .put("name", subject.name() + "." + suffix)
                                .build())
                .put("involvedObject", object)
                .put("type", upgradeEvent.warning() ? "Warning" : "Normal")
                .put("reason", upgradeEvent.reason())
                .put("message", upgradeEvent.message())
                .put(
                        "source",
                        new JsonObjectReader.Builder().put("component", SOURCE).build())
                .put("reportingComponent", CONTROLLER)
                .put("reportingInstance", "")
                .put("firstTimestamp", now)
                .put("lastTimestamp", now)
                .put("count", 1)
                .build();
    }

    /** Returns the Kubernetes kind of an object. */
    static String kind(ObjectKey key) {
        return switch (key) {
            case MachineKey machine -> "Machine";
            case ClusterKey cluster -> "Cluster";
            case OwnerKey owner -> owner.kind().label();
        };
    }
}
