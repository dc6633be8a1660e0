package dev.flotilla.simulator.operator;

import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.ProviderRule;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.simulator.fleet.MachineProviderLabel;
import dev.flotilla.simulator.fleet.SimFleet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A policy's rules about providers that are right for every machine, whatever the watchers have found. */
final class ProviderRules {
    private static final NodeUpgradeTemplateRef TEMPLATE =
            new NodeUpgradeTemplateRef("flotilla.dev/v1alpha1", "NodeUpgradeTemplate", "simulated");

    private ProviderRules() {}

    /** The rules for a fleet; none if k8sd upgrades all of it. */
    static List<ProviderRule> of(SimFleet fleet) {
        List<ProviderRule> rules = new ArrayList<>();
        if (isNeeded(fleet)) {
            for (UpgradeProvider provider : UpgradeProvider.values()) {
                rules.add(new ProviderRule(
                        List.of(),
                        new LabelSelector(List.of(new LabelSelector.LabelRequirement(
                                MachineProviderLabel.KEY, LabelSelector.LabelOperator.IN, List.of(provider.label())))),
                        provider,
                        provider == UpgradeProvider.NODE_UPGRADE ? TEMPLATE : null));
            }
        }
        return rules;
    }

    /** Whether a campaign may select machines that cannot have its target. */
    static boolean selectsTooMuch(SimFleet fleet, CampaignSpec spec) {
        return isNeeded(fleet) && spec.select().providers().isEmpty();
    }

    /** A campaign that leaves out what cannot have its target, as the explanation of a waiting machine says. */
    static CampaignSpec withoutInapplicable(SimFleet fleet, CampaignSpec spec) {
        return selectsTooMuch(fleet, spec)
                ? CampaignSpecBuilder.from(spec)
                        .select(spec.select()
                                .withProviders(Arrays.stream(UpgradeProvider.values())
                                        .filter(provider ->
                                                provider.canApply(spec.target().option()))
                                        .toList()))
                        .build()
                : spec;
    }

    static boolean isNeeded(SimFleet fleet) {
        return fleet.machines().stream().anyMatch(MachineProviderLabel::isOn);
    }
}
