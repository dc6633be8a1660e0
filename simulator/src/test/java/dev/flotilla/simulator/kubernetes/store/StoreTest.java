package dev.flotilla.simulator.kubernetes.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.simulator.kubernetes.json.Json;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class StoreTest {
    private static final ObjectRef MACHINE = Resources.MACHINES.named("fleet", "m");

    private final Store store = new Store("a", InstantSource.fixed(Instant.parse("2026-01-05T10:00:00.5Z")));

    @Test
    void givesEveryWriteAVersionOfItsOwn() {
        Stored first = store.put(MACHINE, spec("1"));
        Stored second = store.put(MACHINE, spec("2"));
        assertThat(second.version()).isGreaterThan(first.version());
        assertThat(Json.text(second.tree(), "metadata", "resourceVersion")).isEqualTo(Long.toString(second.version()));
        assertThat(Json.text(second.tree(), "metadata", "uid")).isEqualTo(Json.text(first.tree(), "metadata", "uid"));
        assertThat(Json.text(second.tree(), "metadata", "creationTimestamp")).isEqualTo("2026-01-05T10:00:00Z");
    }

    @Test
    void countsNoVersionWhereNothingBecameDifferent() {
        Stored first = store.put(MACHINE, spec("1"));
        assertThat(store.put(MACHINE, spec("1"))).isSameAs(first);
        assertThat(store.shelf(Resources.MACHINES).after(first.version())).isEmpty();
    }

    @Test
    void agesAnObjectByWhatIsWantedAlone() {
        store.put(MACHINE, spec("1"));
        Stored labelled = store.change(MACHINE, tree -> Json.with(tree, "b", "metadata", "labels", "a"));
        Stored reported = store.change(MACHINE, tree -> Json.with(tree, "Running", "status", "phase"));
        Stored wanted = store.change(MACHINE, tree -> Json.with(tree, "2", "spec", "version"));
        assertThat(labelled.tree())
                .satisfies(tree -> assertThat(generation(tree)).isEqualTo(1));
        assertThat(generation(reported.tree())).isEqualTo(1);
        assertThat(generation(wanted.tree())).isEqualTo(2);
    }

    @Test
    void givesAnotherObjectOfTheSameNameAnotherUid() {
        Stored first = store.put(MACHINE, spec("1"));
        store.remove(MACHINE);
        Stored second = store.put(MACHINE, spec("1"));
        assertThat(Json.text(second.tree(), "metadata", "uid"))
                .isNotEqualTo(Json.text(first.tree(), "metadata", "uid"));
        JsonObjectReader stale = Json.with(first.tree(), "x", "spec", "version");
        assertThat(store.replace(MACHINE, stale, Part.MAIN))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.code()).isEqualTo(409));
    }

    @Test
    void forgetsItsPastAfterSoManyHappenings() {
        Stored first = store.put(MACHINE, spec("0"));
        for (int i = 1; i <= Shelf.REMEMBERED; i++) {
            store.put(MACHINE, spec(Integer.toString(i)));
        }
        Shelf shelf = store.shelf(Resources.MACHINES);
        assertThat(shelf.forgotten()).isEqualTo(first.version());
        assertThat(shelf.after(first.version())).hasSize(Shelf.REMEMBERED);
    }

    @Test
    void listsByNamespaceThoughNamesBeginAlike() {
        store.put(Resources.MACHINES.named("a", "x"), spec("1"));
        store.put(Resources.MACHINES.named("a-b", "x"), spec("1"));
        assertThat(store.shelf(Resources.MACHINES).in("a")).hasSize(1);
        assertThat(store.shelf(Resources.MACHINES).in("")).hasSize(2);
    }

    private static long generation(JsonObjectReader tree) {
        return Json.whole(tree, "metadata", "generation");
    }

    private static JsonObjectReader spec(String version) {
        return Json.object("spec", Json.object("version", version));
    }
}
