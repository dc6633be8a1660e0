package dev.flotilla.managementwatcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.stub.Samples;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.managementwatcher.view.Projection;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.SiteId;
import org.junit.jupiter.api.Test;

class TallyTest {
    private static final OwnerView OWNER =
            new Projection(new SiteId("east")).owner(OwnerKind.MACHINE_DEPLOYMENT, Samples.deployment("", 3, ""));

    private final Tally tally = new Tally();

    @Test
    void tellsOfAllThatWereDoneInHalfAMinuteAtOnce() {
        for (int i = 0; i < 12; i++) {
            tally.add(OWNER, "revision=7", "w-" + i, i);
        }
        tally.add(OWNER, "revision=8", "w-0", 20_000);
        assertThat(tally.due(29_999)).isEmpty();
        assertThat(tally.due(30_000))
                .extracting(notice -> notice.happened().text())
                .containsExactly("In-place upgrade with revision=7 is done for 12 machines: \"w-0\", \"w-1\", \"w-2\","
                        + " \"w-3\", \"w-4\", \"w-5\", \"w-6\", \"w-7\", \"w-8\", \"w-9\" and 2 more");
        assertThat(tally.due(50_000))
                .extracting(notice -> notice.happened().text())
                .containsExactly("In-place upgrade with revision=8 is done for \"w-0\"");
        assertThat(tally.due(100_000)).isEmpty();
    }
}
