package dev.flotilla.simulator.operator;

import dev.flotilla.schemas.row.UpgradeOption;
import dev.flotilla.simulator.node.Releases;
import dev.flotilla.simulator.world.Chance;

/** What people write into annotations. */
final class Wishes {
    private Wishes() {}

    static UpgradeOption any(Chance chance) {
        int minor = chance.between(1, 3);
        return chance.percent(50)
                ? new UpgradeOption.Revision(Integer.toString(Releases.OLDEST + 100 * minor))
                : new UpgradeOption.Channel(Releases.channel(minor));
    }
}
