package dev.flotilla.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.json.codec.RejectionDetail;
import dev.flotilla.schemas.row.RejectionReason;
import org.junit.jupiter.api.Test;

class NewerVersionTest {
    @Test
    void namesWhatIsNewerThisVersionAndTheWayOut() {
        RejectionDetail newer = new RejectionDetail(
                RejectionReason.FUTURE_VERSION, "schemaVersion", "2", "is newer than 1, the newest version", null);
        assertThat(NewerVersion.describe(newer))
                .isEqualTo("schemaVersion: \"2\" is newer than 1, the newest version. A newer version of Flotilla wrote"
                        + " it, and this is " + BuildVersion.number() + ": run that version or a newer one");
        assertThat(NewerVersion.remedy("node-worker"))
                .contains("this is " + BuildVersion.number(), "upgrade this node-worker");
    }

    @Test
    void saysNothingOfRowsThatMayBeDamaged() {
        assertThat(NewerVersion.describe(
                        new RejectionDetail(RejectionReason.BAD_VALUE, "site", "B", "must be a name", null)))
                .isNull();
    }
}
