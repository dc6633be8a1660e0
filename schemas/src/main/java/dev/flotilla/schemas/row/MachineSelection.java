package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import java.util.List;

/**
 * Which machines a campaign is about. Every part that is given must hold; an empty list asks nothing.
 *
 * @param currentReleases the release annotation a machine must carry before it becomes a member; tested only until then
 * @param excludedMachines machines that are left out whatever else holds
 */
public record MachineSelection(
        List<SiteId> sites,
        LabelSelector clusters,
        LabelSelector machines,
        List<MachineRole> roles,
        List<String> currentReleases,
        List<MachineKey> excludedMachines) {
    public static final MachineSelection EVERYTHING =
            new MachineSelection(List.of(), LabelSelector.ALL, LabelSelector.ALL, List.of(), List.of(), List.of());

    public MachineSelection {
        sites = List.copyOf(sites);
        roles = List.copyOf(roles);
        currentReleases = List.copyOf(currentReleases);
        excludedMachines = List.copyOf(excludedMachines);
    }
}
