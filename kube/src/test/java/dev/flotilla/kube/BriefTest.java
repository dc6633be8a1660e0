package dev.flotilla.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BriefTest {
    private final AtomicLong now = new AtomicLong();
    private final Brief<String, String> brief = new Brief<>(2, 10, now::get);

    @Test
    void keepsForAWhile() {
        brief.put("a", "1");
        now.set(10);
        assertThat(brief.get("a")).isEqualTo("1");
        now.set(11);
        assertThat(brief.get("a")).isNull();
    }

    @Test
    void letsGoOfWhatWasNotUsedForLongest() {
        brief.put("a", "1");
        brief.put("b", "2");
        brief.get("a");
        brief.put("c", "3");
        assertThat(brief.get("b")).isNull();
        assertThat(brief.get("a")).isEqualTo("1");
    }

    @Test
    void forgetsWhenItIsTold() {
        brief.put("a", "1");
        brief.forget("a");
        assertThat(brief.get("a")).isNull();
    }
}
