package dev.flotilla.core.fleet;

/**
 * Clusters of one site in which a rollout may start a machine, the one to go first in front. Those whose start takes more
 * out of the failure budget are in a lane of their own, so that they hold up nobody who needs less.
 */
final class Lane extends Ranked<Lane> {
    final Site site;
    final int need;
    final RankedHeap<Share> shares = new RankedHeap<>();

    Lane(Site site, int need) {
        this.site = site;
        this.need = need;
    }

    Share first() {
        Share share = shares.first();
        if (share == null) {
            throw new IllegalStateException("an empty lane was chosen");
        }
        return share;
    }

    boolean isEmpty() {
        return shares.first() == null;
    }

    @Override
    long order() {
        return first().order();
    }

    @Override
    boolean before(Lane other) {
        return first().before(other.first());
    }
}
