package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Lists;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.row.Role;
import dev.flotilla.schemas.row.Selection;
import dev.flotilla.schemas.row.Selector;
import dev.flotilla.schemas.row.UpgradeOption;
import java.util.List;

/** Which machines a campaign is about. */
final class SelectionCodec {
    static final Codec<Selection> SELECTION = selection();

    private SelectionCodec() {}

    private static Codec<Selection> selection() {
        var selection = RecordCodec.<Selection>of(
                "selection", "Which machines a campaign is about: every part that is given must hold.");
        var sites = selection.<List<SiteId>>defaulted(
                "sites",
                new Lists<>(Ids.SITE, WaveCodec.MAX_SITES),
                List.of(),
                "Machines of these sites; empty is every site.",
                Selection::sites);
        var clusters = selection.defaulted(
                "clusters",
                SelectorCodec.SELECTOR,
                Selector.ALL,
                "Machines of clusters with these labels.",
                Selection::clusters);
        var machines = selection.defaulted(
                "machines", SelectorCodec.SELECTOR, Selector.ALL, "Machines with these labels.", Selection::machines);
        var roles = selection.<List<Role>>defaulted(
                "roles",
                new Lists<>(InventoryCodecs.ROLE, Role.values().length),
                List.of(),
                "Machines of these roles; empty is every role.",
                Selection::roles);
        var releases = selection.<List<String>>defaulted(
                "currentRelease",
                new Lists<>(Scalars.text(0, UpgradeOption.MAX_LENGTH), 64),
                List.of(),
                "Machines that carry one of these release annotations before they become members; empty asks for none.",
                Selection::currentReleases);
        var exclude = selection.<List<MachineKey>>defaulted(
                "exclude",
                new Lists<>(Ids.MACHINE, 1_000),
                List.of(),
                "Machines that are left out whatever else holds, each as <site>/<namespace>/<name>.",
                Selection::exclude);
        return selection.build(v -> new Selection(
                v.get(sites), v.get(clusters), v.get(machines), v.get(roles), v.get(releases), v.get(exclude)));
    }
}
