package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.List;

/** JSON codec for a campaign's selection of machines. */
final class MachineSelectionCodec {
    static final JsonCodec<MachineSelection> SELECTION = selection();

    private MachineSelectionCodec() {}

    private static JsonCodec<MachineSelection> selection() {
        var selection = JsonObjectCodec.<MachineSelection>of(
                "selection", "The machines of a campaign: every given part must match.");
        var sites = selection.<List<SiteId>>defaulted(
                "sites",
                new ListCodec<>(IdCodecs.SITE, WaveCodec.MAX_SITES),
                List.of(),
                "Machines of these sites. Default: every site.",
                MachineSelection::sites);
        var clusters = selection.defaulted(
                "clusters",
                LabelSelectorCodec.SELECTOR,
                LabelSelector.ALL,
                "Machines of clusters with these labels.",
                MachineSelection::clusters);
        var machines = selection.defaulted(
                "machines",
                LabelSelectorCodec.SELECTOR,
                LabelSelector.ALL,
                "Machines with these labels.",
                MachineSelection::machines);
        var roles = selection.<List<MachineRole>>defaulted(
                "roles",
                new ListCodec<>(InventoryRowCodecs.ROLE, MachineRole.values().length),
                List.of(),
                "Machines of these roles. Default: every role.",
                MachineSelection::roles);
        var releases = selection.<List<String>>defaulted(
                "currentRelease",
                new ListCodec<>(ScalarCodecs.text(0, UpgradeTarget.MAX_LENGTH), 64),
                List.of(),
                "Machines that have one of these release annotations before they become members. Default: any.",
                MachineSelection::currentReleases);
        var exclude = selection.<List<MachineKey>>defaulted(
                "exclude",
                new ListCodec<>(IdCodecs.MACHINE, 1_000),
                List.of(),
                "Machines that are never selected, each as <site>/<namespace>/<name>.",
                MachineSelection::excludedMachines);
        var providers = selection.<List<UpgradeProvider>>omittedIfDefault(
                "providers",
                new ListCodec<>(UpgradeProviderCodecs.PROVIDER, UpgradeProvider.values().length),
                List.of(),
                "Machines that have one of these providers before they become members: k8sd, node-upgrade or none."
                        + " Default: any.",
                MachineSelection::providers);
        return selection.build(v -> new MachineSelection(
                v.get(sites),
                v.get(clusters),
                v.get(machines),
                v.get(roles),
                v.get(releases),
                v.get(exclude),
                v.get(providers)));
    }
}
