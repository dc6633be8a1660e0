package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.CampaignName;
import java.time.Duration;
import java.util.List;

/**
 * What a campaign is bound by besides its own waves, caps and budget.
 *
 * @param settle how long a cluster rests between one machine's success and the next start
 * @param weight its share of the slots among campaigns of equal priority
 * @param dependsOn campaigns that must have succeeded so far before it starts anything
 * @param windows when it may start machines; none for at any time
 */
public record Terms(Duration settle, int weight, List<Dependency> dependsOn, List<Window> windows) {
    public static final int USUAL_WEIGHT = 100;

    public static final Terms NONE = new Terms(Duration.ZERO, USUAL_WEIGHT, List.of(), List.of());

    /** Another campaign, and how many of a hundred of its machines must have succeeded. */
    public record Dependency(CampaignName campaign, int successPercent) {}

    public Terms {
        dependsOn = List.copyOf(dependsOn);
        windows = List.copyOf(windows);
    }

    /** Terms without windows. */
    public Terms(Duration settle, int weight, List<Dependency> dependsOn) {
        this(settle, weight, dependsOn, List.of());
    }
}
