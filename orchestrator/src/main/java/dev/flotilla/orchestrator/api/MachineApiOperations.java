package dev.flotilla.orchestrator.api;

import static dev.flotilla.orchestrator.api.request.ApiParameter.pathParameter;
import static dev.flotilla.orchestrator.api.request.ApiParameter.queryParameter;

import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.explain.MachineExplanation;
import dev.flotilla.core.explain.MachineSummary;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.orchestrator.api.answer.ApiResult;
import dev.flotilla.orchestrator.api.answer.ExplanationCodec;
import dev.flotilla.orchestrator.api.answer.MachineCursorFormat;
import dev.flotilla.orchestrator.api.answer.MachineEventsResponse;
import dev.flotilla.orchestrator.api.answer.MachineFilter;
import dev.flotilla.orchestrator.api.answer.MachineListResponse;
import dev.flotilla.orchestrator.api.answer.MachineResponse;
import dev.flotilla.orchestrator.api.answer.NotFoundErrors;
import dev.flotilla.orchestrator.api.query.MachinePageQuery;
import dev.flotilla.orchestrator.api.query.StateQueryClient;
import dev.flotilla.orchestrator.api.request.ApiParameter;
import dev.flotilla.orchestrator.api.request.RequestParameters;
import dev.flotilla.orchestrator.state.EventRingBuffer;
import dev.flotilla.orchestrator.state.StateView;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Operations on machines. */
record MachineApiOperations(StateQueryClient queries, EventRingBuffer eventBuffer) {
    /** Longer than each machine's name with its site and namespace. */
    private static final int MAX_NAME_PART = 1_000;

    private static final String MACHINE_FORMAT = "a machine as <site>/<namespace>/<name>";
    private static final JsonCodec<String> STATE = ScalarCodecs.oneOf(MachineSummary.selectableStates());
    private static final JsonCodec<GateLabel> GATE = EnumCodec.of(GateLabel.class, GateLabel::label);
    private static final JsonCodec<MachineRole> ROLE = EnumCodec.of(MachineRole.class, MachineRole::label);

    private static final List<ApiParameter> NAME_PARAMETERS = List.of(
            pathParameter("site", "The machine's site."),
            pathParameter("namespace", "The machine's namespace."),
            pathParameter("name", "The machine's name."));
    private static final List<ApiParameter> KEY_PARAMETER =
            List.of(pathParameter("key", "The machine as <site>/<namespace>/<name>, with %2F for each slash."));

    List<ApiOperation<?>> listOperations() {
        return List.of(
                new ApiOperation<>(
                        "machines",
                        "/api/v1/machines",
                        "A page of machines, by cluster and name.",
                        List.of(
                                queryParameter("site", "Machines of this site."),
                                queryParameter("cluster", "Machines of this cluster, <site>/<namespace>/<name>."),
                                queryParameter("campaign", "Members of this campaign."),
                                queryParameter("role", "Machines with this role.")
                                        .withSchema(ROLE.schema()),
                                queryParameter("name", "Machines whose name, with site and namespace, has this part."),
                                queryParameter(
                                                "state",
                                                "Machines in this state; in-flight stands for each state of an open attempt.")
                                        .withSchema(STATE.schema()),
                                queryParameter("gate", "Machines that this gate blocks first.")
                                        .withSchema(GATE.schema()),
                                RequestParameters.LIMIT,
                                RequestParameters.AFTER),
                        MachineListResponse.CODEC,
                        this::listMachines),
                machineOperation("machine", "/api/v1/machines/:site/:namespace/:name", NAME_PARAMETERS),
                machineOperation("machine-by-key", "/api/v1/machines/:key", KEY_PARAMETER),
                explainOperation("explain", "/api/v1/machines/:site/:namespace/:name/explain", NAME_PARAMETERS),
                explainOperation("explain-by-key", "/api/v1/machines/:key/explain", KEY_PARAMETER),
                eventsOperation("machine-events", "/api/v1/machines/:site/:namespace/:name/events", NAME_PARAMETERS),
                eventsOperation("machine-events-by-key", "/api/v1/machines/:key/events", KEY_PARAMETER));
    }

