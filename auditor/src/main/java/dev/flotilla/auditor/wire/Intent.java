package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;

/** What an annotation asks for; {@code object} is the key, such as {@code cluster/namespace/name}. */
public record Intent(String site, String object, String uid, String option, long since) implements Row {
    static Intent read(Fields row) {
        return new Intent(
                row.text("site"), row.text("object"), row.text("uid"), row.text("option"), row.instant("since"));
    }

    /** What drives machines on its behalf. */
    public Driver driver() {
        return new Driver.OfIntent(site, object, since);
    }
}
