package dev.flotilla.simulator.run;

import dev.flotilla.simulator.leader.Tripwires;
import dev.flotilla.simulator.world.Chance;
import java.util.function.BooleanSupplier;

/**
 * What is special about a world, from its seed alone.
 *
 * @param toTheBrim names, labels, policies and campaigns are as large as codecs take them, and every record is weighed
 * @param tripping the core has a bug: it throws on one record in so many; zero for none
 * @param trippingDue and on one in so many of what falls due; zero for none
 */
record Circumstances(boolean toTheBrim, int tripping, int trippingDue) {
    private static final int WORLDS_TO_THE_BRIM = 10;
    private static final int WORLDS_WITH_TRIPWIRES = 20;

    static Circumstances of(Plan plan) {
        Chance chance = new Chance(plan.seed()).split("circumstances");
        boolean any = plan.rates().crash() > 0;
        boolean brim = any && chance.percent(WORLDS_TO_THE_BRIM);
        boolean trips = any && chance.percent(WORLDS_WITH_TRIPWIRES);
        return new Circumstances(brim, trips ? chance.between(60, 600) : 0, trips ? chance.between(30, 300) : 0);
    }

    /** The variant with the bug in it. */
    Variant of(Variant variant, long seed, BooleanSupplier active) {
        return tripping == 0
                ? variant
                : variant.with(() -> new Tripwires(variant.decider().get(), active, seed, tripping, trippingDue));
    }
}
