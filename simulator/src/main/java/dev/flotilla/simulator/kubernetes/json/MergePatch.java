package dev.flotilla.simulator.kubernetes.json;

import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import org.jspecify.annotations.Nullable;

/** RFC 7386: what is named is replaced, what is null is removed, objects are merged and lists are not. */
public final class MergePatch {
    private MergePatch() {}

    public static Tree apply(@Nullable Tree target, Tree patch) {
        if (!(patch instanceof Obj changes)) {
            return patch;
        }
        Obj before = target instanceof Obj obj ? obj : Json.EMPTY;
        Obj.Builder after = new Obj.Builder();
        for (int i = 0; i < before.size(); i++) {
            Tree change = changes.get(before.name(i));
            if (change == null) {
                after.put(before.name(i), before.value(i));
            } else if (!(change instanceof Tree.Nothing)) {
                after.put(before.name(i), apply(before.value(i), change));
            }
        }
        for (int i = 0; i < changes.size(); i++) {
            if (!(changes.value(i) instanceof Tree.Nothing) && before.get(changes.name(i)) == null) {
                after.put(changes.name(i), apply(null, changes.value(i)));
            }
        }
        return after.build();
    }
}
