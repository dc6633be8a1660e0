package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import dev.flotilla.auditor.json.MalformedJsonException;

/** On whose behalf a machine is upgraded. */
public sealed interface RolloutRef {
    /** A campaign of a name and uid. */
    record CampaignRef(String name, long uid) implements RolloutRef {
        @Override
        public String toString() {
            return "campaign " + name + " (" + uid + ")";
        }
    }

    /** An annotation, by its object and by when it changed. */
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
