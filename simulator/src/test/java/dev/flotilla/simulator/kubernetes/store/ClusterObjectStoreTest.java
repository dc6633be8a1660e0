package dev.flotilla.simulator.kubernetes.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class ClusterObjectStoreTest {
    private static final ObjectReference MACHINE = BuiltInResources.MACHINES.named("fleet", "m");

    private final ClusterObjectStore store =
            new ClusterObjectStore("a", InstantSource.fixed(Instant.parse("2026-01-05T10:00:00.5Z")));

    @Test
    void givesEveryWriteANewVersion() {
        StoredObject first = store.put(MACHINE, spec("1"));
        StoredObject second = store.put(MACHINE, spec("2"));
        assertThat(second.version()).isGreaterThan(first.version());
        assertThat(ImmutableJson.textAt(second.tree(), "metadata", "resourceVersion"))
                .isEqualTo(Long.toString(second.version()));
        assertThat(ImmutableJson.textAt(second.tree(), "metadata", "uid"))
                .isEqualTo(ImmutableJson.textAt(first.tree(), "metadata", "uid"));
        assertThat(ImmutableJson.textAt(second.tree(), "metadata", "creationTimestamp"))
                .isEqualTo("2026-01-05T10:00:00Z");
    }

    @Test
    void givesAnUnchangedObjectNoNewVersion() {
        StoredObject first = store.put(MACHINE, spec("1"));
        assertThat(store.put(MACHINE, spec("1"))).isSameAs(first);
        assertThat(store.resourceStore(BuiltInResources.MACHINES).eventsAfter(first.version()))
                .isEmpty();
    }

    @Test
    void incrementsTheGenerationForSpecChangesOnly() {
        store.put(MACHINE, spec("1"));
        StoredObject labelled = store.change(MACHINE, tree -> ImmutableJson.with(tree, "b", "metadata", "labels", "a"));
        StoredObject reported = store.change(MACHINE, tree -> ImmutableJson.with(tree, "Running", "status", "phase"));
        StoredObject wanted = store.change(MACHINE, tree -> ImmutableJson.with(tree, "2", "spec", "version"));
        assertThat(labelled.tree())
                .satisfies(tree -> assertThat(generation(tree)).isEqualTo(1));
        assertThat(generation(reported.tree())).isEqualTo(1);
        assertThat(generation(wanted.tree())).isEqualTo(2);
    }

    @Test
    void givesARecreatedObjectANewUid() {
        StoredObject first = store.put(MACHINE, spec("1"));
        store.remove(MACHINE);
        StoredObject second = store.put(MACHINE, spec("1"));
        assertThat(ImmutableJson.textAt(second.tree(), "metadata", "uid"))
                .isNotEqualTo(ImmutableJson.textAt(first.tree(), "metadata", "uid"));
        JsonObjectReader stale = ImmutableJson.with(first.tree(), "x", "spec", "version");
        assertThat(store.replace(MACHINE, stale, WriteScope.MAIN))
                .isInstanceOfSatisfying(
                        ApiError.class, apiError -> assertThat(apiError.code()).isEqualTo(409));
    }

    @Test
    void dropsEventsBeyondTheRetainedNumber() {
        StoredObject first = store.put(MACHINE, spec("0"));
        for (int i = 1; i <= ResourceStore.MAX_RETAINED_EVENTS; i++) {
            store.put(MACHINE, spec(Integer.toString(i)));
        }
        ResourceStore resourceStore = store.resourceStore(BuiltInResources.MACHINES);
        assertThat(resourceStore.droppedUpTo()).isEqualTo(first.version());
        assertThat(resourceStore.eventsAfter(first.version())).hasSize(ResourceStore.MAX_RETAINED_EVENTS);
    }

    @Test
    void distinguishesNamespacesWithACommonPrefix() {
        store.put(BuiltInResources.MACHINES.named("a", "x"), spec("1"));
        store.put(BuiltInResources.MACHINES.named("a-b", "x"), spec("1"));
        assertThat(store.resourceStore(BuiltInResources.MACHINES).objectsInNamespace("a"))
                .hasSize(1);
        assertThat(store.resourceStore(BuiltInResources.MACHINES).objectsInNamespace(""))
                .hasSize(2);
    }

    private static long generation(JsonObjectReader tree) {
        return ImmutableJson.wholeNumberAt(tree, "metadata", "generation");
    }

    private static JsonObjectReader spec(String version) {
        return ImmutableJson.object("spec", ImmutableJson.object("version", version));
    }
}
