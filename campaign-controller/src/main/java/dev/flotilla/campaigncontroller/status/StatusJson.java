package dev.flotilla.campaigncontroller.status;

import dev.flotilla.campaigncontroller.object.HubObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.time.Instant;

/** The status of an object, as JSON. */
public final class StatusJson {
    private StatusJson() {}

    /**
     * Returns the status.
     *
     * @param fields the fields of the kind
     */
    public static JsonObjectReader build(
            HubObject object, ObjectProgress progress, JsonObjectReader fields, Instant now) {
        boolean isReady = progress.progress() == ObjectProgress.Progress.READY;
        ConditionList conditions =
                new ConditionList(object, now).add("Ready", isReady, progress.reason(), progress.message());
        switch (progress.progress()) {
            case READY -> {}
            case IN_PROGRESS -> conditions.add("Reconciling", true, progress.reason(), progress.message());
            case STALLED -> conditions.add("Stalled", true, progress.reason(), progress.message());
        }
        return fields.toBuilder()
                .put("observedGeneration", object.generation())
                .put("phase", progress.phase())
                .put("message", progress.message())
                .put("conditions", conditions.toJson())
                .build();
    }
}
