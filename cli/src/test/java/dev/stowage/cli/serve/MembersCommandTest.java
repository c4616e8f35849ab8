package dev.stowage.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.CallFailedException;
import dev.stowage.service.v1.Member;
import dev.stowage.service.v1.Status;
import org.junit.jupiter.api.Test;

/** Who leads after the leader is removed. */
final class MembersCommandTest {
    private static Member member(String node, long behind, long silentMillis) {
        return Member.newBuilder()
                .setNode(node)
                .setBehind(behind)
                .setSilentMillis(silentMillis)
                .build();
    }

    private static Status status(String asked, Member... others) {
        Status.Builder status =
                Status.newBuilder().setNode(asked).setLeader("n1").addMembers(member("n1", 0, 0));
        for (Member other : others) {
            status.addMembers(other);
        }
        return status.build();
    }

    @Test
    void theOneWithMostOfTheLogLeads() {
        assertThat(MembersCommand.successor(status("n1", member("n2", 3, 10), member("n3", 0, 90))))
                .isEqualTo("n3");
        // Little is behind where nothing has been committed since it went down.
        assertThat(MembersCommand.successor(
                        status("n1", member("n2", 0, 60_000), member("n3", 4, 90), member("n4", 5, 80))))
                .isEqualTo("n3");
        assertThat(MembersCommand.successor(
                        status("n1", member("n2", -1, -1), member("n3", 4, 90), member("n4", 5, 80))))
                .isEqualTo("n3");
    }

    @Test
    void withoutAMajorityOfTheOthersItRemains() {
        assertThatThrownBy(() -> MembersCommand.successor(status("n1", member("n2", 0, 60_000), member("n3", 0, 90))))
                .isInstanceOf(CallFailedException.class)
                .hasMessageContaining("no answer from n2;");
        assertThatThrownBy(() -> MembersCommand.successor(status("n3", member("n2", -1, -1), member("n3", -1, -1))))
                .isInstanceOf(CallFailedException.class)
                .hasMessageContaining("nothing is changed");
        assertThatThrownBy(() -> MembersCommand.successor(status("n1"))).isInstanceOf(BadInputException.class);
    }
}
