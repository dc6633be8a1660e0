package dev.flotilla.nodeworker.fault;

import dev.flotilla.nodeworker.stub.TwoClusterFixture;

/**
 * What can go wrong with a NodeUpgrade, and how its attempt must end.
 *
 * @param fault what happens before the attempt
 * @param controller what the controller of NodeUpgrades does after each wait
 * @param expectedEnd as {@link FaultCase#describe} says it
 * @param objects how many objects there are at the end
 * @param cancelled whether the command is cancelled while the first wait after the call lasts
 */
record NodeUpgradeFaultCase(
        String group,
        String title,
        Fault fault,
        Controller controller,
        String expectedEnd,
        int objects,
        boolean cancelled) {

    /** Something that happens before the attempt. */
    interface Fault {
        void inject(TwoClusterFixture world);
    }

    /** The controller of NodeUpgrades. */
    interface Controller {
        /**
         * Acts on the object of the attempt, and on its node.
         *
         * @param path the object
         * @param round how often it has acted before
         */
        void act(TwoClusterFixture world, String path, int round);
    }

    @Override
    public String toString() {
        return title;
    }
}
