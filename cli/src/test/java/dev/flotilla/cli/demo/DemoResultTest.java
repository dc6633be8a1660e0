package dev.flotilla.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.testkit.sites.SitesSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoResultTest {
    private static final SitesSpec SITES = new SitesSpec(1, 1, 1, 0, 1, 1);
    private static final MachineKey MACHINE = new MachineKey(new SiteId("north"), "fleet", "a");

    @Test
    void aMachineThatWaitsForAPersonIsNoFailure() {
        assertThat(waitingAt("cluster-order").good()).isTrue();
    }

    @Test
    void aRefusedPolicyOrCampaignOfItsOwnIsOne() {
        for (String gate : List.of("no-policy", "rejected-input")) {
            DemoResult result = waitingAt(gate);
            assertThat(result.good()).isFalse();
            assertThat(Summary.lines(result))
                    .anyMatch(line -> line.contains("WAS REFUSED: flotilla.rejected says why"));
        }
    }

    private static DemoResult waitingAt(String gate) {
        return new DemoResult(
                new DemoSpec(SITES, 0, 1, false),
                0,
                0,
                List.of(new DemoResult.Rest(MACHINE, DemoResult.Standing.WAITING, gate, null, null, null, 0)),
                "revision=1",
                "running",
                List.of(),
                true,
                0,
                0,
                new NodeWork(null),
                List.of(),
                new DemoResult.Audit(true, 1, List.of()));
    }
}
