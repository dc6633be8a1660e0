package dev.flotilla.cli.machine;

import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.TextTable;
import dev.flotilla.core.explain.MachineSummary;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.KubernetesVersion;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.UpgradeAttempt;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A machine of {@code flotilla machine list}.
 *
 * @param since when its open attempt started; null if it has none for the rollout that the state belongs to
 * @param lastFailure the reason of its last failed attempt; null if none has failed
 */
record ListedMachine(
        String name,
        String cluster,
        String role,
        @Nullable String version,
        @Nullable String release,
        MachineSummary summary,
        @Nullable Instant since,
        @Nullable String lastFailure) {
    /** Machines whose attempt is open for longest first, then those without one, each by name. */
    static final Comparator<ListedMachine> BY_START =
            Comparator.comparing(ListedMachine::since, Comparator.nullsLast(Comparator.<Instant>naturalOrder()));

    private static final String NONE = "-";

    static ListedMachine of(ClusterState cluster, MachineView machine, MachineSummary summary) {
        UpgradeAttempt attempt = machine.attempt();
        MachineStatus status = machine.status();
        AttemptFailure failure = status == null ? null : status.lastFailure();
        return new ListedMachine(
                machine.key().toString(),
                cluster.key().name(),
                machine.isControlPlane() ? "control-plane" : "worker",
                machine.version() == KubernetesVersion.UNKNOWN ? null : KubernetesVersion.text(machine.version()),
                machine.release(),
                summary,
                attempt != null && attempt.rolloutRef().equals(summary.rolloutRef()) ? attempt.admittedAt() : null,
                failure == null ? null : failure.reason().label());
    }

    static List<String> table(List<ListedMachine> machines) {
        TextTable table = new TextTable(
                "MACHINE", "CLUSTER", "ROLE", "VERSION", "RELEASE", "STATE", "GATE", "SINCE", "LAST FAILURE", "FOR");
        machines.forEach(machine -> table.row(
                machine.name,
                machine.cluster,
                machine.role,
                orNone(machine.version),
                orNone(machine.release),
                machine.summary.state(),
                orNone(machine.gate()),
                orNone(text(machine.since)),
                orNone(machine.lastFailure),
                orNone(machine.rollout())));
        return table.lines();
    }

    JsonObjectReader json() {
        return new JsonObjectReader.Builder()
                .put("machine", name)
                .put("cluster", cluster)
                .put("role", role)
                .put("version", JsonFormatter.text(version))
                .put("release", JsonFormatter.text(release))
                .put("state", summary.state())
                .put("gate", JsonFormatter.text(gate()))
                .put("admittedAt", JsonFormatter.text(text(since)))
                .put("lastFailure", JsonFormatter.text(lastFailure))
                .put("rollout", JsonFormatter.text(rollout()))
                .build();
    }

    private @Nullable String gate() {
        return summary.gate() == null ? null : summary.gate().label();
    }

    private @Nullable String rollout() {
        return summary.rolloutRef() == null ? null : summary.rolloutRef().toString();
    }

    private static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : instant.toString();
    }

    private static String orNone(@Nullable String value) {
        return value == null ? NONE : value;
    }
}
