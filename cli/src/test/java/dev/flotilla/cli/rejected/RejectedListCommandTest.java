package dev.flotilla.cli.rejected;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.cli.terminal.TextTable;
import org.junit.jupiter.api.Test;

/** A key of thousands of characters must not hide other lines. */
class RejectedListCommandTest {
    private static final int SCREEN = 200;

    @Test
    void shortensALongKeyInItsMiddle() {
        String key = "flotilla.orders/0/" + "x".repeat(5_000) + "/end";
        String shown = RejectedListCommand.shortened(key);
        assertThat(shown)
                .hasSizeLessThan(SCREEN)
                .startsWith("flotilla.orders/0/xxx")
                .endsWith("xxx/end");
        assertThat(new TextTable("RECORD", "OFFSET", "WHY")
                        .row(shown, "4711", "a bad key")
                        .row(RejectedListCommand.shortened("flotilla.campaigns/0/spring"), "3", "not JSON")
                        .lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThan(SCREEN))
                .last()
                .asString()
                .startsWith("flotilla.campaigns/0/spring ")
                .endsWith("not JSON");
    }

    @Test
    void showsAShortKeyUnchanged() {
        String key = "flotilla.inventory.east/0/machine/fleet/k1-w-3";
        assertThat(RejectedListCommand.shortened(key)).isEqualTo(key);
    }
}
