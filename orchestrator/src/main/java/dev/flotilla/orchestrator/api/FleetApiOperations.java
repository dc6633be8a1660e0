package dev.flotilla.orchestrator.api;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.orchestrator.api.answer.BlockedMachineCounts;
import dev.flotilla.orchestrator.api.answer.CampaignListResponse;
import dev.flotilla.orchestrator.api.answer.CampaignResponse;
import dev.flotilla.orchestrator.api.answer.FleetMapResponse;
import dev.flotilla.orchestrator.api.answer.FleetResponse;
import dev.flotilla.orchestrator.api.answer.SiteListResponse;
import dev.flotilla.orchestrator.view.StateView;
import dev.flotilla.runtime.http.HttpErrorResponse;
import dev.flotilla.runtime.kafka.OpenTransaction;
import dev.flotilla.schemas.id.CampaignName;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Supplier;

/** What can be asked about the fleet, its sites and its campaigns. */
record FleetApiOperations(
        StateQueryClient queries,
        BlockedMachineCache blockedMachines,
        FleetMapCache fleetMap,
        Supplier<List<OpenTransaction>> blockingTransactions) {
    List<ApiOperation<?>> all() {
        return List.of(
                new ApiOperation<>(
                        "fleet",
                        "/api/v1/fleet",
                        "The whole fleet at a glance.",
                        List.of(),
                        FleetResponse.CODEC,
                        requestParameters -> queries.queryEvenIfStale(
                                view -> ApiResult.found(FleetResponse.of(view, blockingTransactions.get())))),
                new ApiOperation<>(
                        "sites",
                        "/api/v1/sites",
                        "Every site.",
                        List.of(),
                        SiteListResponse.CODEC,
                        requestParameters -> queries.query(view -> ApiResult.found(SiteListResponse.of(view)))),
                new ApiOperation<>(
                        "map",
                        "/api/v1/map",
                        "Every cluster with how its machines stand, and where machines wait.",
                        List.of(),
                        FleetMapResponse.CODEC,
                        requestParameters -> fleetMap.readMap()),
                new ApiOperation<>(
                        "campaigns",
                        "/api/v1/campaigns",
                        "Campaigns by name, a page at a time.",
                        List.of(PageParameters.LIMIT, PageParameters.AFTER),
                        CampaignListResponse.CODEC,
                        this::campaigns),
                new ApiOperation<>(
                        "campaign",
                        "/api/v1/campaigns/:name",
                        "A campaign: what it is to do, how far it is, and where its machines wait.",
                        List.of(ApiParameter.path("name", "The campaign's name.")),
                        CampaignResponse.CODEC,
                        this::campaign));
    }

    private Future<ApiResult<CampaignListResponse>> campaigns(RequestParameters requestParameters) {
        int limit = requestParameters.integer("limit", PageParameters.DEFAULT_LIMIT, PageParameters.MOST);
        CampaignName after = requestParameters.get("after", PageParameters::campaign, "a campaign's name");
        return requestParameters.problem() != null
                ? PageParameters.invalidParameters(requestParameters)
                : queries.query(view -> ApiResult.found(CampaignListResponse.of(view, after, limit)));
    }

    private Future<ApiResult<CampaignResponse>> campaign(RequestParameters requestParameters) {
        CampaignName name = requestParameters.parsed(
                "campaign", requestParameters.path("name"), PageParameters::campaign, "a campaign's name");
        if (name == null) {
            return PageParameters.invalidParameters(requestParameters);
        }
        return queries.<Boolean>query(view -> exists(view, name)).compose(apiResult -> switch (apiResult) {
            case ApiResult.ApiError<Boolean> apiError -> Future.succeededFuture(ApiResult.none(apiError.error()));
            case ApiResult.ApiValue<Boolean> there ->
                blockedMachines.countsOf(name).compose(tally -> queries.query(view -> campaign(view, name, tally)));
        });
    }

    private static ApiResult<Boolean> exists(StateView view, CampaignName name) {
        HttpErrorResponse missing = NotFoundErrors.campaign(view.state(), name);
        return missing == null ? ApiResult.found(true) : ApiResult.none(missing);
    }

    private static ApiResult<CampaignResponse> campaign(StateView view, CampaignName name, BlockedMachineCounts tally) {
        CampaignRollout campaign = view.state().rollout(name);
        HttpErrorResponse missing = NotFoundErrors.campaign(view.state(), name);
        return campaign == null || missing != null
                ? ApiResult.none(
                        missing == null ? HttpErrorResponse.unavailable("gone", "It has just gone.", null) : missing)
                : ApiResult.found(CampaignResponse.of(view.state(), campaign, tally, view.now()));
    }
}
