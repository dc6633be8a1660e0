package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the members of a control plane that has been started count against the failure budget together. */
class ControlPlaneBudgetTest {
    private final TestTopicRecords testTopicRecords = TestTopicRecords.watched();

    private SmallFleetFixture fleet(int budget) {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords, "9", budget);
        testTopicRecords.decide("inventory-changed", "", SmallFleetFixture.machine("cp2", true));
        testTopicRecords.decide("inventory-changed", "", SmallFleetFixture.machine("cp3", true));
        testTopicRecords.decide("inventory-changed", "", SmallFleetFixture.cluster(3));
        return fleet;
    }

    private List<String> breaches() {
        return testTopicRecords.found.stream()
                .filter(violation -> violation.invariant() == AuditInvariant.BUDGET)
                .map(InvariantViolation::detail)
                .toList();
    }

    @Test
    void itsFirstMemberNeedsBudgetForAll() {
        fleet(2).admit("cp");
        assertThat(breaches())
                .containsExactly("berlin/fleet/cp started: 0 machines of campaign c have failed and 3.0 may fail, but"
                        + " the budget is 2");
    }

    @Test
    void itsOtherMembersMayFollow() {
        SmallFleetFixture fleet = fleet(3);
        fleet.upgrade("cp");
        fleet.upgrade("cp2");
        fleet.upgrade("cp3");
        assertThat(testTopicRecords.found).isEmpty();
    }

    @Test
    void whatItsOtherMembersNeedStaysReserved() {
        SmallFleetFixture fleet = fleet(3);
        fleet.upgrade("cp");
        fleet.admit("w1");
        assertThat(breaches()).isEmpty();
        fleet.admit("w2");
        assertThat(breaches())
                .containsExactly("berlin/fleet/w2 started: 0 machines of campaign c have failed and 4.0 may fail, but"
                        + " the budget is 3");
    }
}
