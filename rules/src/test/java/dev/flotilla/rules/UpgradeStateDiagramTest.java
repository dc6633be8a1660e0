package dev.flotilla.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.upgrade.UpgradeProcedure;
import dev.flotilla.testkit.page.GeneratedPageSection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The diagrams of the worker's upgrade procedure in docs/states.md: the transitions that {@link UpgradeProcedureExplorer} sees.
 * {@code -Dflotilla.rewrite=true} draws them again.
 */
class UpgradeStateDiagramTest {
    private static final String PACKAGE = UpgradeProcedure.class.getPackageName() + ".";

    private record Observation(@Nullable List<String> before, List<String> after, String cause) {}

    private static final Set<Observation> OBSERVATIONS = new LinkedHashSet<>();

    @BeforeAll
    static void explore() {
        UpgradeProcedureExplorer.explore(
                (before, after, cause) -> OBSERVATIONS.add(new Observation(before, after, cause)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"UpgradeState", "PreparationState", "OutcomeState"})
    void pageShowsTheTransitionsThatTheProcedureMakes(String type) throws Exception {
        StateDiagram diagram = new StateDiagram(Class.forName(PACKAGE + type));
        for (Observation observation : OBSERVATIONS) {
            String from = nameIn(diagram, observation.before());
            String to = nameIn(diagram, observation.after());
            if (diagram.names().contains(from) || diagram.names().contains(to)) {
                diagram.add(from, to, observation.cause());
            }
        }
        assertThat(diagram.unreachedStates()).isEmpty();
        assertThat(GeneratedPageSection.readOrRewrite(
                        SourceTree.ROOT.resolve("docs/states.md"), type, diagram.toMermaid()))
                .as("written anew by -Dflotilla.rewrite=true")
                .isEqualTo(diagram.toMermaid());
    }

    /** The state of this type, or the outermost state. */
    private static String nameIn(StateDiagram diagram, @Nullable List<String> states) {
        return states == null
                ? StateDiagram.OUTSIDE
                : states.stream().filter(diagram.names()::contains).findFirst().orElse(states.getFirst());
    }

    @Test
    void everyAttemptCanEnd() {
        assertThat(OBSERVATIONS).anyMatch(observation -> observation.after().equals(List.of("Ended")));
    }
}
