package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import dev.flotilla.auditor.json.MalformedJsonException;

/** The campaign or intent for which a machine is upgraded. */
public sealed interface RolloutRef {
    /** A campaign, by name and uid. */
    record CampaignRef(String name, long uid) implements RolloutRef {
        @Override
        public String toString() {
            return "campaign " + name + " (" + uid + ")";
        }
    }

    /** An intent, by its object and the time of its last change. */
    record IntentRef(String site, String object, long requestedAt) implements RolloutRef {
        @Override
        public String toString() {
            return "intent of " + site + " " + object;
        }
    }

    static RolloutRef read(JsonFieldReader row) {
        return switch (row.text("type")) {
            case "campaign" -> new CampaignRef(row.text("campaign"), row.number("uid"));
            case "intent" -> new IntentRef(row.text("site"), row.text("object"), row.instant("requestedAt"));
            default -> throw new MalformedJsonException("has an unknown rollout");
        };
    }
}
