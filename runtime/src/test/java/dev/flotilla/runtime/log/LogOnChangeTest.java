package dev.flotilla.runtime.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogOnChangeTest {
    private final List<String> logged = new ArrayList<>();
    private final LogOnChange<String> role =
            new LogOnChange<>("restoring", (previous, now) -> logged.add(previous + " -> " + now));

    @Test
    void logsAChangeOnce() {
        role.set("standby");
        role.set("standby");
        role.set("leader");
        assertThat(logged).containsExactly("restoring -> standby", "standby -> leader");
        assertThat(role.current()).isEqualTo("leader");
    }

    @Test
    void theInitialStateIsNoChange() {
        role.set("restoring");
        assertThat(logged).isEmpty();
        assertThat(role.current()).isEqualTo("restoring");
    }

    @Test
    void theNewStateCanBeReadWhileItIsLogged() {
        List<String> read = new ArrayList<>();
        List<LogOnChange<String>> self = new ArrayList<>();
        self.add(new LogOnChange<>(
                "a", (previous, now) -> read.add(self.getFirst().current())));
        self.getFirst().set("b");
        assertThat(read).containsExactly("b");
    }
}
