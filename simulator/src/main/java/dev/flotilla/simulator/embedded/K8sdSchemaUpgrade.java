package dev.flotilla.simulator.embedded;

import dev.flotilla.schemas.row.MachineRole;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A revision whose k8sd has another schema. A member that runs it keeps its database closed until all members do; one that
 * does not, and restarts in between, is behind.
 */
final class K8sdSchemaUpgrade {
    private final int from;
    private final List<EmbeddedNode> members;
    private boolean telling;

    private K8sdSchemaUpgrade(int from, List<EmbeddedNode> members) {
        this.from = from;
        this.members = members;
    }

    static void installOn(int from, EmbeddedCluster cluster) {
        List<EmbeddedNode> members = cluster.nodes().stream()
                .filter(node -> node.role() == MachineRole.CONTROL_PLANE)
                .toList();
        K8sdSchemaUpgrade change = new K8sdSchemaUpgrade(from, members);
        for (EmbeddedNode member : members) {
            int boots = member.node().boots();
            member.k8sd().setDatabaseCheck(() -> change.problem(member, boots));
            member.node().writeRevisionWhile(() -> change.problem(member, boots) == null);
        }
        members.forEach(member -> member.node().watch(() -> change.tellOthersThan(member)));
    }

    /** What one member runs decides what the others may say. */
    private void tellOthersThan(EmbeddedNode member) {
        if (!telling) {
            telling = true;
            members.stream()
                    .filter(other -> !other.machine().equals(member.machine()))
                    .forEach(other -> other.node().publishState());
            telling = false;
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
