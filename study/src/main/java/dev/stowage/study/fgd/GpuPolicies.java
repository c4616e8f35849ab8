package dev.stowage.study.fgd;

import java.util.List;
import java.util.Optional;

/** The policies of the table, in its order. */
enum GpuPolicies {
    RANDOM("random", "01-Random"),
    DOT_PRODUCT("dot-product", "02-DotProd"),
    CLUSTERING("clustering", "03-GpuClustering"),
    PACKING("packing", "04-GpuPacking"),
    BEST_FIT("best-fit", "05-BestFit"),
    FGD("fgd", "06-FGD"),
    FIRST_FIT("first-fit", ""),
    FGD_UNROUNDED("fgd-unrounded", ""),
    FILL("fill", ""),
    /** The same with the other tie rule: shows how little hangs on ties. */
    FILL_LAST("fill-ties-last", "");

    private final String key;
    private final String published;

    GpuPolicies(String key, String published) {
        this.key = key;
        this.published = published;
    }

    /** Name in the table. */
    String key() {
        return key;
    }

    /** Name in the published file, if its runs are published. */
    Optional<String> published() {
        return published.isEmpty() ? Optional.empty() : Optional.of(published);
    }

    /** Carries a run out. */
    GpuRun run(GpuSequence sequence) {
        List<GpuRequest> list = sequence.list();
        return switch (this) {
            case RANDOM -> GpuRun.random(sequence);
            case DOT_PRODUCT -> GpuRun.of(sequence, GpuBaselines::dotProduct);
            case CLUSTERING -> GpuRun.of(sequence, GpuBaselines::clustering);
            case PACKING -> GpuRun.of(sequence, GpuBaselines::packing);
            case BEST_FIT -> GpuRun.of(sequence, GpuBaselines::bestFit);
            case FGD -> GpuRun.of(sequence, new FragmentationGradient(list, true));
            case FIRST_FIT -> GpuRun.of(sequence, GpuBaselines::firstFit);
            case FGD_UNROUNDED -> GpuRun.of(sequence, new FragmentationGradient(list, false));
            case FILL -> GpuRun.of(sequence, new FillPotential());
            case FILL_LAST -> GpuRun.lastOfTies(sequence, new FillPotential());
        };
    }
}
