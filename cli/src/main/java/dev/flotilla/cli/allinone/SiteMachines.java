package dev.flotilla.cli.allinone;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.testkit.tables.TableReader;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The machines of the site, as the watcher has published them. */
final class SiteMachines {
    private static final Duration POLL = Duration.ofMillis(200);

    private final Map<MachineKey, MachineRow> rows = new TreeMap<>();

    private SiteMachines() {}

    /** Reads the rows until there are as many as machines, or the time is over. */
    static SiteMachines read(String bootstrap, SiteId site, int machines, Duration timeout) {
        SiteMachines read = new SiteMachines();
        long end = System.nanoTime() + timeout.toNanos();
        try (TableReader reader = new TableReader(bootstrap, List.of(TablePartition.of(Table.INVENTORY, site)))) {
            while (read.rows.size() < machines && System.nanoTime() < end) {
                reader.poll(POLL).forEach(each -> {
                    if (each.rowChange() instanceof MachineRow row) {
                        read.rows.put(row.key(), row);
                    }
                });
            }
        }
        return read;
    }

    int count() {
        return rows.size();
    }

    /** The number of machines by what upgrades them. */
    Map<UpgradeProvider, Integer> countProviders() {
        Map<UpgradeProvider, Integer> counts = new EnumMap<>(UpgradeProvider.class);
        rows.values().forEach(row -> counts.merge(row.provider(), 1, Integer::sum));
        return counts;
    }

    /** Whether NodeUpgrades upgrade all machines, and there is one. */
    boolean allHaveNodeUpgrades() {
        return !rows.isEmpty()
                && rows.values().stream().allMatch(row -> row.provider() == UpgradeProvider.NODE_UPGRADE);
    }

    /** A machine for commands to try: the first that can be upgraded, else the first. */
    @Nullable
    MachineRow example() {
        return rows.values().stream()
                .filter(row -> row.provider() != UpgradeProvider.NONE)
                .findFirst()
                .orElse(rows.values().stream().findFirst().orElse(null));
    }
}
