package dev.flotilla.cli.campaign;

import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.core.explain.CampaignWarning;
import dev.flotilla.core.explain.CampaignWarningFinder;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.codec.SpellingSuggestion;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.LastAcceptedPolicy;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Review of a valid manifest against the current fleet.
 *
 * @param mistakes what is probably not meant; the manifest is applied only with {@code --force}
 * @param notes what the operator should know
 */
record ManifestReview(List<String> mistakes, List<String> notes) {

    /** Reviews a campaign. */
    static ManifestReview of(Campaign campaign, TableSnapshot tables, SortedSet<SiteId> sites) {
        List<String> mistakes = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        FleetState state = tables.state();
        for (MaintenanceWindow window : campaign.spec().windows()) {
            // The orchestrator reads the rules of a time zone when it accepts the first campaign that needs them.
            TimeZoneRules rules =
                    window.timeZone() == null ? null : TimeZoneRules.fromJvm(window.timeZone(), tables.now());
            if (rules != null) {
                state.put(rules);
            }
        }
        for (CampaignWarning warning :
                CampaignWarningFinder.findIfAccepted(state, GateChain.standard(), campaign, tables.now())) {
            String message = "campaign " + campaign.name() + " " + warning.message();
            (warning.kind().needsForce() ? mistakes : notes).add(message);
        }
        return new ManifestReview(mistakes, notes);
    }

    /** Reviews a policy: one of a site that does not exist limits nothing, and one with fewer caps than before limits less. */
    static ManifestReview of(UpgradePolicy policy, TableSnapshot tables, SortedSet<SiteId> sites) {
        if (!(policy.scope() instanceof SiteId site) || sites.contains(site)) {
            UpgradePolicy before = accepted(policy.scope(), tables);
            List<String> removed = RemovedCapFinder.describe(before, policy, accepted(FleetScope.FLEET, tables));
            return new ManifestReview(
                    List.of(),
                    removed.stream()
                            .map(each -> "policy " + policy.scope() + " " + each)
                            .toList());
        }
        String near = SpellingSuggestion.nearest(
                site.name(), sites.stream().map(SiteId::name).toList());
        return new ManifestReview(
                List.of("policy " + site + " is for a site that does not exist"
                        + (near == null ? "; `flotilla site list` lists the sites" : " (did you mean " + near + "?)")),
                List.of());
    }

    private static @Nullable UpgradePolicy accepted(PolicyScope scope, TableSnapshot tables) {
        LastAcceptedPolicy known = tables.row(new RowKey(Table.CAMPAIGN_STATUS, scope), LastAcceptedPolicy.class);
        return known == null ? null : known.policy();
    }

    /** Mistakes and notes together. */
    List<String> all() {
        List<String> all = new ArrayList<>(mistakes);
        all.addAll(notes);
        return all;
    }
}
