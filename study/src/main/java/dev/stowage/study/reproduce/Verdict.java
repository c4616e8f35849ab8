package dev.stowage.study.reproduce;

/** Whether our result agrees with what a paper says. */
public enum Verdict {
    /** Everything that the paper says is shown: each confidence interval lies wholly in the range of the claim. */
    REPRODUCED("reproduced"),
    /**
     * The order is shown to be as the paper says, but not the size; or the claim is shown in part of the range only.
     */
    SHOWN_IN_PART("shown in part"),
    /** It is shown not to hold here. */
    NOT_REPRODUCED("not reproduced"),
    /** Neither is shown: the intervals are too wide, or queues are undecided. */
    UNDECIDED("undecided"),
    /** The paper says nothing about it: there is nothing to agree with. */
    NO_CLAIM("no claim"),
    /** The run was shortened on purpose. */
    NOT_JUDGED("not judged");

    private final String text;

    Verdict(String text) {
        this.text = text;
    }

    /**
     * The verdict on a claim.
     *
     * @param whole whether all of it holds, sizes included
     * @param direction whether its order holds, or it holds in part of the range
     */
    static Verdict of(Truth whole, Truth direction) {
        if (whole == Truth.YES) {
            return REPRODUCED;
        }
        return switch (direction) {
            case YES -> SHOWN_IN_PART;
            case NO -> NOT_REPRODUCED;
            case OPEN -> UNDECIDED;
        };
    }

    @Override
    public String toString() {
        return text;
    }
}
