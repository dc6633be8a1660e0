package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.SiteId;
import java.util.List;

/**
 * A part of a campaign. A cluster is in the first wave that selects it, whole; the last wave selects everything that is
 * left.
 *
 * @param approval whether the wave waits for an order before it begins
 * @param successPercent how many of a hundred machines must succeed before the wave is done with and the next begins;
 *     machines that were skipped do not count
 */
public record Wave(String name, List<SiteId> sites, Selector clusters, boolean approval, int successPercent) {
    public Wave {
        sites = List.copyOf(sites);
    }
}
