package dev.flotilla.managementwatcher.external;

import dev.flotilla.managementwatcher.view.UpgradeTaskView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request leads to.
 *
 * @param abort running tasks to abort first
 * @param create name of the task to create; null for none
 */
record ExternalUpgradePlan(
        ExternalUpgradeAnswer answer,
        List<UpgradeTaskView> abort,
        @Nullable String create) {
    ExternalUpgradePlan {
        abort = List.copyOf(abort);
    }
}
