package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CampaignStatus.Learned;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.Outcome;
import dev.flotilla.schemas.row.Progress;
import dev.flotilla.schemas.row.Report;
import dev.flotilla.schemas.topic.Topics;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What sites teach stands in one row of all: no site's worker can fill it. */
class LearnedBoundsTest {
    private static final String ENTRY = "{\"architecture\":\"\",\"revision\":\"\",\"version\":\"\",\"site\":\"\"},";

    private final Scene scene = Scene.open();

    @Test
    void aSiteTeachesFourArchitecturesAndNoMore() {
        scene.cap(1);
        scene.cluster("a", 0, 0);
        for (int i = 0; i < 6; i++) {
            scene.arrive(MachineBuilder.of(Scene.SITE, "a", "m" + i)
                    .architecture("arch" + i)
                    .build());
        }
        scene.campaign(CampaignBuilder.named("up").build());
        for (int i = 0; i < 6; i++) {
            scene.succeed(scene.inFlight().get(0));
        }
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.campaignStatus("up").learned()).hasSize(4);
    }

    @ParameterizedTest
    @CsvSource({"3421,x", "€421,v1.33.2", "3421,v1.33 .2", "34\\21,v1.33.2"})
    void aMachineThatShowsWhatNoNodeShowsTeachesNothingAndIsDone(String revision, String version) {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        String shown = version.equals("x") ? "v1.33.2-" + "x".repeat(32) : version;
        scene.report("a-w-0", new Report.Succeeded(Report.Proof.UPGRADED, revision, shown));
        assertThat(scene.outcome("a-w-0")).isEqualTo(Outcome.SUCCEEDED);
        assertThat(scene.campaignStatus("up").learned()).isEmpty();
    }

    @Test
    void asManySitesAsMayBeTeachAndTheRowHasRoomForItsSpecificationAndAnOrder() {
        for (int i = 0; i < 250; i++) {
            SiteId site = new SiteId("s" + i + "-" + "x".repeat(50));
            scene.site(site);
            scene.cluster(site, "a", 0, 0, Labels.NONE);
            for (int j = 0; j < 4; j++) {
                scene.arrive(MachineBuilder.of(site, "a", "m" + j)
                        .architecture("a".repeat(31) + j)
                        .build());
            }
        }
        scene.campaign(CampaignBuilder.named("up").build());
        for (Fact fact : List.copyOf(scene.rows.values())) {
            if (fact instanceof MachineStatus status && status.attempt() != null) {
                scene.arrive(new Progress(
                        status.key(),
                        status.uid(),
                        status.attempt().number(),
                        new Report.Succeeded(Report.Proof.UPGRADED, "r".repeat(32), "v1.33.2-" + "v".repeat(24)),
                        scene.now));
            }
        }
        int bytes = 0;
        for (Learned each : scene.campaignStatus("up").learned()) {
            bytes += ENTRY.length()
                    + each.architecture().length()
                    + each.revision().length()
                    + String.valueOf(each.version()).length()
                    + String.valueOf(each.site()).length();
        }
        assertThat(bytes).isBetween(CampaignStatus.MAX_LEARNED_CHARS * 9 / 10, Topics.MAX_RECORD_BYTES / 5);
    }
}
