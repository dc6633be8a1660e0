package dev.flotilla.orchestrator.api;

import static dev.flotilla.orchestrator.api.ApiParameter.path;
import static dev.flotilla.orchestrator.api.ApiParameter.queryParameter;

import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.explain.MachineExplanation;
import dev.flotilla.core.explain.MachineSummary;
import dev.flotilla.core.fleet.MachineView;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.orchestrator.api.answer.ExplanationCodec;
import dev.flotilla.orchestrator.api.answer.MachineCursorFormat;
import dev.flotilla.orchestrator.api.answer.MachineEventsResponse;
import dev.flotilla.orchestrator.api.answer.MachineFilter;
import dev.flotilla.orchestrator.api.answer.MachineListResponse;
import dev.flotilla.orchestrator.api.answer.MachineResponse;
import dev.flotilla.orchestrator.view.EventRingBuffer;
import dev.flotilla.orchestrator.view.StateView;
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

/** What can be asked about machines. */
record MachineApiOperations(StateQueryClient queries, EventRingBuffer ring) {
    private static final String FORM = "a machine as <site>/<namespace>/<name>";
    private static final JsonCodec<String> STATE =
            ScalarCodecs.oneOf(MachineSummary.states().stream().distinct().toList());
    private static final JsonCodec<GateLabel> GATE = EnumCodec.of(GateLabel.class, GateLabel::label);
    private static final JsonCodec<MachineRole> ROLE = EnumCodec.of(MachineRole.class, MachineRole::label);

    private static final List<ApiParameter> BY_PARTS = List.of(
            path("site", "The machine's site."),
            path("namespace", "Its namespace there."),
            path("name", "Its name in the namespace."));
    private static final List<ApiParameter> BY_KEY =
            List.of(path("key", "The machine as <site>/<namespace>/<name>, its slashes as %2F."));

    List<ApiOperation<?>> all() {
        return List.of(
                new ApiOperation<>(
                        "machines",
                        "/api/v1/machines",
                        "Machines by cluster and name, a page at a time.",
                        List.of(
                                queryParameter("site", "Machines of this site."),
                                queryParameter("cluster", "Machines of this cluster, <site>/<namespace>/<name>."),
                                queryParameter("campaign", "Machines that are in this campaign."),
                                queryParameter("role", "Machines of this role.").withSchema(ROLE.schema()),
                                queryParameter("state", "Machines in this state.")
                                        .withSchema(STATE.schema()),
                                queryParameter("gate", "Machines that wait at this gate before any other.")
                                        .withSchema(GATE.schema()),
                                PageParameters.LIMIT,
                                PageParameters.AFTER),
                        MachineListResponse.CODEC,
                        this::list),
                machine("machine", "/api/v1/machines/:site/:namespace/:name", BY_PARTS),
                machine("machine-by-key", "/api/v1/machines/:key", BY_KEY),
                explain("explain", "/api/v1/machines/:site/:namespace/:name/explain", BY_PARTS),
                explain("explain-by-key", "/api/v1/machines/:key/explain", BY_KEY),
                events("machine-events", "/api/v1/machines/:site/:namespace/:name/events", BY_PARTS),
                events("machine-events-by-key", "/api/v1/machines/:key/events", BY_KEY));
    }

    private ApiOperation<MachineResponse> machine(String id, String path, List<ApiParameter> parameters) {
        return new ApiOperation<>(
                id,
                path,
                "A machine as it stands.",
                parameters,
                MachineResponse.CODEC,
                requestParameters -> about(requestParameters, MachineResponse::of));
    }

    private ApiOperation<MachineExplanation> explain(String id, String path, List<ApiParameter> parameters) {
        return new ApiOperation<>(
                id,
                path,
                "Why a machine is not being upgraded, gate by gate.",
                parameters,
                ExplanationCodec.CODEC,
                requestParameters -> about(
                        requestParameters,
                        (view, machine) -> MachineExplainer.explainMachine(
                                view.state(), view.gates(), machine.key(), view.now())));
    }

    private ApiOperation<MachineEventsResponse> events(String id, String path, List<ApiParameter> parameters) {
        return new ApiOperation<>(
                id,
                path,
                "What was decided about a machine of late, as far as this process has seen it.",
                Stream.concat(parameters.stream(), Stream.of(PageParameters.LIMIT))
                        .toList(),
                MachineEventsResponse.CODEC,
                this::events);
    }

    private Future<ApiResult<MachineEventsResponse>> events(RequestParameters requestParameters) {
        int limit = requestParameters.integer("limit", PageParameters.DEFAULT_LIMIT, PageParameters.MOST);
        // The ring is read afterwards: it is none of the deciding thread's business.
        return about(requestParameters, (view, machine) -> machine.key()).map(apiResult -> switch (apiResult) {
            case ApiResult.ApiError<MachineKey> apiError -> ApiResult.none(apiError.error());
            case ApiResult.ApiValue<MachineKey> apiValue ->
                ApiResult.found(MachineEventsResponse.of(ring, apiValue.value(), limit));
        });
    }

    private <T> Future<ApiResult<T>> about(
            RequestParameters requestParameters, BiFunction<StateView, MachineView, T> answer) {
        String whole = requestParameters.path("key");
        String text = !whole.isEmpty()
                ? whole
                : requestParameters.path("site") + "/" + requestParameters.path("namespace") + "/"
                        + requestParameters.path("name");
        MachineKey key = requestParameters.parsed("machine", text, RecordKeyFormat::machine, FORM);
        if (key == null) {
            return PageParameters.invalidParameters(requestParameters);
        }
        return queries.query(view -> {
            MachineView machine = view.state().machine(key);
            return machine == null
                    ? ApiResult.none(NotFoundErrors.machine(view.state(), key))
                    : ApiResult.found(answer.apply(view, machine));
        });
    }

    private Future<ApiResult<MachineListResponse>> list(RequestParameters requestParameters) {
        MachineFilter filter = new MachineFilter(
                requestParameters.get("site", PageParameters::site, "a site's name"),
                requestParameters.get(
                        "cluster", MachineCursorFormat::cluster, "a cluster as <site>/<namespace>/<name>"),
                requestParameters.get("campaign", PageParameters::campaign, "a campaign's name"),
                requestParameters.get("role", ROLE),
                requestParameters.get("state", STATE),
                requestParameters.get("gate", GATE));
        int limit = requestParameters.integer("limit", PageParameters.DEFAULT_LIMIT, PageParameters.MOST);
        var after = requestParameters.get("after", MachineCursorFormat::parse, "what a page before said as \"next\"");
        return requestParameters.problem() != null
                ? PageParameters.invalidParameters(requestParameters)
                : new MachinePageQuery(queries, filter, limit).readPage(after == null ? filter.start() : after);
    }
}
