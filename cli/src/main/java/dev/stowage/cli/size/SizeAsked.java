package dev.stowage.cli.size;

import dev.stowage.cli.answer.AnswerParts;
import dev.stowage.cli.experiment.ExperimentSource;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.NotEnoughException;
import dev.stowage.cli.text.OutputFormat;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.SizeTarget;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.trace.LoadReport;
import dev.stowage.study.buy.Offers;
import dev.stowage.study.load.PolicyCautions;
import dev.stowage.study.size.InventoryFit;
import dev.stowage.study.size.Unfit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which question about an experiment's servers is asked, and answers it.
 *
 * @param progress shows what is being worked out
 * @param namesPolicies whether options name policies
 * @param kindsAlone whether servers are kinds of which none is there
 */
record SizeAsked(
        Console console, StatusLine progress, SizeSettings settings, boolean namesPolicies, boolean kindsAlone) {
    /** For what is there from the start, where nothing that comes later can make room. */
    private static final SizeTarget AT_ONCE = SizeTarget.parse("waited <= 0 %");

    /**
     * Answers.
     *
     * @param asks what it says
     * @param usual whether nobody gave a target
     * @param answer receives the answer
     * @param notes receives what is said after it, of how it was found, also where there is none
     */
    void show(
            ExperimentSource source, ReadExperiment asks, boolean usual, AnswerParts answer, Collection<Remark> notes) {
        boolean table = settings.format() == OutputFormat.TABLE;
        asks.notes().stream()
                .filter(note -> !table || !asks.warnings().contains(note))
                .forEach(notes::add);
        SizeQuestion given = asks.size();
        if (asks.points().size() != 1 || given == null) {
            throw new BadInputException("size needs a single point: leave out the sweep with --set \"sweep=[]\" ("
                    + asks.points().size() + " points)");
        }
        Experiment whole = asks.points().get(0);
        Experiment point =
                whole.workload().isInventory() && !namesPolicies ? InventoryFit.withUsualPolicy(whole) : whole;
        SizeQuestion among = (usual && point.workload().isInventory() ? given.with(AT_ONCE) : given)
                .among(point.workload().types());
        PolicyCautions.withoutExpectations(point).stream()
                .map(each -> new Remark(Remark.Kind.NAMED, each))
                .forEach(notes::add);
        OffersReader.@Nullable Read offered = settings.asked().buy == null
                ? null
                : OffersReader.read(settings.asked().buy, settings.asked().prices, source, point);
        ReadExperiment read = offered == null
                ? asks
                : asks.noting(offered.notes().stream()
                        .filter(Remark::warns)
                        .filter(note -> !asks.notes().contains(note))
                        .toList());
        if (offered != null) {
            // Without --servers the offers are also the list of servers, and were read as that.
            offered.notes().stream().filter(note -> !table || !note.warns()).forEach(note -> {
                notes.removeIf(one -> one.toString().equals(note.toString()));
                notes.add(note);
            });
        }
        List<ServerBlock> there = kindsAlone ? List.of() : Offers.blocks(point);
        Unfit unfit = unfit(point, offered == null ? Offers.blocks(point) : there, offered);
        boolean left =
                unfit.count() > 0 && point.workload().isGiven() && unfit.leavesSome() && unfit.missesTarget(among);
        Experiment fits = left ? unfit.without() : point;
        Optional<Experiment> planned = namesPolicies ? Optional.empty() : InventoryFit.withPlan(fits, among);
        if (planned.isEmpty()) {
            PolicyCautions.manyConstraints(fits).ifPresent(many -> {
                if (fits.workload().isInventory()) {
                    throw new BadInputException(many
                            + (namesPolicies
                                    ? ""
                                    : ", and no plan of all at once is sought for this list, target and servers")
                            + ". Ask for a part of the list, or leave out rules that hold anyway");
                }
                notes.add(Remark.plain(many));
            });
        }
        SizeQuestion question = among.movable(planned.isPresent());
        Experiment asked = planned.orElse(fits);
        String lead = lead(unfit, left, point.workload().isGiven());
        answer.reading(read, notes);
        if (asked.policies().size() > 1) {
            answer.sum("policy", asked.policies().get(0).label());
        }
        if (!lead.isEmpty()) {
            answer.first(lead);
            answer.gap();
        }
        List<Remark> warnings = new ArrayList<>(read.warnings());
        if (!lead.isEmpty()) {
            warnings.add(0, Remark.plain(lead));
        }
        long doubts = warnings.stream().filter(Remark::warns).count();
        try {
            if (offered != null) {
                new BuyOverview(progress, settings)
                        .show(answer, offered, asked, Offers.sites(asked, !kindsAlone), question, warnings);
            } else if (settings.asked().grow) {
                new LoadOverview(console, progress, settings).show(answer, settings.sampled(asked), question, warnings);
            } else if (settings.growth() != null) {
                long have = there.stream().mapToLong(ServerBlock::count).sum();
                new GrowthOverview(
                                console,
                                progress,
                                settings,
                                RealHosts.of(source, point).withModels(source))
                        .show(answer, settings.sampled(asked), have, question, warnings);
            } else if (!settings.asked().prices.isEmpty()) {
                new PriceOverview(
                                console,
                                progress,
                                settings,
                                RealHosts.of(source, point).withModels(source))
                        .show(answer, asked, question, warnings);
            } else {
                new SizeOverview(
                                console,
                                progress,
                                settings,
                                RealHosts.of(source, point).withModels(source),
                                kindsAlone)
                        .show(answer, asked, question, warnings);
            }
        } finally {
            if (doubts > 0) {
                answer.sum("warnings", Long.toString(doubts));
            }
            // Also below an answer that no number is enough, which may be why.
            console.out().print(table ? console.warnings(LoadReport.below(read.warnings())) : "");
            console.out().flush();
        }
        if (left) {
            throw new NotEnoughException("some requests fit no server");
        }
    }

    /** What fits neither the servers that are there nor those on offer. */
    private static Unfit unfit(Experiment point, List<ServerBlock> there, OffersReader.@Nullable Read offered) {
        List<Amounts> kinds =
                new ArrayList<>(there.stream().map(ServerBlock::capacity).toList());
        if (offered != null) {
            kinds.addAll(offered.offers().capacity());
        }
        return Unfit.of(point, kinds);
    }

    /** What must be known before the answer; empty if all of it fits, or the answer says that nothing does. */
    private static String lead(Unfit unfit, boolean left, boolean given) {
        return left
                ? unfit.sentence() + " The answer is for the others."
                : unfit.count() > 0 && unfit.leavesSome() && given
                        ? unfit.sentence() + " The target allows so many to miss it: no server ever takes them."
                        : "";
    }
}
