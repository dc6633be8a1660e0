package dev.flotilla.cli.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CampaignWatchScreenTest {
    private static final Instant NOW = Instant.parse("2026-12-01T00:00:00Z");

    @Test
    void countsPreparationsAndSaysOnceWhereMachinesWait() {
        assertThat(shown(new CampaignProgressView.PreparationView(5, 2, 0)))
                .isEqualTo(
                        "2026-12-01T00:00:00Z  up running: 0 of 40 at the target, 40 remaining, 0 in flight, 5 prepared, 2"
                                + " preparing, 40 wait at gate maintenance-window; all 0/40 open");
        assertThat(shown(new CampaignProgressView.PreparationView(5, 2, 1)))
                .contains(", 5 prepared, 2 preparing, 1 could not be prepared, 40 wait");
        assertThat(shown(null)).doesNotContain("prepar");
    }

    @Test
    void namesHowManyMachinesHaveFailed() {
        assertThat(view(1, null).lines())
                .contains("0 of 40 machines at the target, 0 in flight, 40 remaining, 1 failed");
        assertThat(view(0, null).lines()).contains("0 of 40 machines at the target, 0 in flight, 40 remaining");
    }

    private static String shown(CampaignProgressView.@Nullable PreparationView preparations) {
        StringWriter err = new StringWriter();
        new CampaignWatchScreen(
                        new Terminal(new PrintWriter(new StringWriter()), new PrintWriter(err), 0, false, false, null))
                .show(view(0, preparations), Map.of(GateLabel.MAINTENANCE_WINDOW, 40), NOW);
        return err.toString().strip();
    }

    private static CampaignProgressView view(int failed, CampaignProgressView.@Nullable PreparationView preparations) {
        Campaign campaign = new Campaign(
                new CampaignName("up"),
                Labels.NONE,
                new CampaignSpecBuilder(new UpgradeTarget.KubernetesRelease("v1.36.3"), MachineSelection.EVERYTHING)
                        .build());
        CampaignStatus status = new CampaignStatus(
                campaign.name(), 7, campaign, CampaignState.RUNNING, null, NOW, List.of(), 0, List.of());
        return new CampaignProgressView(
                status,
                0,
                failed,
                preparations,
                List.of(new CampaignProgressView.WaveProgressView("all", "open", 40, 0, 40)),
                List.of(),
                "40 wait at gate maintenance-window, such as east/fleet/w-1: closed");
    }
}
