package dev.flotilla.cli.site.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.clusterapi.registration.ExtensionConflict;
import dev.flotilla.clusterapi.registration.ExtensionConflictFinder.FindResult;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExtensionConflictCheckTest {
    @Test
    void failsWithTheOtherExtensionAndTheNamespaces() {
        assertThat(ExtensionConflictCheck.checkExtensions(new FindResult.ExtensionsRead(
                                List.of(), List.of(new ExtensionConflict("flotilla", "vendor", List.of("fleet")))))
                        .line())
                .startsWith("FAILED")
                .contains("vendor", "fleet", "namespaceSelector");
        assertThat(ExtensionConflictCheck.checkExtensions(new FindResult.ExtensionsRead(List.of(), List.of()))
                        .line())
                .startsWith("ok ");
        assertThat(ExtensionConflictCheck.checkExtensions(new FindResult.ExtensionsUnreadable("403"))
                        .line())
                .startsWith("unknown")
                .contains("403");
    }
}
