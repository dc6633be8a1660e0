package dev.flotilla.managementwatcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.stub.SampleObjects;
import dev.flotilla.managementwatcher.view.ObjectViewFactory;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.SiteId;
import org.junit.jupiter.api.Test;

class OwnerEventBatcherTest {
    private static final OwnerView OWNER = new ObjectViewFactory(new SiteId("east"))
            .ownerView(OwnerKind.MACHINE_DEPLOYMENT, SampleObjects.deployment("", 3, ""));

    private final OwnerEventBatcher ownerEventBatcher = new OwnerEventBatcher();

    @Test
    void batchesTheMachinesThatAreDoneWithinHalfAMinute() {
        for (int i = 0; i < 12; i++) {
            ownerEventBatcher.addMachine(OWNER, "revision=7", "w-" + i, i);
        }
        ownerEventBatcher.addMachine(OWNER, "revision=8", "w-0", 20_000);
        assertThat(ownerEventBatcher.dueEvents(29_999)).isEmpty();
        assertThat(ownerEventBatcher.dueEvents(30_000))
                .extracting(eventWrite -> eventWrite.event().message())
                .containsExactly("In-place upgrade with revision=7 is done for 12 machines: \"w-0\", \"w-1\", \"w-2\","
                        + " \"w-3\", \"w-4\", \"w-5\", \"w-6\", \"w-7\", \"w-8\", \"w-9\" and 2 more");
        assertThat(ownerEventBatcher.dueEvents(50_000))
                .extracting(eventWrite -> eventWrite.event().message())
                .containsExactly("In-place upgrade with revision=8 is done for \"w-0\"");
        assertThat(ownerEventBatcher.dueEvents(100_000)).isEmpty();
    }
}
