package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import dev.flotilla.auditor.json.MalformedJson;

/** On whose behalf a machine is upgraded. */
public sealed interface Driver {
    /** A campaign of a name and uid. */
    record OfCampaign(String name, long uid) implements Driver {
        @Override
        public String toString() {
            return "campaign " + name + " (" + uid + ")";
        }
    }

    /** An annotation, by its object and by when it changed. */
    record OfIntent(String site, String object, long since) implements Driver {
        @Override
        public String toString() {
            return "intent of " + site + " " + object;
        }
    }

    static Driver read(Fields driver) {
        return switch (driver.text("by")) {
            case "campaign" -> new OfCampaign(driver.text("campaign"), driver.number("uid"));
            case "intent" -> new OfIntent(driver.text("site"), driver.text("object"), driver.instant("since"));
            default -> throw new MalformedJson("has an unknown driver");
        };
    }
}
