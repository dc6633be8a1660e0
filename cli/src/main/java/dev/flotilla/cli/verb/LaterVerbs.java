package dev.flotilla.cli.verb;

import java.util.List;

/** All verbs that are not in this version. */
public final class LaterVerbs {
    public static final List<LaterVerb> ALL = List.of(new LaterVerb(
            "campaign",
            "watch",
            "Follow a campaign until it ends.",
            "the orchestrator's events",
            "flotilla campaign watch spring"));

    private LaterVerbs() {}

    /** The verbs of a group that are not there yet; of no group for the empty name. */
    public static List<LaterVerb> in(String group) {
        return ALL.stream().filter(verb -> verb.group().equals(group)).toList();
    }
}
