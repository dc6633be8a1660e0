package dev.flotilla.orchestrator.api;

import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.kafka.OpenTransaction;
import dev.flotilla.orchestrator.api.answer.ApiResult;
import dev.flotilla.orchestrator.api.answer.BlockedMachineCounts;
import dev.flotilla.orchestrator.api.answer.CampaignListResponse;
import dev.flotilla.orchestrator.api.answer.CampaignResponse;
import dev.flotilla.orchestrator.api.answer.FleetMapResponse;
import dev.flotilla.orchestrator.api.answer.FleetResponse;
import dev.flotilla.orchestrator.api.answer.NotFoundErrors;
import dev.flotilla.orchestrator.api.answer.SiteListResponse;
import dev.flotilla.orchestrator.api.query.BlockedMachineCache;
import dev.flotilla.orchestrator.api.query.FleetMapCache;
import dev.flotilla.orchestrator.api.query.StateQueryClient;
import dev.flotilla.orchestrator.api.request.ApiParameter;
import dev.flotilla.orchestrator.api.request.RequestParameters;
import dev.flotilla.orchestrator.state.StateView;
import dev.flotilla.runtime.http.HttpErrorResponse;
import dev.flotilla.schemas.id.CampaignName;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Supplier;

/** Operations on the fleet, its sites and its campaigns. */
record FleetApiOperations(
        StateQueryClient queries,
        BlockedMachineCache blockedMachines,
        FleetMapCache fleetMap,
        Supplier<List<OpenTransaction>> blockingTransactions) {
    List<ApiOperation<?>> listOperations() {
        return List.of(
                new ApiOperation<>(
                        "fleet",
                        "/api/v1/fleet",
                        "The fleet in totals.",
                        List.of(),
                        FleetResponse.CODEC,
                        requestParameters -> queries.queryEvenIfStale(
                                view -> ApiResult.found(FleetResponse.of(view, blockingTransactions.get())))),
                new ApiOperation<>(
                        "sites",
                        "/api/v1/sites",
                        "All sites.",
                        List.of(),
                        SiteListResponse.CODEC,
                        requestParameters -> queries.query(view -> ApiResult.found(SiteListResponse.of(view)))),
                new ApiOperation<>(
                        "map",
                        "/api/v1/map",
                        "All clusters with the number of machines in each condition, and the gates that block"
                                + " machines.",
                        List.of(),
                        FleetMapResponse.CODEC,
                        requestParameters -> fleetMap.readMap()),
                new ApiOperation<>(
                        "campaigns",
                        "/api/v1/campaigns",
                        "A page of campaigns, by name.",
                        List.of(RequestParameters.LIMIT, RequestParameters.AFTER),
                        CampaignListResponse.CODEC,
                        this::listCampaigns),
                new ApiOperation<>(
                        "campaign",
                        "/api/v1/campaigns/:name",
                        "A campaign: its specification, its progress, and the gates that block its machines.",
                        List.of(ApiParameter.pathParameter("name", "The campaign's name.")),
                        CampaignResponse.CODEC,
                        this::readCampaign));
    }

    private Future<ApiResult<CampaignListResponse>> listCampaigns(RequestParameters requestParameters) {
        int limit = requestParameters.getInteger("limit", RequestParameters.DEFAULT_LIMIT, RequestParameters.MAX_LIMIT);
        CampaignName after = requestParameters.get("after", RequestParameters::parseCampaign, "a campaign's name");
        return requestParameters.problem() != null
                ? RequestParameters.invalidParameters(requestParameters)
                : queries.query(view -> ApiResult.found(CampaignListResponse.of(view, after, limit)));
    }

    private Future<ApiResult<CampaignResponse>> readCampaign(RequestParameters requestParameters) {
        CampaignName name = requestParameters.parse(
                "campaign",
                requestParameters.getPathParameter("name"),
                RequestParameters::parseCampaign,
                "a campaign's name");
        if (name == null) {
            return RequestParameters.invalidParameters(requestParameters);
        }
        return queries.<Boolean>query(view -> checkExists(view, name)).compose(apiResult -> switch (apiResult) {
            case ApiResult.ApiError<Boolean> apiError -> Future.succeededFuture(ApiResult.failed(apiError.error()));
            case ApiResult.ApiValue<Boolean> exists ->
                blockedMachines.countsOf(name).compose(counts -> queries.query(view -> toResponse(view, name, counts)));
        });
    }

    private static ApiResult<Boolean> checkExists(StateView view, CampaignName name) {
        HttpErrorResponse missing = NotFoundErrors.checkCampaign(view.state(), name);
        return missing == null ? ApiResult.found(true) : ApiResult.failed(missing);
    }

    private static ApiResult<CampaignResponse> toResponse(
            StateView view, CampaignName name, BlockedMachineCounts counts) {
        CampaignRollout campaign = view.state().rollout(name);
        HttpErrorResponse missing = NotFoundErrors.checkCampaign(view.state(), name);
        return campaign == null || missing != null
                ? ApiResult.failed(
                        missing == null
                                ? HttpErrorResponse.unavailable(
                                        "gone", "The campaign was deleted while the request ran.", null)
                                : missing)
                : ApiResult.found(CampaignResponse.of(view.state(), campaign, counts, view.now()));
    }
}
