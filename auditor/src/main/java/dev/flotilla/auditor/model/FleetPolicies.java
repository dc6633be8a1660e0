package dev.flotilla.auditor.model;

import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.TableRow;
import dev.flotilla.auditor.wire.UpgradePolicy;
import dev.flotilla.auditor.wire.UpgradeProvider;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the policy of the fleet and those of the sites say about a machine; the policy of its site goes first. */
public final class FleetPolicies {
    private static final String FLEET = "fleet";
    private static final String LOCAL_PATH = "localPath=";

    private final Function<String, @Nullable UpgradePolicy> policyOf;

    FleetPolicies(Function<String, @Nullable UpgradePolicy> policyOf) {
        this.policyOf = policyOf;
    }

    boolean changesProviders(String scope, @Nullable TableRow next) {
        UpgradePolicy before = policyOf.apply(scope);
        List<UpgradePolicy.ProviderRule> rules = next instanceof UpgradePolicy policy ? policy.providers() : List.of();
        return !rules.equals(before == null ? List.of() : before.providers());
    }

    /** What upgrades a machine: what the first rule for it in its site's policy says, else in the fleet's, else its row. */
    public UpgradeProvider providerOf(MachineRow machine) {
        UpgradePolicy own = policyOf.apply(machine.site());
        UpgradePolicy all = policyOf.apply(FLEET);
        List<UpgradePolicy.ProviderRule> rules =
                own != null && !own.providers().isEmpty() ? own.providers() : all == null ? List.of() : all.providers();
        return rules.stream()
                .filter(rule -> rule.selects(machine))
                .map(UpgradePolicy.ProviderRule::provider)
                .findFirst()
                .orElse(machine.provider());
    }

    /** Whether a machine's provider can apply a target. */
    public boolean canApply(MachineRow machine, String target) {
        return providerOf(machine).canApply(target);
    }

    /** Whether a target is no local path, or one below a directory that the policy of the machine's site allows. */
    public boolean allowsPath(MachineRow machine, String target) {
        return !target.startsWith(LOCAL_PATH)
                || intents(machine.site()).localPaths().stream()
                        .anyMatch(path -> target.startsWith(LOCAL_PATH + path + "/"));
    }

    /** The rules for intents of a site. */
    public UpgradePolicy.IntentRule intents(String site) {
        UpgradePolicy own = policyOf.apply(site);
        UpgradePolicy all = policyOf.apply(FLEET);
        return own != null && own.intents() != null
                ? own.intents()
                : all != null && all.intents() != null ? all.intents() : UpgradePolicy.IntentRule.DEFAULT;
    }
}
