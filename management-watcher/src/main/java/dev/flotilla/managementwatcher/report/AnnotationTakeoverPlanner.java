package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.report.AnnotationWrite.AnnotationWriteBuilder;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.schemas.kube.AnnotationKeys;

/**
 * Moves the upgrade annotation of an owner from the provider's key to Flotilla's, if it was written before the policy
 * hid that key from the provider's controllers. They mark the owner's machines again and again, the policy renames each
 * mark, and no machine is upgraded. After the move, the controllers finish the machine that they are upgrading, and
 * Flotilla upgrades the others.
 */
final class AnnotationTakeoverPlanner {
    private AnnotationTakeoverPlanner() {}

    static AnnotationWrite planTakeover(OwnerView owner) {
        String target = String.valueOf(owner.annotations().upgradeTo());
        AnnotationWriteBuilder annotationWriteBuilder = new AnnotationWriteBuilder()
                .setAnnotation(AnnotationKeys.UPGRADE_TO, null, target)
                .setAnnotation(
                        AnnotationKeys.OUR_UPGRADE_TO,
                        target,
                        owner.annotations().ourUpgradeTo());
        return new AnnotationWrite(
                owner.key(),
                owner.uid(),
                owner.version(),
                annotationWriteBuilder.annotations(),
                UpgradeEvent.takenOver(target));
    }
}
