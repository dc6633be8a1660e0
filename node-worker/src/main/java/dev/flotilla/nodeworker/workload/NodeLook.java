package dev.flotilla.nodeworker.workload;

import dev.flotilla.core.procedure.Sight;
import dev.flotilla.kube.Reply;
import dev.flotilla.schemas.row.Role;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A look at one node. What is not needed to know that it is well is not read. */
public final class NodeLook {
    private final Nodes nodes;

    public NodeLook(Nodes nodes) {
        this.nodes = nodes;
    }

    /** What came of it: the sight, and the node where there is one. */
    public record Seen(Sight sight, @Nullable NodeFacts facts, boolean missing) {
        static Seen dark(String text) {
            return new Seen(new Sight.Dark(text), null, false);
        }
    }

    /**
     * Looks.
     *
     * @param changedAt when a change of the node ended: what it said before proves nothing; null before the change
     */
    public Seen look(String name, Role role, @Nullable Instant changedAt, Instant now) {
        Reply reply = nodes.node(name);
        if (reply.isMissing()) {
            return new Seen(new Sight.Dark("there is no Node " + name), null, true);
        }
        if (!(reply instanceof Reply.Done done)) {
            return Seen.dark("the cluster's API does not tell of node " + name + ": " + reply.problem());
        }
        NodeFacts facts = NodeFacts.of(done.object());
        // k8sd has no list of changes: that one runs is learned from its refusal.
        return new Seen(
                new Sight.Node(facts.revision(), facts.kubelet(), isWell(facts, role, changedAt, now), false),
                facts,
                false);
    }

    private boolean isWell(NodeFacts facts, Role role, @Nullable Instant changedAt, Instant now) {
        if (!facts.ready()) {
            return false;
        }
        if (!Heartbeat.inStatus(facts.heartbeat(), changedAt, now)
                && !Heartbeat.inLease(nodes.renewed(facts.name()), changedAt, now)) {
            return false;
        }
        if (role != Role.CONTROL_PLANE || changedAt == null) {
            return true;
        }
        String address = facts.internalIp();
        return address != null && nodes.offersApiAt(address);
    }
}
