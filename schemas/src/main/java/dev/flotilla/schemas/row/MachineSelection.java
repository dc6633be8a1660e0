package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import java.util.List;

/**
 * The machines of a campaign. Every given part must match; an empty list matches everything.
 *
 * @param currentReleases the release annotations of which a machine must have one to become a member; checked only until then
 * @param excludedMachines machines that are never selected
 * @param providers the providers of which a machine must have one to become a member; checked only until then
 */
public record MachineSelection(
        List<SiteId> sites,
        LabelSelector clusters,
        LabelSelector machines,
        List<MachineRole> roles,
        List<String> currentReleases,
        List<MachineKey> excludedMachines,
        List<UpgradeProvider> providers) {
    public static final MachineSelection EVERYTHING =
            new MachineSelection(List.of(), LabelSelector.ALL, LabelSelector.ALL, List.of(), List.of(), List.of());

    public MachineSelection {
        sites = List.copyOf(sites);
        roles = List.copyOf(roles);
        currentReleases = List.copyOf(currentReleases);
        excludedMachines = List.copyOf(excludedMachines);
        providers = List.copyOf(providers);
    }

    /** A selection of machines of any provider. */
    public MachineSelection(
            List<SiteId> sites,
            LabelSelector clusters,
            LabelSelector machines,
            List<MachineRole> roles,
            List<String> currentReleases,
            List<MachineKey> excludedMachines) {
        this(sites, clusters, machines, roles, currentReleases, excludedMachines, List.of());
    }

    /** Returns a copy that selects only machines of these providers. */
    public MachineSelection withProviders(List<UpgradeProvider> wanted) {
        return new MachineSelection(sites, clusters, machines, roles, currentReleases, excludedMachines, wanted);
    }
}
