package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.Decision;
import dev.flotilla.orchestrator.view.Standing;
import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.codec.RejectionDetail;
import dev.flotilla.testkit.junit.LoopBugs;
import java.util.List;

/** Says nothing, and fails the test in which the loop ends by a bug. */
class Silent implements LoopListener {
    @Override
    public void standing(Standing standing, String why) {}

    @Override
    public void restored(long records, long millis) {}

    @Override
    public void site(SiteId site, boolean usable) {}

    @Override
    public void broke(Throwable bug) {
        LoopBugs.add(bug);
    }

    @Override
    public void committed(List<Decision> decisions, List<WireRecord> records, long millis) {}

    @Override
    public void rejected(ConsumedRecord consumedRecord, RejectionDetail why) {}
}
