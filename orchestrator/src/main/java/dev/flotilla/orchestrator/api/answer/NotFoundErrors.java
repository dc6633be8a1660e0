package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.runtime.http.HttpErrorResponse;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.codec.SpellingSuggestion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Errors for objects that do not exist, with the nearest known name. */
public final class NotFoundErrors {
    private static final int NOT_FOUND = 404;

    private NotFoundErrors() {}

    public static @Nullable HttpErrorResponse checkCampaign(FleetState state, CampaignName name) {
        if (state.rollout(name) != null) {
            return null;
        }
        List<String> known =
                state.campaigns().keySet().stream().map(CampaignName::name).toList();
        boolean isRejected = state.campaign(name) != null;
        return new HttpErrorResponse(
                NOT_FOUND,
                "no-such-campaign",
                isRejected ? "The campaign " + name + " has not been accepted." : "There is no campaign " + name + ".",
                isRejected
                        ? "flotilla rejected list shows the reason"
                        : hint(SpellingSuggestion.nearest(name.name(), known), "GET /api/v1/campaigns lists them"));
    }

    public static @Nullable HttpErrorResponse checkSite(FleetState state, SiteId site) {
        if (state.site(site) != null) {
            return null;
        }
        List<String> known =
                state.sites().stream().map(siteState -> siteState.id().name()).toList();
        return new HttpErrorResponse(
                NOT_FOUND,
                "no-such-site",
                "There is no site " + site + ".",
                hint(SpellingSuggestion.nearest(site.name(), known), "GET /api/v1/sites lists them"));
    }

    public static @Nullable HttpErrorResponse checkCluster(FleetState state, ClusterKey cluster) {
        return state.cluster(cluster) != null
                ? null
                : new HttpErrorResponse(
                        NOT_FOUND,
                        "no-such-cluster",
                        "There is no cluster " + cluster + ".",
                        "a cluster is <site>/<namespace>/<name>");
    }

    public static HttpErrorResponse machineNotFound(FleetState state, MachineKey machine) {
        HttpErrorResponse site = checkSite(state, machine.site());
        return site != null
                ? site
                : new HttpErrorResponse(
                        NOT_FOUND,
                        "no-such-machine",
                        "There is no machine " + machine + ".",
                        "GET /api/v1/machines?site=" + machine.site() + " lists those of its site");
    }

    private static String hint(@Nullable String near, String otherwise) {
        return near == null ? otherwise : "did you mean " + near + "?";
    }
}
