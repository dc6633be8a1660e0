package dev.flotilla.cli.verb;

import java.util.List;

/** All verbs that are not in this version. */
public final class LaterVerbs {
    public static final List<LaterVerb> ALL = List.of(new LaterVerb(
            "journal",
            "replay",
            "Decide again under another policy, and show what would be different.",
            "shadow runs",
            "flotilla journal replay --policy examples/policies/fleet.yaml"));

    private LaterVerbs() {}

    /** The verbs of a group that are not there yet; of no group for the empty name. */
    public static List<LaterVerb> in(String group) {
        return ALL.stream().filter(verb -> verb.group().equals(group)).toList();
    }
}
