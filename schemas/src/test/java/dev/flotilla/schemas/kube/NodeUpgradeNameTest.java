package dev.flotilla.schemas.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class NodeUpgradeNameTest {
    private static String name(String machine, String uid, String target, long attempt) {
        return NodeUpgradeName.of(new WorkerCommand.UpgradeMachine(
                new MachineKey(new SiteId("north"), "fleet", machine),
                uid,
                attempt,
                MachineRole.WORKER,
                UpgradeTarget.parse(target),
                null,
                null,
                1,
                Instant.EPOCH));
    }

    @Test
    void namesMachineHashAndAttempt() {
        // printf '%s' 'uid-1version=v1.36.3' | sha256sum
        assertThat(name("k1-w-0", "uid-1", "version=v1.36.3", 90210)).isEqualTo("k1-w-0-9676d55b-90210");
    }

    @Test
    void differsWithMachineTargetAndAttempt() {
        String name = name("k1-w-0", "uid-1", "version=v1.36.3", 7);
        assertThat(name).isEqualTo(name("k1-w-0", "uid-1", "version=v1.36.3", 7));
        assertThat(name("k1-w-0", "uid-2", "version=v1.36.3", 7)).isNotEqualTo(name);
        assertThat(name("k1-w-0", "uid-1", "version=v1.36.4", 7)).isNotEqualTo(name);
        assertThat(name("k1-w-0", "uid-1", "version=v1.36.3", 8)).isNotEqualTo(name);
    }

    @Test
    void cutsLongMachineNameWithoutSeparatorAtItsEnd() {
        String part = "a".repeat(39);
        assertThat(name(part + "b" + "c".repeat(60), "uid", "version=v1.36.3", 1))
                .startsWith(part + "b-");
        assertThat(name(part + ".b", "uid", "version=v1.36.3", 1))
                .startsWith(part + "-")
                .doesNotContain(".");
        assertThat(name("c".repeat(200), "uid", "version=v1.36.3", 1_000_000_000_000L))
                .hasSizeLessThan(64);
    }
}
