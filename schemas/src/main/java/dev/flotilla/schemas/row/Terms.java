package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.CampaignName;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a campaign is bound by besides its own waves, caps and budget.
 *
 * @param settle how long a cluster rests between one machine's success and the next start
 * @param weight its share of the slots among campaigns of equal priority
 * @param dependsOn campaigns that must have succeeded so far before it starts anything
 * @param windows when it may start machines; none for at any time
 * @param cohorts when one kind of machine is closed; null for never
 * @param basedOn the edition that this is an edit of: of any other it is none; null where nobody minds
 * @param domains how many of its machines may be in flight at once of those that share a value of a label
 * @param allowDowngrade whether a machine that shows a higher version may be brought to the target
 * @param strict whether nothing more is started in a cluster one of whose machines was given up on
 * @param drain whether nodes are emptied before their calls; null for as each site's worker is set
 */
public record Terms(
        Duration settle,
        int weight,
        List<Dependency> dependsOn,
        List<Window> windows,
        @Nullable CohortRule cohorts,
        @Nullable String basedOn,
        List<DomainCap> domains,
        boolean allowDowngrade,
        boolean strict,
        @Nullable DrainMode drain) {
    public static final int USUAL_WEIGHT = 100;

    public static final Terms NONE = new Terms(Duration.ZERO, USUAL_WEIGHT, List.of(), List.of());

    /** Another campaign, and how many of a hundred of its machines must have succeeded. */
    public record Dependency(CampaignName campaign, int successPercent) {}

    public Terms {
        dependsOn = List.copyOf(dependsOn);
        windows = List.copyOf(windows);
        domains = List.copyOf(domains);
    }

    /** Terms that edit whatever there is. */
    public Terms(
            Duration settle,
            int weight,
            List<Dependency> dependsOn,
            List<Window> windows,
            @Nullable CohortRule cohorts) {
        this(settle, weight, dependsOn, windows, cohorts, null, List.of(), false, false, null);
    }

    /** Terms by which no kind of machine is closed. */
    public Terms(Duration settle, int weight, List<Dependency> dependsOn, List<Window> windows) {
        this(settle, weight, dependsOn, windows, null);
    }

    /** Terms without windows. */
    public Terms(Duration settle, int weight, List<Dependency> dependsOn) {
        this(settle, weight, dependsOn, List.of());
    }

    /** The same as an edit of an edition; null for of any. */
    public Terms basedOn(@Nullable String edition) {
        return new Terms(settle, weight, dependsOn, windows, cohorts, edition, domains, allowDowngrade, strict, drain);
    }

    /** The same with these caps for each value of a label. */
    public Terms capping(List<DomainCap> caps) {
        return new Terms(settle, weight, dependsOn, windows, cohorts, basedOn, caps, allowDowngrade, strict, drain);
    }

    /** The same, and machines may go back to an older version. */
    public Terms allowingDowngrade(boolean allowed) {
        return new Terms(settle, weight, dependsOn, windows, cohorts, basedOn, domains, allowed, strict, drain);
    }

    /** The same, and nodes are emptied so; null for as each site's worker is set. */
    public Terms draining(@Nullable DrainMode mode) {
        return new Terms(settle, weight, dependsOn, windows, cohorts, basedOn, domains, allowDowngrade, strict, mode);
    }

    /** The same, and a cluster stops where a machine was given up on. */
    public Terms strict(boolean stops) {
        return new Terms(settle, weight, dependsOn, windows, cohorts, basedOn, domains, allowDowngrade, stops, drain);
    }
}
