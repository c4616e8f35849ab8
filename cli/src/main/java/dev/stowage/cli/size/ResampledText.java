package dev.stowage.cli.size;

import dev.stowage.cli.answer.AnswerParts;
import dev.stowage.cli.text.Columns;
import dev.stowage.study.size.Sizing;
import java.util.List;

/** What traces need that are drawn from one. */
final class ResampledText {
    private ResampledText() {}

    static void into(List<SizeOverview.Sized> all, AnswerParts answer) {
        if (all.stream().allMatch(one -> one.resampled() == null)) {
            return;
        }
        Columns columns = new Columns("policy", "servers", "mean", "too few", "enough", "bound for any policy");
        int traces = 0;
        for (SizeOverview.Sized one : all) {
            SizeOverview.Resampled drawn = one.resampled();
            if (drawn == null) {
                continue;
            }
            traces = drawn.byReplication().size();
            Sizing.Shown shown = drawn.shown();
            columns.row(
                    one.policy(),
                    SizeOverview.range(drawn.byReplication()),
                    drawn.servers() == null ? "-" : SizeOverview.text(drawn.servers()),
                    shown == null ? "-" : SizeText.number(shown.fails()),
                    shown == null || shown.holds() == 0 ? "-" : SizeText.number(shown.holds()),
                    SizeOverview.range(drawn.boundBy()));
        }
        answer.heading("The trace as one sample of many");
        answer.say(traces + " traces of randomly drawn blocks of it need:");
        answer.gap();
        answer.table(columns);
        answer.say("Only the choice of blocks is random; blocks are assumed to be alike and independent. None is busier"
                + " than those of this trace, but a real period as long has a busier one with a probability of one"
                + " half.");
    }
}
