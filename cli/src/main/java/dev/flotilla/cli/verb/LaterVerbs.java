package dev.flotilla.cli.verb;

import java.util.List;

/** All verbs that are not in this version. */
public final class LaterVerbs {
    private static final String KAFKA = "Kafka";

    public static final List<LaterVerb> ALL = List.of(
            inGroup("campaign", "plan", "Tell how long a campaign would take, and what would not fit.", "FILE"),
            inGroup("campaign", "apply", "Write a campaign for the orchestrator to carry out.", "FILE"),
            inGroup("campaign", "list", "List the campaigns and how far they are.", ""),
            inGroup("campaign", "show", "Show a campaign with its waves and what waits for what.", "NAME"),
            inGroup("campaign", "watch", "Follow a campaign until it ends.", "NAME"),
            inGroup("campaign", "pause", "Start nothing more of a campaign.", "NAME --why 'let me look'"),
            inGroup("campaign", "resume", "Let a paused campaign go on.", "NAME"),
            inGroup("campaign", "abort", "End a campaign; what is being refreshed ends by itself.", "NAME"),
            inGroup("campaign", "approve", "Let a wave begin that waits for a person.", "NAME WAVE"),
            inGroup("campaign", "skip", "Leave a machine out of a campaign.", "NAME MACHINE"),
            inGroup("campaign", "retry", "Try a campaign's quarantined machines once more.", "NAME"),
            inGroup("campaign", "remove", "Abort a campaign and forget it.", "NAME"),
            inGroup("machine", "list", "List machines, their release and what is done to them.", ""),
            inGroup("machine", "explain", "Say why a machine waits: every closed gate, with its numbers.", "MACHINE"),
            inGroup("fleet", "status", "Show sites, what is in flight, and what waits at which gate.", ""),
            inGroup("fleet", "freeze", "Start nothing anywhere.", "--why 'network trouble'"),
            inGroup("fleet", "unfreeze", "Lift a freeze of the fleet.", ""),
            inGroup("site", "list", "List the sites and when they were heard last.", ""),
            inGroup("site", "check", "Check that a site has what an upgrade needs.", "SITE"),
            inGroup("site", "freeze", "Start nothing in a site.", "SITE"),
            inGroup("site", "unfreeze", "Lift a freeze of a site.", "SITE"),
            inGroup("site", "accept-removal", "Confirm that machines that vanished at once are gone.", "SITE"),
            inGroup("site", "write-off", "End the attempts of a site that will not come back.", "SITE"),
            inGroup("policy", "apply", "Write the policy of the fleet or of a site.", "FILE"),
            inGroup("policy", "list", "List the policies that are in force.", ""),
            inGroup("journal", "show", "Show what was decided, and why.", "--since 1h"),
            inGroup("journal", "verify", "Check that the journal's chain of hashes is whole.", ""),
            inGroup("rejected", "list", "List the records that cannot be read, and what they close.", ""),
            group("machine", "See machines and why they wait: list, explain.", "explain east/fleet/k1-w-3"),
            group("fleet", "See and freeze the whole fleet: status, freeze, unfreeze.", "status"),
            group("site", "See, check, freeze and write off sites.", "check east"),
            group("journal", "Read and check what was decided: show, verify.", "verify"),
            group("rejected", "See records that cannot be read: list.", "list"),
            process("orchestrator", "Decide what may start, and when."),
            process("auditor", "Check for ever that what was decided keeps the invariants."),
            process("node-worker", "Drive the upgrades of a site's machines."),
            process("management-watcher", "Publish what a management cluster has and wants."));

    private LaterVerbs() {}

    /** The verbs of a group that are not there yet; of no group for the empty name. */
    public static List<LaterVerb> in(String group) {
        return ALL.stream().filter(verb -> verb.group().equals(group)).toList();
    }

    private static LaterVerb inGroup(String group, String name, String summary, String arguments) {
        return new LaterVerb(group, name, summary, KAFKA, ("flotilla " + group + " " + name + " " + arguments).strip());
    }

    private static LaterVerb group(String name, String summary, String example) {
        return new LaterVerb("", name, summary, KAFKA, "flotilla " + name + " " + example);
    }

    private static LaterVerb process(String name, String summary) {
        return new LaterVerb("", name, summary, KAFKA, "flotilla " + name + " --config " + name + ".yaml");
    }
}