    private ApiOperation<MachineResponse> machineOperation(String id, String path, List<ApiParameter> parameters) {
        return new ApiOperation<>(
                id,
                path,
                "A machine and its status.",
                parameters,
                MachineResponse.CODEC,
                requestParameters -> queryMachine(requestParameters, MachineResponse::of));
    }

    private ApiOperation<MachineExplanation> explainOperation(String id, String path, List<ApiParameter> parameters) {
        return new ApiOperation<>(
                id,
                path,
                "Why a machine is not being upgraded, gate by gate.",
                parameters,
                ExplanationCodec.CODEC,
                requestParameters -> queryMachine(
                        requestParameters,
                        (view, machine) -> MachineExplainer.explainMachine(
                                view.state(), view.gates(), machine.key(), view.now())));
    }

    private ApiOperation<MachineEventsResponse> eventsOperation(String id, String path, List<ApiParameter> parameters) {
        return new ApiOperation<>(
                id,
                path,
                "Recent decisions about a machine that are in this replica's event buffer.",
                Stream.concat(parameters.stream(), Stream.of(RequestParameters.LIMIT))
                        .toList(),
                MachineEventsResponse.CODEC,
                this::readEvents);
    }

    private Future<ApiResult<MachineEventsResponse>> readEvents(RequestParameters requestParameters) {
        int limit = requestParameters.getInteger("limit", RequestParameters.DEFAULT_LIMIT, RequestParameters.MAX_LIMIT);
        // The event buffer is read afterwards, off the deciding thread.
        return queryMachine(requestParameters, (view, machine) -> machine.key()).map(apiResult -> switch (apiResult) {
            case ApiResult.ApiError<MachineKey> apiError -> ApiResult.failed(apiError.error());
            case ApiResult.ApiValue<MachineKey> apiValue ->
                ApiResult.found(MachineEventsResponse.of(eventBuffer, apiValue.value(), limit));
        });
    }

    private <T> Future<ApiResult<T>> queryMachine(
            RequestParameters requestParameters, BiFunction<StateView, MachineView, T> toResponse) {
        String keyText = requestParameters.getPathParameter("key");
        String text = !keyText.isEmpty()
                ? keyText
                : requestParameters.getPathParameter("site") + "/" + requestParameters.getPathParameter("namespace")
                        + "/" + requestParameters.getPathParameter("name");
        MachineKey key = requestParameters.parse("machine", text, RecordKeyFormat::machine, MACHINE_FORMAT);
        if (key == null) {
            return RequestParameters.invalidParameters(requestParameters);
        }
        return queries.query(view -> {
            MachineView machine = view.state().machine(key);
            return machine == null
                    ? ApiResult.failed(NotFoundErrors.machineNotFound(view.state(), key))
                    : ApiResult.found(toResponse.apply(view, machine));
        });
    }

    private static @Nullable String parseNamePart(String text) {
        return text.isBlank() || text.length() > MAX_NAME_PART ? null : text.strip();
    }

    private Future<ApiResult<MachineListResponse>> listMachines(RequestParameters requestParameters) {
        MachineFilter filter = new MachineFilter(
                requestParameters.get("site", RequestParameters::parseSite, "a site's name"),
                requestParameters.get(
                        "cluster", MachineCursorFormat::parseCluster, "a cluster as <site>/<namespace>/<name>"),
                requestParameters.get("campaign", RequestParameters::parseCampaign, "a campaign's name"),
                requestParameters.get("role", ROLE),
                requestParameters.get("name", MachineApiOperations::parseNamePart, "a part of a machine's name"),
                requestParameters.get("state", STATE),
                requestParameters.get("gate", GATE));
        int limit = requestParameters.getInteger("limit", RequestParameters.DEFAULT_LIMIT, RequestParameters.MAX_LIMIT);
        var after = requestParameters.get(
                "after", MachineCursorFormat::parse, "the value of \"next\" in the previous page");
        return requestParameters.problem() != null
                ? RequestParameters.invalidParameters(requestParameters)
                : new MachinePageQuery(queries, filter, limit).readPage(after == null ? filter.start() : after);
    }
}
