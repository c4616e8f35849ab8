package dev.stowage.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.sim.result.Remark;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is said of a source before an answer. */
final class LoadReportTest {
    @Test
    void anAnswerBeginsWithWhatWasLeftOutAndWhatIsInDoubt() {
        assertThat(LoadReport.lead(List.of())).isEmpty();
        assertThat(LoadReport.lead(List.of(
                        new Remark(Remark.Kind.NOT_COUNTED, "", "not counted: 1,002 rows: a template (Template)", 1002),
                        new Remark(Remark.Kind.NOT_COUNTED, "server list h.csv", "not counted: 1 row: down", 1),
                        new Remark(Remark.Kind.BAD, "", "bad: 1 row: mem is not a number", 1))))
                .extracting(Remark::toString)
                .containsExactly("Of the input 1,003 rows are not counted and 1 row cannot be read (see below).");
        assertThat(LoadReport.lead(List.of(
                        Remark.warning("no cpu").about("server list h.csv"),
                        new Remark(Remark.Kind.LEFT_OUT, "left out: lines"))))
                .extracting(Remark::toString)
                .containsExactly(
                        "server list h.csv: warning: no cpu",
                        "The answer, and what it calls proven, holds only if the input was read rightly.");
        assertThat(LoadReport.below(
                        List.of(Remark.warning("a"), Remark.warning("b"), new Remark(Remark.Kind.UNSEEN, "no cpu"))))
                .containsExactly(Remark.warning("b"));
    }
}
