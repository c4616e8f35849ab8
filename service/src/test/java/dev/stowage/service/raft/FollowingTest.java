package dev.stowage.service.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.ratis.server.protocol.TermIndex;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a follower asks for votes though Raft does not. */
final class FollowingTest implements Following.Group {
    private static final long ELECTION = 1000;

    private final List<String> asked = new ArrayList<>();
    private final Map<String, TermIndex> others = new TreeMap<>();
    private @Nullable String leader = "n3";
    private Following.@Nullable Silence silence = new Following.Silence(1, 4 * ELECTION);

    @Override
    public String self() {
        return "n1";
    }

    @Override
    public @Nullable String leader() {
        return leader;
    }

    @Override
    public List<String> members() {
        return List.of("n1", "n2", "n3");
    }

    @Override
    public TermIndex last() {
        return TermIndex.valueOf(2, 20);
    }

    @Override
    public long toApply() {
        return 0;
    }

    @Override
    public Following.@Nullable Silence silence() {
        return silence;
    }

    @Override
    public Map<String, TermIndex> lastEntries(List<String> of) {
        return others;
    }

    @Override
    public boolean startElection(String inPlaceOf) {
        asked.add(inPlaceOf);
        return true;
    }

    private List<String> asks() {
        asked.clear();
        new Following(this, ELECTION).askIfStuck();
        return asked;
    }

    @Test
    void whoIsStuckAndHasMostAsks() {
        others.put("n2", TermIndex.valueOf(2, 19));
        assertThat(asks()).containsExactly("n3");
    }

    /** The leader appended an entry that it could send to nobody any more, and still answers questions. */
    @Test
    void whoHasMostOfThoseThatCanBeHeardAsks() {
        others.put("n2", TermIndex.valueOf(2, 19));
        others.put("n3", TermIndex.valueOf(2, 21));
        assertThat(asks()).containsExactly("n3");
    }

    @Test
    void whoKnowsNoLeaderLeavesItToRaft() {
        others.put("n2", TermIndex.valueOf(2, 19));
        leader = null;
        assertThat(asks()).isEmpty();
    }

    @Test
    void nobodyElseDoes() {
        assertThat(asks()).as("no majority").isEmpty();
        others.put("n2", TermIndex.valueOf(2, 21));
        assertThat(asks()).as("another has more").isEmpty();
        others.put("n2", TermIndex.valueOf(2, 20));
        assertThat(asks()).hasSize(1);
        silence = new Following.Silence(0, 4 * ELECTION);
        assertThat(asks()).as("nothing under way: Raft asks").isEmpty();
        silence = new Following.Silence(1, 3 * ELECTION - 1);
        assertThat(asks()).as("not for long").isEmpty();
        silence = null;
        assertThat(asks()).as("leads, or asks already").isEmpty();
    }
}
