package dev.flotilla.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LoopFailureExtensionTest {
    private final LoopFailureExtension bugs = new LoopFailureExtension();

    @Test
    void bugOnAnotherThreadFailsTheTestOnce() throws InterruptedException {
        IllegalStateException bug = new IllegalStateException("in a loop");
        Thread loop = Thread.ofPlatform().start(() -> LoopFailureExtension.addFailure(bug));
        loop.join();
        LoopFailureExtension.addFailure(new IllegalStateException("in another"));
        assertThatThrownBy(() -> bugs.afterEach(null))
                .isInstanceOf(AssertionError.class)
                .hasCause(bug)
                .satisfies(error -> assertThat(error.getSuppressed()).hasSize(1));
        assertThatCode(() -> bugs.afterAll(null)).doesNotThrowAnyException();
    }
}
