package dev.stowage.study.size;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.SizeTarget;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Whether all of an inventory runs at once on the servers that are there.
 *
 * @param unfit what fits none of them, even an empty one
 * @param there how many there are, without those that are spare
 * @param alike whether these are of one kind
 * @param atLeast proven: no policy places all the rest on fewer
 * @param enough with so many the rest was placed; 0 if no number was tried, or none is enough
 */
public record InventoryFit(Unfit unfit, long there, boolean alike, long atLeast, long enough) {
    private static final SizeTarget AT_ONCE = SizeTarget.parse("waited <= 0 %");
    /** Of the usual policies, the one that leaves least unused where nothing ends. */
    private static final String USUAL = "best-fit:when-full=queue";

    /** The label of a plan, where others have that of a policy. */
    public static final String PLAN = "plan";
    /** That of the usual policy, which the question does not name. */
    private static final String ONE_BY_ONE = "best fit, one after the other";

    /** Of an experiment; empty if it is not an inventory, or its servers change. */
    public static Optional<InventoryFit> of(Experiment point) {
        if (!point.standsStill()) {
            return Optional.empty();
        }
        long there = ServerFleet.servers(point.cluster());
        boolean alike = SizeWords.kinds(point).size() == 1;
        Unfit unfit = Unfit.of(point);
        Experiment usual = withUsualPolicy(unfit.count() > 0 ? unfit.without() : point);
        Sizing sizing = new Sizing(usual, new SizeQuestion(AT_ONCE).movable(true), new Policies());
        long atLeast = sizing.least().get(0);
        long enough = atLeast > there
                ? 0
                : sizing.need(usual.policies().get(0).spec()).servers().get(0);
        return Optional.of(new InventoryFit(unfit, there, alike, atLeast, enough));
    }

    /** With a plan for all of it in place of policies, where one can be made ({@link SizeQuestion#movable}). */
    public static Optional<Experiment> withPlan(Experiment point, SizeQuestion question) {
        ServerFleet fleet = ServerFleet.of(point.cluster(), question);
        PolicySpec usual = PolicySpec.of("best-fit", Map.of("when-full", "queue"));
        return Hindsight.ofMovable(point, question.movable(true), fleet) == null
                ? Optional.empty()
                : Optional.of(point.with(List.of(new LabelledPolicy(PLAN, usual)), point.replications()));
    }

    /** With the one policy for inventories, in words, if that is among those of the experiment. */
    public static Experiment withUsualPolicy(Experiment point) {
        List<LabelledPolicy> one = point.policies().stream()
                .filter(policy -> policy.label().equals(USUAL))
                .map(policy -> new LabelledPolicy(ONE_BY_ONE, policy.spec()))
                .toList();
        return one.isEmpty() ? point : point.with(one, point.replications());
    }

    /** The label of a policy of an experiment, or its text. */
    static String label(Experiment point, PolicySpec policy) {
        return point.policies().stream()
                .filter(one -> one.spec().equals(policy))
                .map(LabelledPolicy::label)
                .findFirst()
                .orElse(policy.toString());
    }

    /** Whether it is shown that some of it cannot run, also without what fits no server. */
    public boolean cannot() {
        return atLeast > there;
    }

    /** What is known, in sentences. */
    public String sentence() {
        return sentence(there == 1 ? "this one server" : format("these %,d servers", there));
    }

    /** The same where others count as lost. */
    public String sentenceOfRemaining() {
        return sentence(there == 1 ? "the one server that remains" : format("the %,d servers that remain", there));
    }

    private String sentence(String servers) {
        String all = unfit.count() > 0 ? "all others" : "all of it";
        String lead = unfit.count() > 0 ? unfit.sentence() + " " : "";
        if (!unfit.leavesSome()) {
            return unfit.sentence();
        }
        if (cannot()) {
            return lead
                    + format(
                            "No policy runs %s at once on %s%s.",
                            all, servers, alike ? format(": at least %,d such servers are needed", atLeast) : "");
        }
        return lead
                + (enough > 0 && enough <= there
                        ? format(
                                "%s can run at once on %s%s.",
                                all.replaceFirst("a", "A"),
                                servers,
                                enough < there ? format(", and %,d of them are enough", enough) : "")
                        : format(
                                "No way was found to run %s at once on %s, nor a proof that there is none.%s",
                                all,
                                servers,
                                alike && enough > 0 ? format(" %,d such servers are enough.", enough) : ""));
    }

    private static String format(String text, Object... values) {
        return String.format(Locale.ROOT, text, values);
    }
}
