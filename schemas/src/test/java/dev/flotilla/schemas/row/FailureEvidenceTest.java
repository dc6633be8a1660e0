package dev.flotilla.schemas.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FailureEvidenceTest {
    @Test
    void describesEachPieceAfterItsSource() {
        FailureEvidence failureEvidence = new FailureEvidence(
                List.of("Ready=False", "DiskPressure=True"), List.of(), List.of("cordon of Node w-1"));
        assertThat(failureEvidence.describe())
                .isEqualTo("node: Ready=False; node: DiskPressure=True; left behind: cordon of Node w-1");
        assertThat(new FailureEvidence(List.of(), List.of(), List.of("step upgrade: Failed"), List.of()).describe())
                .isEqualTo("NodeUpgrade: step upgrade: Failed");
        assertThat(FailureEvidence.NONE.describe()).isEmpty();
    }
}
