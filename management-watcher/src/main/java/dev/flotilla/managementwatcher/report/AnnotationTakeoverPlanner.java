package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.report.AnnotationWrite.AnnotationWriteBuilder;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.managementwatcher.view.WatcherAnnotationKeys;

/**
 * An owner that was annotated before the policy kept the documented key from the provider's controllers. They mark its machines
 * again and again, each mark is renamed, and nobody goes on. So the owner's key is renamed too: the machine that they are at is
 * theirs until it is done, and the others follow ours.
 */
final class AnnotationTakeoverPlanner {
    private AnnotationTakeoverPlanner() {}

    static AnnotationWrite planTakeover(OwnerView owner) {
        String option = String.valueOf(owner.annotations().upgradeTo());
        AnnotationWriteBuilder annotationWriteBuilder = new AnnotationWriteBuilder()
                .setAnnotation(WatcherAnnotationKeys.UPGRADE_TO, null, option)
                .setAnnotation(
                        WatcherAnnotationKeys.OUR_UPGRADE_TO,
                        option,
                        owner.annotations().ourUpgradeTo());
        return new AnnotationWrite(
                owner.key(),
                owner.uid(),
                owner.version(),
                annotationWriteBuilder.annotations(),
                UpgradeEvent.takenOver(option));
    }
}
