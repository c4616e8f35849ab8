package dev.stowage.service.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.service.directory.VoteFile.Vote;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class VoteFileTest {
    @TempDir
    Path group;

    private Path file() {
        return group.resolve("votes");
    }

    private void keep(long term, String candidate) throws IOException {
        try (VoteFile votes = VoteFile.open(group)) {
            votes.keep(term, candidate);
        }
    }

    private void damage(int at) throws IOException {
        byte[] bytes = Files.readAllBytes(file());
        bytes[at] ^= 1;
        Files.write(file(), bytes);
    }

    @Test
    void theLastVoteIsKeptAndNeedsNoRoom() throws IOException {
        assertThat(VoteFile.read(group)).isNull();
        VoteFile.open(group).close();
        long size = Files.size(file());
        assertThat(VoteFile.read(group)).isEqualTo(new Vote(0, ""));
        for (int term = 1; term <= 5; term++) {
            keep(term, "n" + term);
            assertThat(VoteFile.read(group)).isEqualTo(new Vote(term, "n" + term));
            assertThat(Files.size(file())).isEqualTo(size);
        }
    }

    @Test
    void aTermHasOneCandidate() throws IOException {
        keep(7, "n2");
        keep(7, "n2");
        assertThatThrownBy(() -> keep(7, "n3")).hasMessageContaining("in term 7 n2 has the vote already");
        // Nobody will get a vote in that term any more.
        keep(6, "n3");
        assertThat(VoteFile.read(group)).isEqualTo(new Vote(7, "n2"));
    }

    /** It was not given: whoever asked had no answer. */
    @Test
    void aVoteThatACrashToreIsTheOneBefore() throws IOException {
        keep(7, "n2");
        keep(9, "n3");
        byte[] whole = Files.readAllBytes(file());
        int torn = indexOf(whole, "n3");
        damage(torn);
        assertThat(VoteFile.read(group)).isEqualTo(new Vote(7, "n2"));
        keep(9, "n1");
        assertThat(VoteFile.read(group)).isEqualTo(new Vote(9, "n1"));
    }

    @Test
    void whatIsDamagedIsNotKnown() throws IOException {
        keep(7, "n2");
        keep(9, "n3");
        byte[] whole = Files.readAllBytes(file());
        damage(indexOf(whole, "n2"));
        damage(indexOf(whole, "n3"));
        assertThat(VoteFile.read(group)).isNull();
        Files.write(file(), new byte[3]);
        assertThat(VoteFile.read(group)).isNull();
    }

    @Test
    void namesThatDoNotFitAreRefused() {
        assertThatThrownBy(() -> keep(1, "n".repeat(500))).hasMessageContaining("must have at most 496 bytes");
    }

    private static int indexOf(byte[] bytes, String text) {
        return new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf(text);
    }
}
