package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import java.util.List;

/**
 * Which machines a campaign is about. Every part that is given must hold; an empty list asks nothing.
 *
 * @param currentReleases the release annotation a machine must carry before it becomes a member; tested only until then
 * @param exclude machines that are left out whatever else holds
 */
public record Selection(
        List<SiteId> sites,
        Selector clusters,
        Selector machines,
        List<Role> roles,
        List<String> currentReleases,
        List<MachineKey> exclude) {
    public static final Selection EVERYTHING =
            new Selection(List.of(), Selector.ALL, Selector.ALL, List.of(), List.of(), List.of());

    public Selection {
        sites = List.copyOf(sites);
        roles = List.copyOf(roles);
        currentReleases = List.copyOf(currentReleases);
        exclude = List.copyOf(exclude);
    }
}
