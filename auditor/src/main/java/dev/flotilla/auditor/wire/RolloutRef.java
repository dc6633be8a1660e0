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
    record IntentRef(String site, String object, long since) implements RolloutRef {
        @Override
        public String toString() {
            return "intent of " + site + " " + object;
        }
    }

    static RolloutRef read(JsonFieldReader driver) {
        return switch (driver.text("type")) {
            case "campaign" -> new CampaignRef(driver.text("campaign"), driver.number("uid"));
            case "intent" -> new IntentRef(driver.text("site"), driver.text("object"), driver.instant("since"));
            default -> throw new MalformedJsonException("has an unknown driver");
        };
    }
}
