package dev.flotilla.testkit.sites;

import dev.flotilla.schemas.row.UpgradeProvider;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Which providers upgrade the machines of simulated sites. The machines of a cluster have the same one. */
public enum SitesProviders {
    K8SD(List.of(UpgradeProvider.K8SD)),
    NODE_UPGRADE(List.of(UpgradeProvider.NODE_UPGRADE)),
    MIXED(List.of(UpgradeProvider.K8SD, UpgradeProvider.NODE_UPGRADE));

    private final List<UpgradeProvider> providers;

    SitesProviders(List<UpgradeProvider> providers) {
        this.providers = providers;
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Finds one by its label; throws an exception that names all if there is none. */
    public static SitesProviders parse(String label) {
        return Stream.of(values())
                .filter(each -> each.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "\"" + label + "\" is not a provider: use k8sd, node-upgrade or mixed"));
    }

    /** The providers that machines have. */
    public List<UpgradeProvider> all() {
        return providers;
    }

    public boolean has(UpgradeProvider provider) {
        return providers.contains(provider);
    }

    /** The provider of the machines of a cluster, by its number: the providers alternate, also within each site. */
    UpgradeProvider of(int cluster, int sites) {
        int shift = sites % providers.size() == 0 ? cluster / sites : 0;
        return providers.get((cluster + shift) % providers.size());
    }
}
