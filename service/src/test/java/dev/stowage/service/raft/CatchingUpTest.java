package dev.stowage.service.raft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.service.directory.Member;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is said of members that do not catch up; patience is three seconds. */
final class CatchingUpTest {
    private final LoggedWords log = new LoggedWords(CatchingUp.class);
    private long now;
    private final CatchingUp members = new CatchingUp("n1", 3000, () -> now);

    private record Seen(boolean isLeader, long committed, List<Ratis.Followed> followed, List<Member> members)
            implements CatchingUp.Group {}

    private static Seen leads(long committed, long matched, long silentMillis) {
        return new Seen(
                true,
                committed,
                List.of(
                        new Ratis.Followed("n2", committed, matched, silentMillis),
                        new Ratis.Followed("n3", committed, matched, silentMillis)),
                List.of(new Member("n1", "a:1"), new Member("n2", "a:2"), new Member("n3", "a:3")));
    }

    private static Joining.Said leader(long committed) {
        return new Joining.Said("n2", true, null, "n2", true, 3, committed, false, List.of(), List.of());
    }

    @AfterEach
    void end() {
        log.close();
    }

    /** Hole: of a member that had not answered a new leader yet it said "has caught up, at entry -1". */
    @Test
    void whoHasCaughtUpHasAnEntry() {
        members.look(leads(50, 40, 4000), null, 50);
        assertThat(log.said())
                .hasSize(2)
                .first()
                .asString()
                .contains("node n2 does not answer: it has entry 40, the last committed is 50");
        members.look(leads(50, -1, 0), null, 50);
        assertThat(log.said()).hasSize(2);
        members.look(leads(50, 49, 0), null, 50);
        assertThat(log.said()).hasSize(4).last().asString().isEqualTo("node n3 has caught up, at entry 49");
        members.look(leads(20_000, 49, 0), null, 20_000);
        assertThat(log.said())
                .hasSize(6)
                .last()
                .asString()
                .contains("is far behind: it has entry 49, the last committed is 20000");
    }

    /** While one member of a node replaces another, both are followers. */
    @Test
    void twoMembersOfANodeAreToldApart() {
        members.look(
                new Seen(
                        true,
                        50,
                        List.of(
                                new Ratis.Followed("n2#7", 50, 50, 4000),
                                new Ratis.Followed("n3", 50, 40, 4000),
                                new Ratis.Followed("n3#44", 50, 40, 4000)),
                        List.of(new Member("n1", "a:1"))),
                null,
                50);
        assertThat(log.said())
                .hasSize(3)
                .anySatisfy(line -> assertThat(line).startsWith("node n2 does not answer"))
                .anySatisfy(line -> assertThat(line).startsWith("node n3 does not answer"))
                .anySatisfy(line -> assertThat(line).startsWith("node n3#44 does not answer"));
    }

    /** It was said to have entry -1, as if its log were lost. */
    @Test
    void whatIsNotKnownYetIsNoEntry() {
        members.look(leads(50, -1, 4000), null, 50);
        assertThat(log.said())
                .first()
                .asString()
                .contains("node n2 does not answer: this leader does not know yet how far it is, the last committed");
        Seen follows = new Seen(false, 10, List.of(), List.of());
        assertThat(members.look(follows, leader(30), -1)).isFalse();
        now += TimeUnit.SECONDS.toNanos(3);
        assertThat(members.look(follows, leader(30), -1)).isTrue();
        assertThat(members.stuck()).isEqualTo("it has applied no entry yet, for 3 s; the leader is at entry 30");
    }

    @Test
    void aNodeThatStandsStillSaysSoAfterItsPatience() {
        Seen follows = new Seen(false, 10, List.of(), List.of());
        assertThat(members.look(follows, leader(30), 10)).isFalse();
        now += TimeUnit.SECONDS.toNanos(2);
        assertThat(members.look(follows, leader(30), 10)).isFalse();
        assertThat(members.behind(10)).isEqualTo(20);
        now += TimeUnit.SECONDS.toNanos(1);
        assertThat(members.look(follows, leader(30), 10)).isTrue();
        assertThat(members.stuck()).isEqualTo("it has been at entry 10 for 3 s; the leader is at entry 30");
        assertThat(members.look(follows, leader(30), 11)).isFalse();
        assertThat(members.stuck()).isNull();
        assertThat(log.said()).hasSize(2).last().isEqualTo("node n1 continues, at entry 11");
    }

    @Test
    void aLeaderIsUnheardIfOneOfTwoOthersIsNotEnough() {
        assertThat(members.isUnheard(leads(5, 5, 2999))).isFalse();
        assertThat(members.isUnheard(leads(5, 5, 3000))).isTrue();
        Seen one = leads(5, 5, 0);
        assertThat(members.isUnheard(new Seen(true, 5, one.followed().subList(0, 1), one.members())))
                .isFalse();
    }
}
