package dev.flotilla.orchestrator.api;

import static dev.flotilla.orchestrator.api.Parameter.path;
import static dev.flotilla.orchestrator.api.Parameter.query;

import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.explain.MachineExplanation;
import dev.flotilla.core.explain.MachineSummary;
import dev.flotilla.core.fleet.MachineView;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.orchestrator.api.answer.Bookmarks;
import dev.flotilla.orchestrator.api.answer.ExplainAnswer;
import dev.flotilla.orchestrator.api.answer.MachineAnswer;
import dev.flotilla.orchestrator.api.answer.MachineEventsAnswer;
import dev.flotilla.orchestrator.api.answer.MachineFilter;
import dev.flotilla.orchestrator.api.answer.MachinesAnswer;
import dev.flotilla.orchestrator.view.EventRing;
import dev.flotilla.orchestrator.view.View;
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
record MachineOperations(Asker asker, EventRing ring) {
    private static final String FORM = "a machine as <site>/<namespace>/<name>";
    private static final JsonCodec<String> STATE =
            ScalarCodecs.oneOf(MachineSummary.states().stream().distinct().toList());
    private static final JsonCodec<GateLabel> GATE = EnumCodec.of(GateLabel.class, GateLabel::label);
    private static final JsonCodec<MachineRole> ROLE = EnumCodec.of(MachineRole.class, MachineRole::label);

    private static final List<Parameter> BY_PARTS = List.of(
            path("site", "The machine's site."),
            path("namespace", "Its namespace there."),
            path("name", "Its name in the namespace."));
    private static final List<Parameter> BY_KEY =
            List.of(path("key", "The machine as <site>/<namespace>/<name>, its slashes as %2F."));

    List<Operation<?>> all() {
        return List.of(
                new Operation<>(
                        "machines",
                        "/api/v1/machines",
                        "Machines by cluster and name, a page at a time.",
                        List.of(
                                query("site", "Machines of this site."),
                                query("cluster", "Machines of this cluster, <site>/<namespace>/<name>."),
                                query("campaign", "Machines that are in this campaign."),
                                query("role", "Machines of this role.").with(ROLE.schema()),
                                query("state", "Machines in this state.").with(STATE.schema()),
                                query("gate", "Machines that wait at this gate before any other.")
                                        .with(GATE.schema()),
                                Pages.LIMIT,
                                Pages.AFTER),
                        MachinesAnswer.CODEC,
                        this::list),
                machine("machine", "/api/v1/machines/:site/:namespace/:name", BY_PARTS),
                machine("machine-by-key", "/api/v1/machines/:key", BY_KEY),
                explain("explain", "/api/v1/machines/:site/:namespace/:name/explain", BY_PARTS),
                explain("explain-by-key", "/api/v1/machines/:key/explain", BY_KEY),
                events("machine-events", "/api/v1/machines/:site/:namespace/:name/events", BY_PARTS),
                events("machine-events-by-key", "/api/v1/machines/:key/events", BY_KEY));
    }

    private Operation<MachineAnswer> machine(String id, String path, List<Parameter> parameters) {
        return new Operation<>(
                id,
                path,
                "A machine as it stands.",
                parameters,
                MachineAnswer.CODEC,
                given -> about(given, MachineAnswer::of));
    }

    private Operation<MachineExplanation> explain(String id, String path, List<Parameter> parameters) {
        return new Operation<>(
                id,
                path,
                "Why a machine is not being upgraded, gate by gate.",
                parameters,
                ExplainAnswer.CODEC,
                given -> about(
                        given,
                        (view, machine) -> MachineExplainer.explainMachine(view.state(), view.gates(), machine.key(), view.now())));
    }

    private Operation<MachineEventsAnswer> events(String id, String path, List<Parameter> parameters) {
        return new Operation<>(
                id,
                path,
                "What was decided about a machine of late, as far as this process has seen it.",
                Stream.concat(parameters.stream(), Stream.of(Pages.LIMIT)).toList(),
                MachineEventsAnswer.CODEC,
                this::events);
    }

    private Future<Reply<MachineEventsAnswer>> events(Given given) {
        int limit = given.count("limit", Pages.DEFAULT_LIMIT, Pages.MOST);
        // The ring is read afterwards: it is none of the deciding thread's business.
        return about(given, (view, machine) -> machine.key()).map(reply -> switch (reply) {
            case Reply.None<MachineKey> none -> Reply.none(none.why());
            case Reply.Found<MachineKey> found -> Reply.found(MachineEventsAnswer.of(ring, found.value(), limit));
        });
    }

    private <T> Future<Reply<T>> about(Given given, BiFunction<View, MachineView, T> answer) {
        String whole = given.path("key");
        String text = !whole.isEmpty()
                ? whole
                : given.path("site") + "/" + given.path("namespace") + "/" + given.path("name");
        MachineKey key = given.parsed("machine", text, RecordKeyFormat::machine, FORM);
        if (key == null) {
            return Pages.wrong(given);
        }
        return asker.ask(view -> {
            MachineView machine = view.state().machine(key);
            return machine == null
                    ? Reply.none(Missing.machine(view.state(), key))
                    : Reply.found(answer.apply(view, machine));
        });
    }

    private Future<Reply<MachinesAnswer>> list(Given given) {
        MachineFilter filter = new MachineFilter(
                given.get("site", Pages::site, "a site's name"),
                given.get("cluster", Bookmarks::cluster, "a cluster as <site>/<namespace>/<name>"),
                given.get("campaign", Pages::campaign, "a campaign's name"),
                given.get("role", ROLE),
                given.get("state", STATE),
                given.get("gate", GATE));
        int limit = given.count("limit", Pages.DEFAULT_LIMIT, Pages.MOST);
        var after = given.get("after", Bookmarks::parse, "what a page before said as \"next\"");
        return given.problem() != null
                ? Pages.wrong(given)
                : new MachineSearch(asker, filter, limit).from(after == null ? filter.start() : after);
    }
}
