package dev.flotilla.simulator.embedded;

import dev.flotilla.schemas.row.MachineRole;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A revision whose k8sd has another database schema. A member that runs it keeps its database closed until all members
 * do; a member that does not run it and restarts in between is behind.
 */
final class K8sdSchemaUpgrade {
    private final int from;
    private final List<EmbeddedNode> members;
    private boolean isNotifying;

    private K8sdSchemaUpgrade(int from, List<EmbeddedNode> members) {
        this.from = from;
        this.members = members;
    }

    static void installOn(int from, EmbeddedCluster cluster) {
        List<EmbeddedNode> members = cluster.nodes().stream()
                .filter(node -> node.role() == MachineRole.CONTROL_PLANE)
                .toList();
        K8sdSchemaUpgrade upgrade = new K8sdSchemaUpgrade(from, members);
        for (EmbeddedNode member : members) {
            int boots = member.node().boots();
            member.k8sd().setDatabaseCheck(() -> upgrade.problem(member, boots));
            member.node().writeRevisionWhile(() -> upgrade.problem(member, boots) == null);
        }
        members.forEach(member -> member.node().watch(() -> upgrade.notifyOthers(member)));
    }

    /**
     * Updates what the other members show, because the database state of all members depends on each one's revision.
     */
    private void notifyOthers(EmbeddedNode member) {
        if (!isNotifying) {
            isNotifying = true;
            members.stream()
                    .filter(other -> !other.machine().equals(member.machine()))
                    .forEach(other -> other.node().publishState());
            isNotifying = false;
        }
    }

    private @Nullable String problem(EmbeddedNode member, int boots) {
        long old =
                members.stream().filter(other -> other.node().revision() < from).count();
        if (old == 0 || old == members.size()) {
            return null;
        }
        if (member.node().revision() >= from) {
            return "Database is waiting for an upgrade: " + old + " cluster members have not yet received the update";
        }
        return member.node().boots() == boots ? null : "This node's version is behind, please upgrade";
    }
}
