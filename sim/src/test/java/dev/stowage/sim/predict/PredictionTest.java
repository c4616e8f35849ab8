package dev.stowage.sim.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.sim.trace.Trace;
import dev.stowage.sim.trace.TraceBuilder;
import dev.stowage.sim.trace.TraceException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PredictionTest {
    private static final long HOUR = 3_600_000_000_000L;

    private static Trace predicted(Trace trace, String how, List<String> notes) {
        return Prediction.parse(how, Long::parseLong).of(trace, note -> notes.add(note.toString()));
    }

    private static Trace predicted(Trace trace, String how) {
        return predicted(trace, how, new ArrayList<>());
    }

    private static Trace geometric(int size) {
        TraceBuilder builder = new TraceBuilder(List.of("cpu_milli"));
        for (int i = 0; i < size; i++) {
            builder.add(i, i % 10 == 9 ? Trace.UNKNOWN : 1000L << i % 10, 1000);
        }
        return builder.build();
    }

    @Test
    void whatIsTrueIsTheDuration() {
        Trace trace = predicted(geometric(20), "true");
        Trace exact = predicted(geometric(20), "error 0");
        for (int i = 0; i < 20; i++) {
            assertThat(trace.expectedNanos(i)).isEqualTo(i % 10 == 9 ? 0 : trace.durationNanos(i));
            assertThat(exact.expectedNanos(i)).isEqualTo(trace.expectedNanos(i));
        }
    }

    /** The logarithm of the error has mean 0 and the deviation asked for, within four standard errors of 9,000. */
    @Test
    void theErrorIsLogNormal() {
        Trace trace = predicted(geometric(10_000), "error 2");
        double sum = 0;
        double squares = 0;
        int known = 0;
        for (int i = 0; i < trace.size(); i++) {
            if (trace.durationNanos(i) != Trace.UNKNOWN) {
                double error = Math.log((double) trace.expectedNanos(i) / trace.durationNanos(i));
                sum += error;
                squares += error * error;
                known++;
            }
        }
        assertThat(sum / known).isBetween(-0.085, 0.085);
        assertThat(Math.sqrt(squares / known)).isBetween(1.94, 2.06);
    }

    /** As often each duration as it is there, whoever has it. */
    @Test
    void whatIsWorthlessSaysNothingOfTheRequest() {
        Trace trace = predicted(geometric(10_000), "worthless");
        int same = 0;
        int longest = 0;
        for (int i = 0; i < trace.size(); i++) {
            long known = Math.max(0, trace.durationNanos(i));
            same += trace.expectedNanos(i) == known ? 1 : 0;
            longest += trace.expectedNanos(i) == 1000L << 8 ? 1 : 0;
        }
        assertThat(same).isBetween(880, 1120);
        assertThat(longest).isBetween(880, 1120);
    }

    /**
     * Small ones run 1 h in the hour from 0 to 1 and 3 h in the next, 20 of each; one large one 5 h. After 6 h nothing
     * large has been seen often enough; small ones of another hour are as all small ones: half of these run 1 h.
     */
    @Test
    void learnedByTypeAndHourWithBackOff() {
        TraceBuilder builder = new TraceBuilder(List.of("cpu_milli"));
        for (int i = 0; i < 20; i++) {
            builder.add(i, HOUR, 1000);
            builder.add(HOUR + i, 3 * HOUR, 1000);
        }
        builder.add(0, 5 * HOUR, 9000);
        Trace trace = builder.add(24 * HOUR, 1, 1000)
                .add(25 * HOUR, 1, 1000)
                .add(27 * HOUR, 1, 1000)
                .add(27 * HOUR, 1, 9000)
                .build();
        Trace learned = predicted(trace, "learned " + 6 * HOUR);
        assertThat(learned.expectedNanos(0)).isZero();
        assertThat(learned.expectedNanos(41)).isEqualTo(HOUR);
        assertThat(learned.expectedNanos(42)).isEqualTo(3 * HOUR);
        assertThat(learned.expectedNanos(43)).isEqualTo(HOUR);
        // Of all 41, the 21st.
        assertThat(learned.expectedNanos(44)).isEqualTo(3 * HOUR);
    }

    /** By the product limit: 20 end after 1 h, then 40 of the 80 left after 4 h; what is cut off is no end. */
    @Test
    void whatStillRunsIsCensored() {
        TraceBuilder builder = new TraceBuilder(List.of("cpu_milli"));
        for (int i = 0; i < 20; i++) {
            builder.add(0, HOUR, 1000);
        }
        for (int i = 0; i < 40; i++) {
            builder.add(0, 4 * HOUR, 1000);
            builder.add(0, i % 2 == 0 ? 50 * HOUR : Trace.UNKNOWN, 1000);
        }
        builder.add(30 * HOUR, 2 * HOUR, 1000).add(30 * HOUR, 9 * HOUR, 1000);
        List<String> notes = new ArrayList<>();
        Trace learned = predicted(builder.build(), "learned " + 10 * HOUR, notes);
        assertThat(learned.expectedNanos(100)).isEqualTo(4 * HOUR);
        // Of the later two one runs no longer than the 4 h; both run no longer than the 10 h that were seen at most.
        assertThat(notes)
                .singleElement()
                .asString()
                .contains("50.0 % ended by the time by which 50 % were expected to");
        assertThat(notes)
                .singleElement()
                .asString()
                .contains("100.0 % ended by the time by which 90 % were expected to");
        // After 2 h only the 20 have ended: half is never reached, and the longest that was seen stands for it.
        assertThat(predicted(mostlyLonger(), "learned " + 2 * HOUR).expectedNanos(61))
                .isEqualTo(2 * HOUR);
    }

    @Test
    void nothingIsLearnedForRequestsThatDoNotCome() {
        List<String> notes = new ArrayList<>();
        predicted(mostlyLonger(), "learned " + 36 * HOUR, notes);
        assertThat(notes)
                .containsExactly(
                        "warning: no request arrives after 1.5 d: no lifetime is expected for anyone; learn for"
                                + " a shorter time");
    }

    private static TraceBuilder nothing() {
        return new TraceBuilder(List.of("cpu_milli"));
    }

    private static Trace mostlyLonger() {
        TraceBuilder builder = nothing();
        for (int i = 0; i < 20; i++) {
            builder.add(0, HOUR, 1000);
        }
        for (int i = 0; i < 41; i++) {
            builder.add(0, 4 * HOUR, 1000);
        }
        return builder.add(30 * HOUR, HOUR, 1000).build();
    }

    @Test
    void whatCannotBeIsTold() {
        for (String wrong : List.of("", "yes", "true 1", "error", "error -1", "error nan", "learned", "worthless 2")) {
            assertThatThrownBy(() -> Prediction.parse(wrong, Long::parseLong))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> predicted(nothing().add(0, HOUR, 1).build(), "learned 5"))
                .isInstanceOf(TraceException.class)
                .hasMessageContaining("no request of the trace has ended");
    }
}
