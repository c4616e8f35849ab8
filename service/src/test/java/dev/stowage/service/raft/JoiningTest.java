package dev.stowage.service.raft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.service.directory.Identity;
import dev.stowage.service.directory.Member;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class JoiningTest {
    private static final UUID OURS = new UUID(1, 1);
    private static final UUID THEIRS = new UUID(2, 2);

    /** Not only that nobody has a directory of it, as of nodes that have none. */
    @Test
    void aDirectoryOfAnotherGroupThatWasMovedNamesBothGroups() {
        Joining.Own own = new Joining.Own(
                "n1",
                new Identity(OURS, "n1", Identity.Stage.MEMBER),
                "its directory was moved or copied",
                true,
                false,
                3,
                false);
        assertThat(wait(own, said("n2", THEIRS), said("n3", THEIRS)))
                .contains("moved", OURS.toString(), "n2 to " + THEIRS, "n3 to " + THEIRS)
                .doesNotContain("no directory of that group");
        assertThat(wait(own, Joining.Said.noGroup("n2"), Joining.Said.nothing("n3")))
                .contains("[n2] has no directory of that group", "[n3] cannot be reached")
                .doesNotContain("another one");
        assertThat(wait(own, said("n2", OURS), said("n3", THEIRS)))
                .contains("[n2] is up", "another one (n3 to " + THEIRS + ")");
    }

    private static String wait(Joining.Own own, Joining.Said... others) {
        Joining.Step step = Joining.next(own, List.of(others));
        assertThat(step).isInstanceOf(Joining.Step.Wait.class);
        return ((Joining.Step.Wait) step).why();
    }

    private static Joining.Said said(String node, UUID group) {
        return new Joining.Said(node, true, group, node, false, -1, 1, false, List.of(), List.of());
    }

    /** One of three that is down, and another one removed: the last would have no majority for ever. */
    @Test
    void noMemberIsRemovedIfMostOfTheOthersAreSilent() {
        List<Member> two = List.of(member("n1#1"), member("n2#1"));
        assertThat(Joining.noMajority(two, "n1#1", List.of(followed("n2#1", 900)), 1000))
                .isNull();
        assertThat(Joining.noMajority(two, "n1#1", List.of(followed("n2#1", 1500)), 1000))
                .contains("no answer from n2;");
        assertThat(Joining.noMajority(two, "n1#1", List.of(), 1000)).contains("no answer from n2;");
        List<Member> four = List.of(member("n1#1"), member("n2#1"), member("n3#1"), member("n4#1"));
        List<Ratis.Followed> oneDown = List.of(followed("n2#1", 10), followed("n3#1", 10), followed("n4#1", 60_000));
        assertThat(Joining.noMajority(four, "n1#1", oneDown, 1000)).isNull();
        assertThat(Joining.noMajority(four, "n1#1", oneDown.subList(0, 1), 1000))
                .contains("no answer from n3, n4;");
        assertThat(Joining.noMajority(List.of(member("n1#1")), "n1#1", List.of(), 1000))
                .isNull();
    }

    private static Member member(String id) {
        return new Member(id, "127.0.0.1:1");
    }

    private static Ratis.Followed followed(String member, long silentMillis) {
        return new Ratis.Followed(member, 7, 7, silentMillis);
    }
}
